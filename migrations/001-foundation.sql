-- Instants are epoch milliseconds (bigint), JSON is text, booleans are 0/1, ids are text.

create table secrets (
  name text primary key,
  value text not null
);

create table nodes (
  id text primary key,
  address text not null,
  started_at bigint not null,
  heartbeat_at bigint not null
);

create table api_keys (
  id text primary key,
  workspace text not null,
  name text not null,
  key_hash text not null unique,
  key_hint text not null,
  scopes text not null,
  created_at bigint not null,
  expires_at bigint,
  last_used_at bigint,
  revoked_at bigint
);
create index api_keys_newest on api_keys (workspace, created_at, id);

create table idempotency_keys (
  scope text not null,
  idempotency_key text not null,
  request_hash text not null,
  response_status integer,
  response_body text,
  subject_id text,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (scope, idempotency_key)
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);
create index idempotency_keys_subject on idempotency_keys (subject_id) where subject_id is not null;

create table agents (
  id text primary key,
  workspace text not null,
  name text not null,
  initial_message text not null,
  ai_provider text not null,
  voice_provider text not null,
  transcription_provider text,
  system_prompt text,
  model text,
  voice text,
  language text not null,
  tools text not null,
  playbook text,
  status text not null,
  is_default integer not null check (is_default in (0, 1)),
  backup_agent_id text,
  metadata text not null,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint
);
create index agents_newest on agents (workspace, created_at, id);
create unique index agents_default on agents (workspace) where is_default = 1 and deleted_at is null;

create table phone_numbers (
  id text primary key,
  workspace text not null,
  phone_number text not null unique,
  agent_id text,
  backup_agent_id text,
  provider text not null,
  label text,
  created_at bigint not null,
  updated_at bigint not null
);
create index phone_numbers_newest on phone_numbers (workspace, created_at, id);

create table calls (
  id text primary key,
  workspace text not null,
  direction text not null,
  call_type text not null,
  status text not null,
  agent_id text not null,
  agent_name text not null,
  language text not null,
  to_phone text not null,
  from_phone text not null,
  name text,
  provider text not null,
  provider_call_id text,
  customer_data text not null,
  customer_context text not null,
  metadata text not null,
  record_call integer not null check (record_call in (0, 1)),
  record_storage text not null,
  enable_transcription integer not null check (enable_transcription in (0, 1)),
  transcription_provider text not null,
  timeout_seconds integer not null,
  silence_timeout_seconds integer not null,
  scheduled_time text,
  scheduled_at bigint,
  estimated_start_at bigint not null,
  started_at bigint,
  answered_at bigint,
  ended_at bigint,
  ended_reason text,
  fault text,
  provider_code text,
  error text,
  outcome text,
  summary text,
  analysis text,
  metrics text,
  cost_usd double precision not null,
  node_id text,
  event_sequence integer not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index calls_newest on calls (workspace, created_at, id);
create index calls_by_agent on calls (agent_id, created_at, id);
create index calls_by_callee on calls (workspace, to_phone, created_at);
create index calls_live on calls (node_id) where ended_at is null;
create unique index calls_by_provider on calls (provider, provider_call_id) where provider_call_id is not null;

-- The queue of the dialler: one narrow row for each attempt to dial a call. Its id is the reference carriers see.
create table dial_attempts (
  id text primary key,
  call_id text not null references calls (id),
  attempt integer not null,
  status text not null,
  due_at bigint not null,
  dial_deadline_at bigint,
  node_id text,
  lease_until bigint,
  look_ups integer not null,
  updated_at bigint not null,
  unique (call_id, attempt)
);
create index dial_attempts_due on dial_attempts (due_at, id) where status = 'pending';
create index dial_attempts_leased on dial_attempts (lease_until) where status in ('claimed', 'dialling', 'uncertain');

create table call_events (
  call_id text not null references calls (id),
  sequence integer not null,
  type text not null,
  from_status text,
  to_status text,
  at bigint not null,
  data text not null,
  primary key (call_id, sequence)
);

create table transcript_entries (
  call_id text not null references calls (id),
  sequence integer not null,
  speaker text not null,
  text text not null,
  confidence double precision not null,
  start_ms integer not null,
  end_ms integer not null,
  interrupted integer not null check (interrupted in (0, 1)),
  primary key (call_id, sequence)
);

create table call_turns (
  call_id text not null references calls (id),
  turn integer not null,
  end_of_turn_ms integer not null,
  stt_ms integer not null,
  llm_first_token_ms integer not null,
  tts_first_byte_ms integer not null,
  total_ms integer not null,
  interrupted integer not null check (interrupted in (0, 1)),
  primary key (call_id, turn)
);

create table recordings (
  id text primary key,
  call_id text not null references calls (id),
  workspace text not null,
  status text not null,
  storage text not null,
  file_name text not null,
  format text not null,
  sample_rate integer not null,
  channels integer not null,
  size_bytes bigint not null,
  duration_ms bigint not null,
  created_at bigint not null
);
create unique index recordings_by_call on recordings (call_id) where status <> 'deleted';

create table jobs (
  id text primary key,
  kind text not null,
  call_id text not null references calls (id),
  status text not null,
  due_at bigint not null,
  attempts integer not null,
  lease_until bigint,
  error text,
  created_at bigint not null,
  updated_at bigint not null,
  unique (call_id, kind)
);
create index jobs_due on jobs (due_at, id) where status = 'pending';
create index jobs_leased on jobs (lease_until) where status = 'running';

create table stream_tokens (
  token_hash text primary key,
  call_id text not null references calls (id),
  expires_at bigint not null,
  used_at bigint
);

-- The outbox: the exact envelope that webhooks will carry, written with the change that it announces.
create table events (
  id text primary key,
  workspace text not null,
  type text not null,
  subject_id text not null,
  body text not null,
  created_at bigint not null
);
create index events_by_subject on events (subject_id, created_at, id);
create index events_oldest on events (created_at);
