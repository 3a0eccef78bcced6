-- What a call belongs to, and whether its owner has yet to be told that it is over.
alter table calls add column batch_id text;
alter table calls add column schedule_id text;
alter table calls add column execution_id text;
alter table calls add column unsettled integer not null default 0;
create index calls_of_batch on calls (batch_id, created_at, id) where batch_id is not null;
create index calls_of_schedule on calls (schedule_id, created_at, id) where schedule_id is not null;
create index calls_unsettled on calls (ended_at, id) where unsettled = 1;
-- The calls that are not over, newest first.
create index calls_open on calls (workspace, created_at, id) where ended_at is null;
