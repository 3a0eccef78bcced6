-- Languages that a talk may change to, and the one that each entry was spoken in.
alter table agents add column languages text not null default '[]';
alter table transcript_entries add column language text;
