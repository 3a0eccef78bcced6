-- The zone in which a time without an offset was read, of a call of its own and of the time of one number of a batch:
-- by other time-zone data it is another instant. Null for times that are instants as they were written.
alter table calls add column timezone text;
create index calls_in_local_time on calls (id) where timezone is not null and ended_at is null;
alter table batch_recipients add column timezone text;
-- The instant for which a time of its own was taken: `due_at` is another one once it was put off, or called.
alter table batch_recipients add column scheduled_at bigint;
create index batch_recipients_in_local_time on batch_recipients (call_id) where timezone is not null;
alter table queued_call_handles add column next_timezone text;
-- The zone in which the time of a batch was read: `timezone`, where one was named, else the one of the service.
alter table batches add column local_timezone text;
