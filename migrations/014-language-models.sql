-- How the language model of an agent answers, and which models take its place when it fails.
alter table agents add column model_settings text not null default '{}';
alter table agents add column fallbacks text not null default '{}';

-- Calls of tools by language models, as they stand in the transcript of a call; milliseconds as there.
create table call_tools (
  call_id text not null references calls (id),
  sequence integer not null,
  tool_call_id text not null,
  name text not null,
  arguments text not null,
  status text not null,
  result text not null,
  start_ms integer not null,
  latency_ms integer not null,
  primary key (call_id, sequence)
);

-- Requests to language models: what each has used. Tokens are null where the provider did not count them.
create table call_model_uses (
  call_id text not null references calls (id),
  sequence integer not null,
  provider text not null,
  model text not null,
  input_tokens integer,
  cached_input_tokens integer,
  output_tokens integer,
  first_token_ms integer,
  at bigint not null,
  failure text,
  primary key (call_id, sequence)
);

-- Secrets of customers, encrypted.
create table workspace_secrets (
  workspace text not null,
  name text not null,
  sealed text not null,
  created_at bigint not null,
  updated_at bigint not null,
  used_at bigint,
  primary key (workspace, name)
);
