import { z } from 'zod';
import type {
  CarrierHttpRequest,
  CarrierEvent,
  CarrierRequestKind,
} from '#telephony/port/carrier-webhooks.js';
import type { CarrierStatus } from '#telephony/port/carrier.js';
import { callIdIn, numbersIn } from '#telephony/wire/call-fields.js';
import { fieldsOf, type Fields } from '#telephony/wire/form-fields.js';

/**
 * Meaning of `status` in an event or a call. `started` shows that the carrier has the call, whether or not its answer
 * arrived.
 */
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

/** Values of `detail` that are more specific than the status. */
const DETAILS: ReadonlyMap<string, CarrierStatus> = new Map([
  ['rejected invalid_number', 'invalid_number'],
  // The carrier itself refuses to call the number.
  ['rejected restricted', 'failed'],
  ['failed number_out_of_service', 'invalid_number'],
]);

/** The end of a voicemail greeting: a beep, or none within the timeout. */
const GREETING_ENDS: ReadonlySet<string> = new Set(['beep_start', 'beep_timeout']);
const LONGEST_TEXT = 256;
/** Final statuses of a socket that was never opened. */
const NOT_OPENED: ReadonlySet<string | null> = new Set(['failed', 'unanswered']);

const said = z
  .string()
  .transform((text) => text.trim().slice(0, LONGEST_TEXT).replaceAll('\0', ''))
  .transform((text) => text || null)
  .default(null);

/** The fields of a request that are read. */
const Event = z.object({
  uuid: said,
  /** The call's id in events of machine detection. */
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

/** The id of the call, which we put into the socket's headers. */
const SocketEvent = z.object({ headers: z.object({ call_uuid: said }) });

/**
 * Decodes requests of Vonage: answer requests (the query of a GET, or JSON) and events (JSON). All events of a call
 * go to one URL, so every event is decoded at every status URL; those of our socket, a separate leg, go to
 * `stream-ended`. Times are times of arrival, because the carrier's own are by its own clock. Source:
 * developer.vonage.com, Voice API webhook reference
 */
export function readVonageRequest(
  kind: CarrierRequestKind,
  request: CarrierHttpRequest,
  dialRef: string | null,
): CarrierEvent[] {
  // Of fields with one name the first counts, which is that of the body.
  const fields = fieldsOf(request);
  const event = Event.parse(Object.fromEntries(fields.entries().toReversed()));
  const providerCallId = event.uuid ?? event.call_uuid ?? callIdIn(fields);
  if (kind === 'incoming') return [{ kind, providerCallId, ...numbersIn(fields) }];
  if (kind === 'stream-ended') return [socketEvent(event, fields)];
  // A transfer's markup is part of the request, so nothing is fetched.
  if (kind === 'transfer') return [];
  if (providerCallId === null) return [];
  if (kind === 'answer') return [{ kind: 'answered', providerCallId, dialRef }];
  return callEvents(event, { providerCallId, dialRef, at: request.receivedAt });
}

/**
 * If the socket does not open, the caller hears silence and the call needs instructions. After an open socket a new
 * NCCO would replace that of a transferred call; without a new one, our NCCO continues to its end. Source:
 * developer.vonage.com, "WebSockets"
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
  // Our socket is a separate leg, whose statuses are not those of the call.
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
 * An unanswered call is `completed`, too, and that event may arrive before the actual reason, such as `busy`. For an
 * inbound call whose caller hangs up early it is the only event. Source: developer.vonage.com, "Call flow";
 * api.support.vonage.com, "Which order should Voice API callbacks be received?"
 */
function saysNotWhy({ status, direction, start_time, duration }: Event): boolean {
  const hasTalked = start_time !== null || duration === null || Number(duration) > 0;
  return status === 'completed' && direction === 'outbound' && !hasTalked;
}

/** `platform`: at our request, or because the NCCO was finished. */
function sideOf(disconnectedBy: string | null): 'customer' | 'agent' | null {
  if (disconnectedBy === 'user') return 'customer';
  return disconnectedBy === 'platform' ? 'agent' : null;
}
