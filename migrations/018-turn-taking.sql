-- How an agent takes turns with a caller.
alter table agents add column turn_taking text not null default '{}';
