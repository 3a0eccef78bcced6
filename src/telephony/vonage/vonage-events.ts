import { z } from 'zod';
import type { CarrierHttpRequest, CarrierNews, CarrierRequestKind } from '../carrier-webhooks.js';
import type { CarrierStatus } from '../carrier.js';
import { fieldsOf } from '../form-fields.js';

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
const NUMBER = /^[1-9]\d{6,14}$/;

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
  from: said,
  to: said,
  status: said,
  sub_state: said,
  detail: said,
  sip_code: said,
  disconnected_by: said,
});
type Event = z.output<typeof Event>;

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
): CarrierNews[] {
  // Of fields with one name the first one counts, which is that of the body.
  const event = Event.parse(Object.fromEntries(fieldsOf(request).entries().toReversed()));
  const providerCallId = event.uuid ?? event.call_uuid;
  if (kind === 'incoming')
    return [{ kind, providerCallId, from: numberOf(event.from), to: numberOf(event.to) }];
  // A new NCCO would replace that of a call which was handed over; without one, ours is done to its end.
  if (kind === 'stream-ended') return [{ kind: 'stream_told' }];
  if (providerCallId === null) return [];
  switch (kind) {
    case 'answer':
      return [{ kind: 'answered', providerCallId, dialRef }];
    case 'status':
    case 'machine':
    case 'stream-status':
    case 'recording':
      return newsOf(event, { providerCallId, dialRef, at: request.receivedAt });
    // Whoever takes a call over is named in the request itself.
    case 'transfer':
      return [];
  }
}

function newsOf(
  event: Event,
  about: { providerCallId: string; dialRef: string | null; at: number },
): CarrierNews[] {
  // Our socket is a leg of its own, with states of its own: they are not the call's.
  if (event.to !== null && /^wss?:/i.test(event.to)) return [];
  const { providerCallId, dialRef } = about;
  const { status } = event;
  if (status === 'human' || status === 'machine') {
    const greetingEnded = GREETING_ENDS.has(event.sub_state ?? '');
    return [{ kind: 'machine', providerCallId, dialRef, answeredBy: status, greetingEnded }];
  }
  const known = VONAGE_STATUSES.get(status ?? '');
  if (known === undefined) return [];
  const report = {
    ...{ carrier: 'vonage', ...about },
    status: DETAILS.get(`${status} ${event.detail}`) ?? known,
    code: event.detail ?? event.sip_code,
    hungUpBy: known === 'completed' ? sideOf(event.disconnected_by) : null,
  };
  return [{ kind: 'report', report }];
}

/** `platform`: we have asked for it, or there was nothing more to do. */
function sideOf(disconnectedBy: string | null): 'customer' | 'agent' | null {
  if (disconnectedBy === 'user') return 'customer';
  return disconnectedBy === 'platform' ? 'agent' : null;
}

/** Numbers come as E.164 without the plus; null for callers who hide theirs, and for addresses that are none. */
function numberOf(written: string | null): string | null {
  const bare = written?.replace(/^\+/, '') ?? '';
  return NUMBER.test(bare) ? `+${bare}` : null;
}
