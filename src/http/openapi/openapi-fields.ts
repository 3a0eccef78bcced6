import { instantOut } from '#kernel/input/fields.js';
import type { OpenApiDocument } from './openapi-document.js';

/** The description that every response field with an instant has from its schema. */
const INSTANT = instantOut.meta()?.description;

/**
 * Descriptions of fields by name, for all objects of the API whose schema does not describe the field itself. An object
 * in which the name means something else must describe it.
 */
export const FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  id: 'The id of this object.',
  object: 'The type of this object.',
  kind: 'The kind of this object.',
  name: 'A label, for people.',
  description: 'A longer text, for people.',
  status: 'The current status.',
  message: 'The same as a sentence; the wording may change.',
  success: 'Whether the request was carried out.',
  deleted: 'Whether it is deleted.',
  sent: 'Whether it was sent.',
  metadata: 'Your own data, in any form, returned unchanged.',
  custom_metadata: 'The `metadata` of the request, returned unchanged.',
  has_more: 'Whether there are items after this page.',
  next_cursor: 'Send it as `cursor` to get the next page; null on the last page.',
  agent_id: 'The agent of the call.',
  agent_name: "The agent's name.",
  language: "The agent's language, a BCP 47 tag.",
  batch_id: 'The id of the batch.',
  batch_name: 'The name of the batch.',
  call_id: 'The id of the call.',
  schedule_id: 'The id of the schedule.',
  execution_id: 'The id of the run of a schedule.',
  phone_number: 'The phone number, E.164.',
  phone_numbers: 'Phone numbers, E.164.',
  to_phone: 'The number that is called, E.164.',
  from_phone: 'The caller id, E.164.',
  to_number: 'The number that is called, E.164.',
  from_number: 'The caller id, E.164.',
  callee_name: 'The name of the callee.',
  direction: '`outbound` calls are placed by the service, `inbound` ones come in.',
  call_type: 'Always `voice`.',
  provider: 'The carrier of the call.',
  provider_call_id: "The carrier's own id of the call.",
  provider_code: "The carrier's own code for how the call ended.",
  customer_data: "Data about the customer; fills `{{variables}}` in the agent's texts.",
  customer_context: 'More data about the customer, used in the same way.',
  record_call: 'Whether the call is recorded.',
  record_storage: 'Where the recording is kept.',
  enable_transcription:
    'Whether the transcript is kept, summarised and analysed. Without it, answers in the words of the caller are not kept, ' +
    'either; `answers` then holds days, times, numbers, names, choices and the like.',
  transcription_provider: 'The provider of speech recognition.',
  timeout_seconds: 'Seconds after which the call is ended.',
  silence_timeout_seconds:
    'Seconds of silence from the customer after which the agent says goodbye and the call is ended.',
  scheduled: 'Whether it is to happen later.',
  scheduled_time: 'When it is to happen, as it was sent; null if at once.',
  scheduled_at: 'When it is to happen, in UTC; null if at once.',
  timezone: 'IANA time zone.',
  started_at: 'When dialling began, or the call came in; null before.',
  answered_at: 'When the call was answered; null if it was not.',
  ended_at: 'When the call ended; null before.',
  ended_reason: 'Why the call ended; null before.',
  estimated_start_time: 'When dialling is expected to begin.',
  error: 'What went wrong; null if nothing did.',
  metrics: 'How well the call went.',
  summary: 'A few sentences on the call; null until it has been analysed.',
  customer_sentiment: 'positive, neutral or negative; null until the call has been analysed.',
  resolution_achieved: 'Whether the purpose of the call was achieved; null if unknown.',
  speaker_changes: 'How often the speaker changed.',
  max_concurrency: 'How many calls of the batch may be in progress at once.',
  max_attempts: 'Retries after the first delivery.',
  backoff_multiplier: 'Factor from each delay to the next.',
  initial_delay_seconds: 'Seconds before the first retry.',
  max_delay_seconds: 'The longest delay, in seconds.',
  total_numbers: 'How many numbers the batch has.',
  successfully_called: 'How many calls were completed.',
  failed_calls: 'How many calls failed.',
  cancelled_calls: 'How many calls were cancelled.',
  avg_duration_seconds: 'Average duration of the completed calls, in seconds.',
  success_rate: 'Completed calls divided by all numbers, 0 to 1.',
  calls_has_more: 'Whether the batch has more calls than are shown here.',
  pause_reason: 'Why the batch is paused; null if it is not.',
  start_time: 'When it began; null before.',
  end_time: 'When it ended; null before.',
  cron_expression: 'The cron expression of a recurring schedule; null for a one-time one.',
  cron_description: 'The cron expression in words.',
  max_occurrences: 'Number of runs after which the schedule is completed; null for no end.',
  grace_seconds: 'Seconds by which a call may be late; after that it is missed.',
  next_execution_time: 'When the next run is due; null if there is none.',
  next_executions: 'The next times at which it is due.',
  last_execution_time: 'When the last run started; null before the first.',
  last_status: 'How the last run ended; null before the first.',
  paused_at: 'When it was paused; null if it is not.',
  cancelled_at: 'When it was cancelled; null if it was not.',
  webhook_url: 'The HTTPS address that is notified of every run; null for none.',
  webhook_events: 'Which events `webhook_url` receives.',
  already_ended: 'Whether it had ended before this request.',
  from: 'The state before; null at the beginning.',
  to: 'The state that was entered.',
  turn: 'The number of the response, from 1.',
  turns: 'The responses of the agent, each with its latencies.',
  interrupted: 'Whether the customer interrupted it.',
  speaker: '`agent` or `customer`.',
  transcript: 'The transcript.',
  confidence: "The recogniser's confidence, 0 to 1; 1 for the agent.",
  start_ms: 'Milliseconds from the start of the call to its first sound.',
  end_ms: 'Milliseconds from the start of the call to its end.',
  size_bytes: 'The size of the file.',
  format: 'The format of the file.',
  storage: 'Where the file is kept.',
  sample_rate: 'Samples per second.',
  next_execution: 'When the next run of any schedule is due; null if there is none.',
  results: 'One entry for each number, in the order of the request.',
  invalid: 'Rows that are invalid.',
  duplicates: 'Rows whose number is listed before.',
  suppressed: 'Rows whose number is on the suppression list.',
  rows: 'The first 1000 of them.',
  reason: 'Why, as a word for programs.',
  calls: 'How many calls are placed.',
  peak_concurrency: 'The most calls that are in progress at once.',
  first_call_at: 'When the first call would be placed; null if there is none.',
  talk_seconds: 'How long a conversation takes.',
  ring_seconds: 'How long a phone rings.',
  cost_usd_per_call: 'The cost of a call, in US dollars.',
  calls_per_second: 'How many calls may be started per second.',
  min_duration: 'Only calls of at least this many seconds.',
  steps: 'The steps, by name.',
  action: 'What the agent does.',
  field: 'The invalid field, or column of the file.',
  count: 'How many there are.',
};

/** Adds {@link FIELD_DESCRIPTIONS} to fields without a description, in place: a step of `finishDocument`. */
export function describeFields(document: OpenApiDocument): void {
  visit([document.components.schemas, document.paths, document.webhooks]);
}

/** Describes the fields of all schemas below a node; examples hold values, not schemas. */
function visit(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const { properties, examples: _examples, ...rest } = node as Record<string, unknown>;
  for (const [name, field] of Object.entries((properties ?? {}) as Record<string, object>)) {
    const description = FIELD_DESCRIPTIONS[name];
    if (description !== undefined && !isDescribed(field)) Object.assign(field, { description });
    visit(field);
  }
  Object.values(rest).forEach(visit);
}

/**
 * True if a field has a description of its own, or refers to a named schema, which has one. The description of all
 * instants does not count.
 */
function isDescribed(field: object): boolean {
  const { anyOf = [], description } = field as { anyOf?: object[]; description?: string };
  const saysMore = description !== undefined && description !== INSTANT;
  return saysMore || '$ref' in field || anyOf.some(isDescribed);
}
