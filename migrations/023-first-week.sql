-- What is done with calls that lack data which the texts of their agent need: 'warn' or 'refuse'.
alter table agents add column missing_variables text not null default 'warn';

-- Rows of a table that could not become numbers of its batch, and why: a JSON text without what stood in them.
create table batch_rejections (
  batch_id text primary key references batches (id),
  rejected text not null
);
