import type { z } from 'zod';
import type { LiveEvent } from '#calls/live/sessions/live-call.js';
import type { LiveCallFacts } from '#calls/live/sessions/live-feed.js';
import type { WireStatus } from '#calls/resources/call-resource.js';
import type { LoggedEvent } from '#events/event-log-store.js';
import { toInstant } from '#kernel/time/clock.js';
import type { LIVE_EVENTS, LiveMessage } from './live-message.js';

/* Converts outbox events, and events of live calls, into messages of the live stream; for `LiveService`. */

/** The status of a call in the API, by the event that announces it. */
const STATUS_OF_EVENT: Partial<Record<LoggedEvent['type'], WireStatus>> = {
  'call.initiated': 'initiated',
  'call.connected': 'connected',
  'call.in_progress': 'active',
  'call.completed': 'completed',
  'call.failed': 'failed',
  'call.missed': 'missed',
};

/** The fields of a message about a call by which clients filter messages. */
export function addressOfCall(callId: string, workspace: string, batchId: string | null) {
  return { callId, workspace, batchId };
}

/** The data of `call.state` for an outbox event; null for an event that announces no state of a call. */
export function callStateOf({
  type,
  created_at: at,
  body,
}: LoggedEvent): z.infer<(typeof LIVE_EVENTS)['call.state']> | null {
  const status = STATUS_OF_EVENT[type];
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

/** The live message for an event of a live call; null for an event that is not published. */
export function messageOfLiveEvent(event: LiveEvent, call: LiveCallFacts): LiveMessage | null {
  const address = addressOfCall(call.id, call.workspace, call.batch_id);
  const { id: call_id } = call;
  switch (event.type) {
    case 'transcript.partial':
      if (!call.enable_transcription) return null;
      return {
        name: 'call.partial',
        ...address,
        data: { call_id, speaker: event.speaker, text: event.text },
      };
    case 'transcript.final': {
      if (!call.enable_transcription) return null;
      const { type: _type, ...entry } = event;
      return { name: 'call.transcript', ...address, data: { call_id, entry } };
    }
    case 'step.reached':
      return { name: 'call.step', ...address, data: { call_id, step: event.step } };
    case 'tool.called': {
      const { name, status, latency_ms } = event;
      return { name: 'call.tool', ...address, data: { call_id, name, status, latency_ms } };
    }
    case 'call.mode':
      return { name: 'call.mode', ...address, data: { call_id, mode: event.mode } };
    case 'call.transfer': {
      const { to: number, status, leg_call_id = null } = event;
      return { name: 'call.transfer', ...address, data: { call_id, to: number, status, leg_call_id } };
    }
    default:
      return null;
  }
}
