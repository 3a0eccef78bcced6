-- A single call is called once: no call is called again under its id. What an earlier release has promised is kept.

-- Further calls are calls of their own. One whose handle is deleted stays deleted, and keeps the word for its status.
insert into queued_call_handles (call_id, shown_status, deleted_at)
select further_calls.call_id, handle.shown_status, handle.deleted_at
from further_calls join queued_call_handles handle on handle.call_id = further_calls.handle_id;

-- A call that was to follow the one before waits in the dial queue now. If the one before may still be live, in a process
-- of the earlier release, it waits until that call must be over, an hour at most. The 7 makes another id out of the
-- handle's: ids of this time begin with 0.
create temporary table promised_calls as
select 'call_7' || substr(promise.call_id, 7) as id, 'dial_7' || substr(promise.call_id, 7) as dial_id,
  promise.call_id as handle_id, latest.id as latest_id, promise.next_from_phone as from_phone,
  promise.next_time as written, promise.next_timezone as timezone, promise.next_due_at as wanted_at,
  case
    when latest.free_at <= promise.next_due_at then promise.next_due_at
    when latest.free_at <= promise.next_due_at + 3600000 then latest.free_at
    else promise.next_due_at + 3600000
  end as due_at
from queued_call_handles promise
join (
  select id, to_phone,
    coalesce(ended_at, coalesce(started_at, created_at) + timeout_seconds * 1000 + 120000) as free_at
  from calls
) latest on latest.id = coalesce(
  (select call_id from further_calls where handle_id = promise.call_id order by attempt desc limit 1),
  promise.call_id)
where promise.next_due_at is not null and promise.deleted_at is null and latest.to_phone <> '';

insert into calls (
  id, workspace, direction, call_type, status, agent_id, agent_name, language, to_phone, from_phone, name, provider,
  customer_data, customer_context, metadata, record_call, record_storage, enable_transcription, transcription_provider,
  timeout_seconds, silence_timeout_seconds, scheduled_time, scheduled_at, timezone, estimated_start_at, call_window,
  cost_usd, ring_seconds, event_sequence, created_at, updated_at)
select promised.id, workspace, direction, call_type, 'queued', agent_id, agent_name, language, to_phone,
  coalesce(promised.from_phone, latest.from_phone), name, provider, customer_data, customer_context, metadata,
  record_call, record_storage, enable_transcription, transcription_provider, timeout_seconds, silence_timeout_seconds,
  promised.written, promised.due_at, promised.timezone, promised.due_at + 1000, call_window, 0, ring_seconds, 1,
  updated_at, updated_at
from promised_calls promised join calls latest on latest.id = promised.latest_id;

insert into dial_attempts (
  id, call_id, attempt, status, lane, due_at, wanted_at, expires_at, look_ups, updated_at)
select promised.dial_id, promised.id, 1, 'pending', 'single', due_at, promised.wanted_at, due_at + 300000, 0, updated_at
from promised_calls promised join calls on calls.id = promised.id;

insert into further_calls (call_id, handle_id, attempt)
select id, handle_id,
  (select coalesce(max(attempt), 0) + 1 from further_calls made where made.handle_id = promised_calls.handle_id)
from promised_calls;

drop table promised_calls;
-- Processes of the earlier release would make those calls, too. They still need the columns.
update queued_call_handles set next_from_phone = null, next_time = null, next_due_at = null, next_timezone = null;
