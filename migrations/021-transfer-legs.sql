-- The call that a call was made for: a person is asked on a line of their own whether they take a caller over.
alter table calls add column parent_call_id text;
create index calls_of_parent on calls (parent_call_id) where parent_call_id is not null;

-- How long its phone may ring. Null: for as long as any.
alter table calls add column ring_seconds integer;
