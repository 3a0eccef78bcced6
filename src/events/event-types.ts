/** Every event type of the service (Interface: Event types), by group. */
export const EVENT_TYPES = {
  'call.initiated': { group: 'call', description: 'A new outbound call has been initiated.' },
  'call.connected': { group: 'call', description: 'The call is connected.' },
  'call.in_progress': { group: 'call', description: 'The conversation is going on.' },
  'call.completed': { group: 'call', description: 'The call was completed.' },
  'call.failed': { group: 'call', description: 'The call failed to connect or was dropped.' },
  'call.missed': { group: 'call', description: 'An inbound call was not answered.' },
  'call.transcript_ready': { group: 'data', description: 'The transcript is there.' },
  'call.recording_ready': { group: 'data', description: 'The recording is available.' },
  'call.summary_ready': { group: 'data', description: 'The summary is ready.' },
  'call.analysis_complete': { group: 'data', description: 'Sentiment, intent and the rest are known.' },
  'batch.initiated': { group: 'batch', description: 'The batch has been initiated.' },
  'batch.in_progress': { group: 'batch', description: 'The batch is being processed.' },
  'batch.completed': { group: 'batch', description: 'All calls of the batch are over.' },
  'batch.failed': { group: 'batch', description: 'The batch met errors.' },
} as const satisfies Record<string, { group: 'call' | 'data' | 'batch'; description: string }>;

export type EventType = keyof typeof EVENT_TYPES;
