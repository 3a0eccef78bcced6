-- Who is told. `owner_id` marks a target that belongs to something else (a schedule's own webhook_url) and is in no list.
create table webhooks (
  id text primary key,
  workspace text not null,
  owner_id text,
  url text not null,
  secret text not null,
  previous_secret text,
  previous_secret_until bigint,
  events text not null,
  filters text not null,
  retry_policy text not null,
  headers text not null,
  description text,
  active integer not null check (active in (0, 1)),
  disabled_reason text,
  failures_in_row integer not null default 0,
  failing_since bigint,
  exhausted_in_row integer not null default 0,
  probe_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint
);
create index webhooks_newest on webhooks (workspace, created_at, id) where owner_id is null and deleted_at is null;

-- Which registration wants which event: the one look-up that recording an event costs when nobody wants it.
create table subscriptions (
  workspace text not null,
  event_type text not null,
  webhook_id text not null references webhooks (id),
  filters text,
  primary key (workspace, event_type, webhook_id)
);
create index subscriptions_by_webhook on subscriptions (webhook_id);

-- One event on its way to one webhook. `attempts` counts for ever, `tries` since it was last put in the queue.
create table deliveries (
  id text primary key,
  workspace text not null,
  webhook_id text not null references webhooks (id),
  event_id text not null references events (id) on delete cascade,
  event_type text not null,
  subject_id text not null,
  status text not null,
  attempts integer not null,
  tries integer not null,
  next_at bigint,
  lease_until bigint,
  created_at bigint not null,
  finished_at bigint
);
create index deliveries_due on deliveries (webhook_id, next_at, id) where status = 'pending';
create index deliveries_leased on deliveries (lease_until) where status = 'sending';
create index deliveries_newest on deliveries (workspace, created_at, id);
create index deliveries_by_webhook on deliveries (webhook_id, created_at, id);
create index deliveries_over on deliveries (webhook_id, finished_at) where finished_at is not null;
create index deliveries_by_event on deliveries (event_id);
create index deliveries_by_subject on deliveries (subject_id, created_at, id);

create table delivery_attempts (
  delivery_id text not null references deliveries (id) on delete cascade,
  attempt integer not null,
  started_at bigint not null,
  duration_ms integer not null,
  outcome text not null,
  status_code integer,
  response_body text,
  primary key (delivery_id, attempt)
);
