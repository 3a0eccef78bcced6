/**
 * The event types that webhooks can subscribe to. The group decides which data a webhook's filters read: those of the
 * event itself, or, for `data` events, which are about a conversation, those of the event of the call's end.
 */
export const EVENT_TYPES = {
  'call.initiated': { group: 'call', description: 'A new outbound call has been initiated.' },
  'call.connected': { group: 'call', description: 'The call is connected.' },
  'call.in_progress': { group: 'call', description: 'The conversation is in progress.' },
  'call.completed': { group: 'call', description: 'The call was completed.' },
  'call.failed': { group: 'call', description: 'The call failed to connect, was dropped or was cancelled.' },
  'call.missed': { group: 'call', description: 'An inbound call was not answered.' },
  'call.tool_called': {
    group: 'call',
    description: 'A tool of the agent was called. Only webhooks that name this event receive it.',
  },
  'call.transcript_ready': { group: 'data', description: 'The transcript is ready.' },
  'call.recording_ready': { group: 'data', description: 'The recording is available.' },
  'call.summary_ready': { group: 'data', description: 'The summary is ready.' },
  'call.analysis_complete': { group: 'data', description: 'Sentiment, intent and the rest are known.' },
  'batch.initiated': { group: 'batch', description: 'The batch has been initiated.' },
  'batch.in_progress': { group: 'batch', description: 'The batch is being processed.' },
  'batch.completed': { group: 'batch', description: 'All calls of the batch have ended.' },
  'batch.failed': { group: 'batch', description: 'The batch met errors.' },
} as const satisfies Record<string, { group: EventGroup; description: string }>;

export type EventGroup = 'call' | 'data' | 'batch';
export type EventType = keyof typeof EVENT_TYPES;
export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as [EventType, ...EventType[]];

/** Event types that occur many times in a call: only webhooks that name them receive them. */
const BY_NAME_ONLY: ReadonlySet<EventType> = new Set(['call.tool_called']);

/** The default events of a webhook; `*` stands for all of these, `call.*` and `batch.*` for those with that prefix. */
export const USUAL_EVENT_TYPES = EVENT_TYPE_NAMES.filter((name) => !BY_NAME_ONLY.has(name));

/** The notifications that a schedule sends to its own `webhook_url`. */
export const NOTIFICATION_TYPES = {
  'scheduled_call.started': { event: 'started', description: 'A run of the schedule has started.' },
  'scheduled_call.completed': { event: 'completed', description: 'A run of the schedule was completed.' },
  'scheduled_call.failed': { event: 'failed', description: 'A run of the schedule failed or was missed.' },
} as const satisfies Record<string, { event: string; description: string }>;

export type NotificationType = keyof typeof NOTIFICATION_TYPES;
export const NOTIFICATION_TYPE_NAMES = Object.keys(NOTIFICATION_TYPES) as NotificationType[];
