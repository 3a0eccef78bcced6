-- Rows of a table that could not become numbers of its batch, with their cells and what is wrong, in slices: each a
-- JSON text. Rows of before have no cells.
create table rejected_rows (
  batch_id text not null references batches (id),
  slice integer not null,
  rejected text not null,
  primary key (batch_id, slice)
);
insert into rejected_rows (batch_id, slice, rejected) select batch_id, 0, rejected from batch_rejections;
drop table batch_rejections;
