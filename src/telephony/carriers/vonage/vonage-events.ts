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
 * The meaning of `status` in an event or a call. `started` shows that the carrier has the call, whether or not the
 * answer to the dial request arrived.
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

/** The meaning of a status with a `detail`, where that is more specific than the status. */
const DETAILS: ReadonlyMap<string, CarrierStatus> = new Map([
  ['rejected invalid_number', 'invalid_number'],
  // The carrier itself refuses to call the number.
  ['rejected restricted', 'failed'],
  ['failed number_out_of_service', 'invalid_number'],
]);

/** Values of `sub_state` that mean the end of a voicemail greeting: a beep, or none within the timeout. */
const GREETING_ENDS: ReadonlySet<string> = new Set(['beep_start', 'beep_timeout']);
/** Longer texts are cut. */
const MAX_TEXT_LENGTH = 256;
/** The final statuses of a socket that was never opened. */
const NOT_OPENED: ReadonlySet<string | null> = new Set(['failed', 'unanswered']);

/** A text field, cleaned; null if it is missing or empty. */
const textField = z
  .string()
  .transform((text) => text.trim().slice(0, MAX_TEXT_LENGTH).replaceAll('\0', ''))
  .transform((text) => text || null)
  .default(null);

/** The fields of a request that are read. */
const Event = z.object({
  uuid: textField,
  /** The call's id in events of machine detection. */
  call_uuid: textField,
  to: textField,
  direction: textField,
  status: textField,
  start_time: textField,
  duration: textField,
  sub_state: textField,
  detail: textField,
  sip_code: textField,
  disconnected_by: textField,
});
type Event = z.output<typeof Event>;

/** An event of a socket, with the id of the call that `writeNcco` puts into the socket's headers. */
const SocketEvent = z.object({ headers: z.object({ call_uuid: textField }) });

/**
 * Decodes a webhook of Vonage into events, for `CarrierWebhookDispatcher`: an answer request (the query of a GET, or
 * JSON) or an event (JSON). Vonage sends statuses and results of machine detection to the same URL, so the kind
 * of the URL does not tell them apart. The events of the socket, a separate leg, go to `stream-ended`. Reports have the
 * time of arrival, because Vonage's own times are by Vonage's clock. Source: developer.vonage.com, Voice API webhook
 * reference
 */
export function readVonageRequest(
  kind: CarrierRequestKind,
  request: CarrierHttpRequest,
  dialRef: string | null,
): CarrierEvent[] {
  // Of repeated fields the first counts, because the body precedes the query. `fromEntries` keeps the last, so they are
  // reversed.
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
 * The event of a socket's end. If the socket did not open, the caller hears silence and the call needs instructions.
 * After an open socket no instructions are sent: they would replace the NCCO of a transferred call, and the call's own
 * NCCO continues to its end without them. Source: developer.vonage.com, "WebSockets"
 */
function socketEvent({ status }: Event, fields: Fields): CarrierEvent {
  const providerCallId = NOT_OPENED.has(status)
    ? (SocketEvent.safeParse(fields.json()).data?.headers.call_uuid ?? null)
    : null;
  return providerCallId === null ? { kind: 'stream_notice' } : { kind: 'stream_ended', providerCallId };
}

/** The report or detection result of an event of the call. */
function callEvents(
  event: Event,
  call: { providerCallId: string; dialRef: string | null; at: number },
): CarrierEvent[] {
  // The socket is a separate leg, whose statuses are not those of the call.
  if (event.to !== null && /^wss?:/i.test(event.to)) return [];
  const { providerCallId, dialRef } = call;
  const { status } = event;
  if (status === 'human' || status === 'machine') {
    const greetingEnded = GREETING_ENDS.has(event.sub_state ?? '');
    return [{ kind: 'machine', providerCallId, dialRef, answeredBy: status, greetingEnded }];
  }
  const knownStatus = VONAGE_STATUSES.get(status ?? '');
  if (knownStatus === undefined || lacksReason(event)) return [];
  const report = {
    carrier: 'vonage',
    ...call,
    status: DETAILS.get(`${status} ${event.detail}`) ?? knownStatus,
    code: event.detail ?? event.sip_code,
    hungUpBy: knownStatus === 'completed' ? whoHungUp(event.disconnected_by) : null,
  };
  return [{ kind: 'report', report }];
}

/**
 * True for a `completed` of an outbound call that says nothing about why it ended: Vonage sends it for unanswered
 * calls, too, and it may arrive before the actual reason, such as `busy`. For an inbound call whose caller hangs up
 * early it is the only event. Source: developer.vonage.com, "Call flow"; api.support.vonage.com, "Which order should
 * Voice API callbacks be received?"
 */
function lacksReason({ status, direction, start_time, duration }: Event): boolean {
  // A start time, or a duration above zero, shows that the call was answered; without a duration it may have been.
  const mayHaveTalked = start_time !== null || duration === null || Number(duration) > 0;
  return status === 'completed' && direction === 'outbound' && !mayHaveTalked;
}

/** The side that hung up. `platform`: at the service's request, or because the NCCO (its markup) was finished. */
function whoHungUp(disconnectedBy: string | null): 'customer' | 'agent' | null {
  if (disconnectedBy === 'user') return 'customer';
  return disconnectedBy === 'platform' ? 'agent' : null;
}
