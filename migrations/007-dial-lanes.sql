-- Calls that were asked for one by one do not wait behind those of batches: the dialler's queue has a lane for each.
alter table dial_attempts add column lane text not null default 'single' check (lane in ('single', 'batch'));
update dial_attempts set lane = 'batch' where call_id in (select id from calls where batch_id is not null);
drop index dial_attempts_due;
create index dial_attempts_due on dial_attempts (lane, due_at, id, expires_at) where status = 'pending';
