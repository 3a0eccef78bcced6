import { z } from 'zod';
import { recordingOf, secondsBetween } from '#telephony/port/carrier-recording.js';
import type {
  CarrierHttpRequest,
  CarrierEvent,
  CarrierRequestKind,
} from '#telephony/port/carrier-webhooks.js';
import type { CarrierStatus } from '#telephony/port/carrier.js';
import { callIdIn, numbersIn } from '#telephony/wire/call-fields.js';
import { fieldsOf, type Fields } from '#telephony/wire/form-fields.js';

/** `status` of an event or of a call. `started` tells that the carrier has it, whatever became of its answer to us. */
export const VONAGE_STATUSES: ReadonlyMap<string, CarrierStatus> = new Map([
  ['started', 'ringing'],
  ['ringing', 'ringing'],
  ['answered', 'answered'],
  ['completed', 'completed'],
  ['busy', 'busy'],
  ['cancelled', 'cancelled'],
  ['timeout', 'timeout'],
  ['unanswered', 'no_answer'],
  ['rejected', 'rejected'],
  ['failed', 'failed'],
]);

/** Causes (`detail`) that say more than the status does. */
const DETAILS: ReadonlyMap<string, CarrierStatus> = new Map([
  ['rejected invalid_number', 'invalid_number'],
  // The carrier itself will not call there.
  ['rejected restricted', 'failed'],
  ['failed number_out_of_service', 'invalid_number'],
]);

/** What a voicemail system does at the end of its greeting: it beeps, or has not done so for long. */
const GREETING_ENDS: ReadonlySet<string> = new Set(['beep_start', 'beep_timeout']);
const LONGEST_TEXT = 256;
/** How a socket ends that was never opened. */
const NOT_OPENED: ReadonlySet<string | null> = new Set(['failed', 'unanswered']);

const said = z
  .string()
  .transform((text) => text.trim().slice(0, LONGEST_TEXT).replaceAll('\0', ''))
  .transform((text) => text || null)
  .default(null);

/** What is looked at of a request; everything else is left to the carrier. */
const Event = z.object({
  uuid: said,
  /** The same, in events of machine detection. */
  call_uuid: said,
  to: said,
  direction: said,
  status: said,
  start_time: said,
  duration: said,
  sub_state: said,
  detail: said,
  sip_code: said,
  disconnected_by: said,
});
type Event = z.output<typeof Event>;

/** What we have handed over for the socket that is told of: the call that it is a leg of. */
const SocketEvent = z.object({ headers: z.object({ call_uuid: said }) });

/**
 * Reads what Vonage says: answer requests (the query of a GET, or JSON) and events (JSON). All events of a call come to
 * one address, so that any of them is understood at any address of reports; those of our socket, which is a leg of its
 * own, come to `stream-ended`. Times are those of arrival, because the carrier's own come with its own clock.
 * Source: developer.vonage.com, Voice API webhook reference
 */
export function readVonageRequest(
  kind: CarrierRequestKind,
  request: CarrierHttpRequest,
  dialRef: string | null,
): CarrierEvent[] {
  // Of fields with one name the first one counts, which is that of the body.
  const fields = fieldsOf(request);
  const event = Event.parse(Object.fromEntries(fields.entries().toReversed()));
  const providerCallId = event.uuid ?? event.call_uuid ?? callIdIn(fields);
  if (kind === 'incoming') return [{ kind, providerCallId, ...numbersIn(fields) }];
  if (kind === 'stream-ended') return [socketEvent(event, fields)];
  // Whoever takes a call over is named in the request itself.
  if (kind === 'transfer') return [];
  if (kind === 'answer')
    return providerCallId === null ? [] : [{ kind: 'answered', providerCallId, dialRef }];
  const recorded = recordingEvents(fields, { providerCallId, dialRef });
  if (providerCallId === null) return recorded;
  return [...callEvents(event, { providerCallId, dialRef, at: request.receivedAt }), ...recorded];
}

/**
 * Whoever waits for a socket that does not open hears nothing. Of one that was open a new NCCO would replace that of a
 * call which was handed over; without one, ours is done to its end. Source: developer.vonage.com, "WebSockets"
 */
function socketEvent({ status }: Event, fields: Fields): CarrierEvent {
  const providerCallId = NOT_OPENED.has(status)
    ? (SocketEvent.safeParse(fields.json()).data?.headers.call_uuid ?? null)
    : null;
  return providerCallId === null ? { kind: 'stream_told' } : { kind: 'stream_ended', providerCallId };
}

function callEvents(
  event: Event,
  about: { providerCallId: string; dialRef: string | null; at: number },
): CarrierEvent[] {
  // Our socket is a leg of its own, with states of its own: they are not the call's.
  if (event.to !== null && /^wss?:/i.test(event.to)) return [];
  const { providerCallId, dialRef } = about;
  const { status } = event;
  if (status === 'human' || status === 'machine') {
    const greetingEnded = GREETING_ENDS.has(event.sub_state ?? '');
    return [{ kind: 'machine', providerCallId, dialRef, answeredBy: status, greetingEnded }];
  }
  const known = VONAGE_STATUSES.get(status ?? '');
  if (known === undefined || saysNotWhy(event)) return [];
  const report = {
    carrier: 'vonage',
    ...about,
    status: DETAILS.get(`${status} ${event.detail}`) ?? known,
    code: event.detail ?? event.sip_code,
    hungUpBy: known === 'completed' ? sideOf(event.disconnected_by) : null,
  };
  return [{ kind: 'report', report }];
}

/**
 * Calls that nobody picks up are completed as well, and that may be told before what had become of them, such as
 * `busy`. Whoever calls in and does not wait is told of by nothing else. Source: developer.vonage.com, "Call flow";
 * api.support.vonage.com, "Which order should Voice API callbacks be received?"
 */
function saysNotWhy({ status, direction, start_time, duration }: Event): boolean {
  const hasTalked = start_time !== null || duration === null || Number(duration) > 0;
  return status === 'completed' && direction === 'outbound' && !hasTalked;
}

/**
 * What is told when a recording is there. It names the conversation and not the call, so that our reference has to be
 * in the address, unless an event of the call tells it. Source: developer.vonage.com, Voice API webhook reference,
 * "Record"
 */
function recordingEvents(
  fields: Fields,
  call: { providerCallId: string | null; dialRef: string | null },
): CarrierEvent[] {
  if (call.providerCallId === null && call.dialRef === null) return [];
  const recording = recordingOf(
    { carrier: 'vonage', ...call },
    {
      id: fields.get('recording_uuid'),
      url: fields.get('recording_url'),
      seconds: secondsBetween(fields.get('start_time'), fields.get('end_time')),
      channels: fields.get('channels'),
    },
  );
  return recording ? [{ kind: 'recording', recording }] : [];
}

/** `platform`: we have asked for it, or there was nothing more to do. */
function sideOf(disconnectedBy: string | null): 'customer' | 'agent' | null {
  if (disconnectedBy === 'user') return 'customer';
  return disconnectedBy === 'platform' ? 'agent' : null;
}
