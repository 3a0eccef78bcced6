/** The module that owns each table: it alone writes it, and other modules ask it. */
export const TABLE_OWNERS: Record<string, string> = {
  agents: 'agents',
  api_keys: 'access',
  batch_recipients: 'batches',
  batches: 'batches',
  call_events: 'calls',
  call_turns: 'calls',
  calls: 'calls',
  deliveries: 'webhooks',
  delivery_attempts: 'webhooks',
  dial_attempts: 'calls',
  events: 'events',
  executions: 'schedules',
  further_calls: 'batches',
  housekeeping: 'housekeeping',
  idempotency_keys: 'idempotency',
  jobs: 'calls',
  nodes: 'calls',
  number_decisions: 'policy',
  phone_numbers: 'agents',
  queued_call_handles: 'batches',
  recordings: 'calls',
  schedules: 'schedules',
  schema_migrations: 'store',
  secrets: 'access',
  stream_tokens: 'access',
  subscriptions: 'webhooks',
  suppressions: 'policy',
  transcript_entries: 'calls',
  webhooks: 'webhooks',
};

/** Tables that a module writes though another owns them, and why for now. */
export const FOREIGN_WRITES: Record<string, string> = {
  'batches → calls':
    'the rows of calls are made with the batch, until one is made when its number is dispatched',
  'batches → call_events': 'the log of a call begins with its row, which intake writes many at a time',
  'batches → dial_attempts': 'a number that waits is moved and taken out of the queue by its batch',
  'batches → housekeeping': 'the end of a downtime is a mark beside those of retention',
  'calls → events': 'an erased call takes what was told of it along, in one transaction',
  'schedules → events': 'an erased schedule takes what was told of it along, in one transaction',
  'webhooks → events': 'events are forgotten with their deliveries, slice by slice',
};

/** Tables that a module reads though another owns them, and why for now. */
export const FOREIGN_READS: Record<string, string> = {
  'agents → schedules': 'an agent or number that is needed later is not deleted',
  'agents → batches': 'an agent or number that is needed later is not deleted',
  'batches → calls': 'numbers and their calls are listed, counted and erased together',
  'batches → dial_attempts': 'the place in the queue is that of the dial attempt',
  'batches → housekeeping': 'the end of a downtime is a mark beside those of retention',
  'batches → phone_numbers': 'intake checks the number to call from in its own transaction',
  'calls → agents': 'an incoming call finds its agent in the statement that takes it',
  'calls → batches': 'a call is shown with the state of its batch',
  'calls → stream_tokens': 'a stream is opened and its token spent in one statement',
  'events → subscriptions': 'one statement writes an event and says whether a webhook wants it',
  'schedules → agents': 'lists of schedules show the name of the agent',
  'schedules → calls': 'a run is settled by the state of its call',
  'schedules → dial_attempts': 'after a restore, runs that were queued are told from those that were dialled',
  'schedules → events': 'an erased schedule takes what was told of it along',
  'webhooks → events': 'a delivery is sent with the body of its event',
};
