-- What a call belongs to, and whether its owner has yet to be told that it is over.
alter table calls add column batch_id text;
alter table calls add column schedule_id text;
alter table calls add column execution_id text;
alter table calls add column unsettled integer not null default 0;
create index calls_of_batch on calls (batch_id, created_at, id) where batch_id is not null;
create index calls_of_schedule on calls (schedule_id, created_at, id) where schedule_id is not null;
create index calls_unsettled on calls (ended_at, id) where unsettled = 1;
-- Dialling: after this instant an attempt is not dialled any more, so that nobody is phoned long after their time.
alter table dial_attempts add column expires_at bigint not null default 0;
update dial_attempts set expires_at = due_at + 300000;
drop index dial_attempts_due;
create index dial_attempts_due on dial_attempts (due_at, id, expires_at) where status = 'pending';
-- The calls that are not over, newest first.
create index calls_open on calls (workspace, created_at, id) where ended_at is null;

-- Batches: many calls of one wish. `feed_at` is when the feeder looks at a batch next, null while only the end of a call
-- can change anything; while a batch is `loading` it is when its maker is given up.
create table batches (
  id text primary key,
  workspace text not null,
  name text not null,
  status text not null,
  shown_status text,
  pause_reason text,
  error text,
  agent_id text not null,
  agent_name text not null,
  language text not null,
  from_phone text not null,
  scheduled_time text,
  scheduled_at bigint not null,
  max_concurrency integer not null,
  call_window text,
  retry_policy text not null,
  metadata text not null,
  total_numbers integer not null,
  waiting integer not null,
  in_flight integer not null,
  succeeded integer not null,
  failed integer not null,
  skipped integer not null,
  cancelled integer not null,
  talk_seconds bigint not null,
  cost_usd double precision not null,
  recent_ends text not null,
  refusals_in_row integer not null,
  feed_at bigint,
  initiated_at bigint,
  started_at bigint,
  ended_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint
);
create index batches_newest on batches (workspace, created_at, id);
create index batches_to_feed on batches (feed_at, id) where feed_at is not null;
create index batches_loading on batches (id) where status = 'loading';

-- One narrow row for each number of a batch. `call_id` is its public handle, the id of its first call.
create table batch_recipients (
  batch_id text not null references batches (id),
  position integer not null,
  call_id text not null,
  last_call_id text not null,
  phone_number text not null,
  name text,
  label text,
  from_phone text,
  status text not null,
  shown_status text,
  reason text,
  attempts integer not null,
  scheduled_time text,
  due_at bigint not null,
  duration_seconds integer not null,
  updated_at bigint not null,
  deleted_at bigint,
  primary key (batch_id, position)
);
create unique index batch_recipients_by_handle on batch_recipients (call_id);
create unique index batch_recipients_by_call on batch_recipients (last_call_id);
create index batch_recipients_waiting on batch_recipients (batch_id, due_at, position) where status in ('pending', 'retry_wait');
-- Ends of calls that could not be applied to their batch; they are tried again at the next start.
create index calls_set_aside on calls (id) where unsettled = 2;

-- Queued calls under /batch/scheduled-calls: the status word that was asked for, and whether the handle is deleted.
create table queued_call_handles (
  call_id text primary key references calls (id),
  shown_status text,
  deleted_at bigint
);

-- Calling policy: who must not be called, and what was decided whenever a call was accepted or about to be dialled.
create table suppressions (
  id text primary key,
  workspace text not null,
  phone_number text not null,
  reason text not null,
  source text not null,
  note text,
  call_id text,
  created_at bigint not null,
  updated_at bigint not null,
  expires_at bigint,
  unique (workspace, phone_number)
);
create index suppressions_newest on suppressions (workspace, created_at, id);
create index suppressions_ending on suppressions (expires_at) where expires_at is not null;

-- The hours that a client asked for with a call; null for those of the house.
alter table calls add column call_window text;

create table number_decisions (
  workspace text not null,
  phone_number text not null,
  decided_at bigint not null,
  -- The call or schedule that was accepted, or the attempt to dial.
  subject_id text not null,
  moment text not null,
  call_id text,
  mode text not null,
  verdict text not null,
  reason text,
  until_at bigint,
  findings text,
  primary key (workspace, phone_number, decided_at, subject_id)
);
create index number_decisions_oldest on number_decisions (decided_at);

-- Schedules: whom to call and when, once or again and again. `planned_after` is the instant up to which occurrences are
-- used up; `next_run_at` is the next one, kept while paused; `runs` numbers the runs.
create table schedules (
  id text primary key,
  workspace text not null,
  kind text not null check (kind in ('one_time', 'recurring')),
  status text not null,
  shown_status text,
  agent_id text not null,
  phone_number text not null,
  from_phone text,
  name text,
  description text,
  customer_context text not null,
  metadata text not null,
  scheduled_time text,
  scheduled_at bigint,
  dst_adjusted text,
  cron_expression text,
  timezone text not null,
  time_zone_version text not null,
  max_occurrences integer,
  occurrences integer not null,
  grace_seconds integer not null,
  retry_policy text not null,
  call_window text,
  -- How its calls are made, where it was agreed on in a call; null for the usual.
  call_options text,
  webhook_id text,
  webhook_url text,
  webhook_events text not null,
  planned_after bigint not null,
  next_run_at bigint,
  runs integer not null,
  last_run_at bigint,
  last_status text,
  last_call_id text,
  paused_at bigint,
  cancelled_at bigint,
  handle_deleted_at bigint,
  created_at bigint not null,
  updated_at bigint not null
);
create index schedules_newest on schedules (workspace, created_at, id);
create index schedules_next on schedules (workspace, next_run_at, id) where next_run_at is not null;
create index schedules_by_status on schedules (workspace, status, created_at, id);
create index schedules_by_agent on schedules (agent_id, created_at, id);
create index schedules_by_callee on schedules (workspace, phone_number, created_at);
-- Whose plan was made with other time-zone data.
create index schedules_planned on schedules (time_zone_version, id) where status in ('scheduled', 'paused');

-- One row for each try of each run. The pending ones are the queue of the scheduler: written before they are due,
-- `held` while the schedule is paused. `due_at` is `planned_at` until somebody has the row in hand.
create table executions (
  id text primary key,
  workspace text not null,
  schedule_id text not null references schedules (id),
  run integer not null,
  attempt integer not null,
  origin text not null,
  reason text,
  status text not null,
  planned_at bigint not null,
  due_at bigint not null,
  started_at bigint,
  late_ms bigint,
  call_id text,
  duration integer,
  error text,
  finished_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  unique (schedule_id, run, attempt)
);
create index executions_due on executions (due_at, id) where status = 'pending';
create index executions_of_schedule on executions (schedule_id, planned_at, id);
create index executions_open on executions (schedule_id, id) where status in ('pending', 'held', 'in_progress');
create index executions_latest on executions (workspace, started_at) where started_at is not null;
create index executions_failed on executions (workspace, finished_at) where status in ('failed', 'missed');
create index calls_unsettled_of_schedules on calls (ended_at, id) where unsettled = 1 and execution_id is not null;
