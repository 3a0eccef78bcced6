create table things (
  id text primary key,
  owner text,
  amount bigint,
  ratio double precision,
  note text
);
create index things_free on things (id) where owner is null;
