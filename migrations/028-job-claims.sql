-- How often a job was claimed. A process that was taken for dead must not close the job that another one does by now.
alter table jobs add column claims integer not null default 0;
