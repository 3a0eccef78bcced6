import type { z } from 'zod';
import type { LiveEvent } from '#calls/live/sessions/live-call.js';
import type { LiveCallFacts } from '#calls/live/sessions/live-feed.js';
import type { WireStatus } from '#calls/resources/call-resource.js';
import type { LoggedEvent } from '#events/event-log-store.js';
import { toInstant } from '#kernel/time/clock.js';
import type { LIVE_EVENTS, LiveMessage } from './live-message.js';

/** The API's name of the state that an event announces. */
const STATES: Partial<Record<LoggedEvent['type'], WireStatus>> = {
  'call.initiated': 'initiated',
  'call.connected': 'connected',
  'call.in_progress': 'active',
  'call.completed': 'completed',
  'call.failed': 'failed',
  'call.missed': 'missed',
};

/** The addressing of a message about a call. */
export function ofCall(callId: string, workspace: string, batchId: string | null) {
  return { callId, workspace, batchId };
}

/** The call state that an event of the outbox announces; null for any other event. */
export function callStateOf({
  type,
  created_at: at,
  body,
}: LoggedEvent): z.infer<(typeof LIVE_EVENTS)['call.state']> | null {
  const status = STATES[type];
  if (status === undefined) return null;
  const { data } = body;
  const textOf = (field: string) => (typeof data[field] === 'string' ? data[field] : null);
  return {
    call_id: textOf('call_id') ?? '',
    // A cancelled call is announced as a failed one.
    status: data['status'] === 'cancelled' ? 'cancelled' : status,
    at: toInstant(at),
    from_number: textOf('call_from') ?? '',
    to_number: textOf('call_to') ?? '',
    agent_id: textOf('agent_id') ?? '',
    direction: data['direction'] === 'inbound' ? 'inbound' : 'outbound',
    batch_id: textOf('batch_id'),
    ended_reason: textOf('ended_reason'),
  };
}

/** The message for an event of a live call; null for an event that is not published. */
export function ofFeed(event: LiveEvent, call: LiveCallFacts): LiveMessage | null {
  const to = ofCall(call.id, call.workspace, call.batch_id);
  const { id: call_id } = call;
  switch (event.type) {
    case 'transcript.partial':
      if (!call.enable_transcription) return null;
      return { name: 'call.partial', ...to, data: { call_id, speaker: event.speaker, text: event.text } };
    case 'transcript.final': {
      if (!call.enable_transcription) return null;
      const { type: _type, ...entry } = event;
      return { name: 'call.transcript', ...to, data: { call_id, entry } };
    }
    case 'step.reached':
      return { name: 'call.step', ...to, data: { call_id, step: event.step } };
    case 'tool.called': {
      const { name, status, latency_ms } = event;
      return { name: 'call.tool', ...to, data: { call_id, name, status, latency_ms } };
    }
    case 'call.mode':
      return { name: 'call.mode', ...to, data: { call_id, mode: event.mode } };
    case 'call.transfer': {
      const { to: number, status, leg_call_id = null } = event;
      return { name: 'call.transfer', ...to, data: { call_id, to: number, status, leg_call_id } };
    }
    default:
      return null;
  }
}
