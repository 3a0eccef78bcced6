-- Single calls that are wanted again: each further attempt is a call of its own, and belongs to the handle of the first.
create table further_calls (
  call_id text primary key references calls (id),
  handle_id text not null references calls (id),
  -- The first further one is 1.
  attempt integer not null
);
create unique index further_calls_by_handle on further_calls (handle_id, attempt);
-- What was asked for the next attempt while the last one was not over: its caller id, and its time as it was written
-- and as an instant.
alter table queued_call_handles add column next_from_phone text;
alter table queued_call_handles add column next_time text;
alter table queued_call_handles add column next_due_at bigint;
create index queued_call_handles_wanted on queued_call_handles (next_due_at) where next_due_at is not null;
