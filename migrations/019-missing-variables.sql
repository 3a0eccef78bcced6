-- What is done with calls that lack data which the texts of their agent need: 'warn' or 'refuse'.
alter table agents add column missing_variables text not null default 'warn';
