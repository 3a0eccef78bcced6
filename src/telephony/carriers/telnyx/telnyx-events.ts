import { z } from 'zod';
import type { CarrierHttpRequest, CarrierEvent } from '#telephony/port/carrier-webhooks.js';
import type { CarrierStatus } from '#telephony/port/carrier.js';
import { refinedByCause, refinedBySip } from '#telephony/wire/end-causes.js';
import { fieldsOf } from '#telephony/wire/form-fields.js';
import { readMark, type CallMark } from './telnyx-marks.js';
import { readDollars } from '#telephony/wire/dollars.js';
import { readNumber } from '#telephony/wire/written-number.js';

const CARRIER = 'telnyx';

const word = z.string().max(256).nullish().catch(null);

/** The fields of an event that are read; malformed ones count as missing. */
const Event = z.object({
  data: z.object({
    event_type: z.string(),
    occurred_at: word,
    payload: z.object({
      call_control_id: z
        .string()
        .regex(/^[^\0]{1,256}$/)
        .nullish(),
      client_state: z.string().max(4_096).nullish().catch(null),
      direction: word,
      from: word,
      to: word,
      result: word,
      hangup_cause: word,
      hangup_source: word,
      sip_hangup_cause: z.coerce.string().max(64).nullish().catch(null),
      status: word,
      total_cost: z.coerce.string().max(64).nullish().catch(null),
      cost_parts: z
        .array(z.object({ currency: word }))
        .nullish()
        .catch(null),
    }),
  }),
});
type Payload = z.output<typeof Event>['data']['payload'];

/** Values of `hangup_cause` that end answered calls; every other cause is that of an unanswered call. */
const AFTER_TALKS: ReadonlySet<string> = new Set(['normal_clearing', 'time_limit']);

/** The meaning of the results of standard and premium answering-machine detection. */
const FOUND: ReadonlyMap<string, 'human' | 'machine' | 'fax'> = new Map([
  ['human', 'human'],
  ['human_residence', 'human'],
  ['human_business', 'human'],
  ['machine', 'machine'],
  ['fax_detected', 'fax'],
]);

/** An event, and its call. */
interface Told {
  payload: Payload;
  providerCallId: string;
  /** Null for an inbound call. */
  dialRef: string | null;
  /** The state that the service has stored on the call. */
  mark: CallMark | null;
  /** Epoch milliseconds. */
  at: number;
}

/** The decoders by event name; other events are ignored. */
const MEANINGS: Readonly<Record<string, (told: Told) => CarrierEvent[]>> = {
  'call.initiated': initiated,
  'call.answered': answered,
  'call.hangup': hungUp,
  'call.cost': priced,
  'call.machine.detection.ended': (told) => machine(told, false),
  'call.machine.premium.detection.ended': (told) => machine(told, false),
  'call.machine.greeting.ended': (told) => machine(told, true),
  'call.machine.premium.greeting.ended': (told) => machine(told, true),
  'streaming.stopped': streamEnded,
  'streaming.failed': streamEnded,
};

/** True if a request is an event of Call Control, whose fields are all below `data`, rather than a TeXML callback. */
export function isTelnyxEvent(request: CarrierHttpRequest): boolean {
  const json = fieldsOf(request).json();
  return typeof json === 'object' && json !== null && 'data' in json;
}

/**
 * Decodes an event of Call Control. An application has one URL for all events, and each outbound call has its own, so
 * the content of an event decides what it means, never its URL. Source: Telnyx, "Voice API webhooks"; older accounts
 * have event names with underscores.
 */
export function readTelnyxEvent(request: CarrierHttpRequest, dialRef: string | null): CarrierEvent[] {
  const event = Event.safeParse(fieldsOf(request).json());
  if (!event.success) return [];
  const { event_type, occurred_at, payload } = event.data.data;
  const mark = readMark(payload.client_state ?? null);
  const occurredAt = Date.parse(occurred_at ?? '');
  const reference = dialRef ?? (mark?.kind === 'dialled' ? mark.dialRef : null);
  const providerCallId = payload.call_control_id ?? null;
  // Only the end of a transfer's second leg matters.
  const isOtherLeg = mark?.kind === 'other_leg';
  const name = event_type.replaceAll('_', '.');
  if (isOtherLeg && name !== 'call.hangup') return [];
  if (providerCallId === null) return [];
  const told: Told = {
    payload,
    providerCallId,
    dialRef: reference,
    mark,
    at: Number.isNaN(occurredAt) ? request.receivedAt : occurredAt,
  };
  return Object.hasOwn(MEANINGS, name) ? MEANINGS[name]!(told) : [];
}

/** A new call. There is no event for ringing: `call.initiated` is the only one before the answer. */
function initiated(told: Told): CarrierEvent[] {
  const { payload, providerCallId, dialRef } = told;
  if (dialRef !== null) return [report(told, 'ringing')];
  if (payload.direction !== 'incoming') return [];
  return [{ kind: 'incoming', providerCallId, from: readNumber(payload.from), to: readNumber(payload.to) }];
}

/** An outbound call was answered. For an inbound call the event only confirms the service's own answer. */
function answered(told: Told): CarrierEvent[] {
  const { providerCallId, dialRef } = told;
  if (dialRef === null) return [];
  return [{ kind: 'answered', providerCallId, dialRef }, report(told, 'answered')];
}

/** The end of a call, or of the second leg of a transfer. */
function hungUp(told: Told): CarrierEvent[] {
  const { payload, mark } = told;
  // After the end of the second leg the call would continue in silence.
  if (mark?.kind === 'other_leg') return [{ kind: 'stream_ended', providerCallId: mark.providerCallId }];
  const { hangup_cause, sip_hangup_cause } = payload;
  const isTalkOver = AFTER_TALKS.has(hangup_cause ?? '');
  const status = isTalkOver
    ? 'completed'
    : refinedBySip(refinedByCause('failed', hangup_cause), sip_hangup_cause);
  const code = hangup_cause ?? null;
  return [report(told, status, { code, hungUpBy: isTalkOver ? whoHungUp(told) : null })];
}

/** The price of a call, sent once it is billed if the application is set up for that. Other currencies are ignored. */
function priced({ payload, providerCallId, dialRef }: Told): CarrierEvent[] {
  const { status, total_cost: cost, cost_parts: parts } = payload;
  const isInDollars = (parts ?? []).every(({ currency }) => (currency ?? 'USD').toUpperCase() === 'USD');
  const usd = readDollars(cost ?? null);
  if (usd === null || !isInDollars || status === 'error') return [];
  return [{ kind: 'priced', providerCallId, dialRef, usd }];
}

/** The side that hung up; the carrier names it `caller` or `callee`. */
function whoHungUp({ payload, dialRef }: Told): 'customer' | 'agent' | null {
  const source = payload.hangup_source;
  if (source !== 'caller' && source !== 'callee') return null;
  return (source === 'callee') === (dialRef !== null) ? 'customer' : 'agent';
}

/**
 * A result of answering-machine detection, or the end of a greeting. Only machines have a greeting, but if the detector
 * was not sure, it may have been a person.
 */
function machine({ payload, providerCallId, dialRef }: Told, isOfGreeting: boolean): CarrierEvent[] {
  const greetingEnded = isOfGreeting && payload.result !== 'not_sure';
  const answeredBy = greetingEnded ? 'machine' : (FOUND.get(payload.result ?? '') ?? 'unknown');
  return [{ kind: 'machine', providerCallId, dialRef, answeredBy, greetingEnded }];
}

/** The end of a stream, after which the call continues in silence unless it was transferred. */
function streamEnded({ providerCallId, mark }: Told): CarrierEvent[] {
  return mark?.kind === 'handed_over' ? [] : [{ kind: 'stream_ended', providerCallId }];
}

function report(
  { providerCallId, dialRef, at }: Told,
  status: CarrierStatus,
  end: { code: string | null; hungUpBy: 'customer' | 'agent' | null } = { code: null, hungUpBy: null },
): CarrierEvent {
  return { kind: 'report', report: { carrier: CARRIER, dialRef, providerCallId, status, ...end, at } };
}
