import { z } from 'zod';
import type { CarrierHttpRequest, CarrierEvent } from '#telephony/port/carrier-webhooks.js';
import type { CarrierStatus } from '#telephony/port/carrier.js';
import { refinedByCause, refinedBySip } from '#telephony/wire/end-causes.js';
import { fieldsOf } from '#telephony/wire/form-fields.js';
import { readMark, type CallMark } from './telnyx-marks.js';
import { readTelnyxRecording } from './telnyx-recordings.js';
import { readDollars } from '#telephony/wire/dollars.js';
import { readNumber } from '#telephony/wire/written-number.js';

const CARRIER = 'telnyx';

const word = z.string().max(256).nullish().catch(null);

/** As much of an event as is looked at; the rest may be anything. */
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

/** `hangup_cause` of calls that somebody had picked up; every other one is of a call that reached nobody. */
const AFTER_TALKS: ReadonlySet<string> = new Set(['normal_clearing', 'time_limit']);

/** What detection of answering machines, plain and premium, finds. */
const FOUND: ReadonlyMap<string, 'human' | 'machine' | 'fax'> = new Map([
  ['human', 'human'],
  ['human_residence', 'human'],
  ['human_business', 'human'],
  ['machine', 'machine'],
  ['fax_detected', 'fax'],
]);

/** An event, and what is known of the call that it is about. */
interface Told {
  payload: Payload;
  providerCallId: string;
  dialRef: string | null;
  mark: CallMark | null;
  at: number;
}

/** What events mean, by their names; the others are nothing to us. */
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

/** Whether a request is an event at all: they have everything below `data`. */
export function isTelnyxEvent(request: CarrierHttpRequest): boolean {
  const json = fieldsOf(request).json();
  return typeof json === 'object' && json !== null && 'data' in json;
}

/**
 * Reads an event of Call Control. An application has one address for all events, and calls of ours have one of their
 * own: so what an event is about is told by itself, never by its address.
 * Source: Telnyx, "Voice API webhooks"; older accounts write event names with underscores.
 */
export function readTelnyxEvent(request: CarrierHttpRequest, dialRef: string | null): CarrierEvent[] {
  const event = Event.safeParse(fieldsOf(request).json());
  if (!event.success) return [];
  const { event_type, occurred_at, payload } = event.data.data;
  const mark = readMark(payload.client_state ?? null);
  const occurredAt = Date.parse(occurred_at ?? '');
  const reference = dialRef ?? (mark?.kind === 'dialled' ? mark.dialRef : null);
  const providerCallId = payload.call_control_id ?? null;
  // Of the line to whom a call was handed over to, only the end concerns us.
  const isOtherLeg = mark?.kind === 'other_leg';
  const name = event_type.replaceAll('_', '.');
  if (isOtherLeg && name !== 'call.hangup') return [];
  if (name.startsWith('call.recording.'))
    return readTelnyxRecording(request, { providerCallId, dialRef: reference });
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

/** There is no event for ringing: that the call has begun is all that is told before somebody picks up. */
function initiated(told: Told): CarrierEvent[] {
  const { payload, providerCallId, dialRef } = told;
  if (dialRef !== null) return [report(told, 'ringing')];
  if (payload.direction !== 'incoming') return [];
  return [{ kind: 'incoming', providerCallId, from: readNumber(payload.from), to: readNumber(payload.to) }];
}

/** Of a call that came in, it only says that we have answered it. */
function answered(told: Told): CarrierEvent[] {
  const { providerCallId, dialRef } = told;
  if (dialRef === null) return [];
  return [{ kind: 'answered', providerCallId, dialRef }, report(told, 'answered')];
}

function hungUp(told: Told): CarrierEvent[] {
  const { payload, mark } = told;
  // A call whose other line is gone, or never came about, would be left in silence.
  if (mark?.kind === 'other_leg') return [{ kind: 'stream_ended', providerCallId: mark.providerCallId }];
  const { hangup_cause, sip_hangup_cause } = payload;
  const isTalkOver = AFTER_TALKS.has(hangup_cause ?? '');
  const status = isTalkOver
    ? 'completed'
    : refinedBySip(refinedByCause('failed', hangup_cause), sip_hangup_cause);
  const code = hangup_cause ?? null;
  return [report(told, status, { code, hungUpBy: isTalkOver ? whoHungUp(told) : null })];
}

/** Told where the application asks for it, once the call is billed. Another currency is not known in dollars. */
function priced({ payload, providerCallId, dialRef }: Told): CarrierEvent[] {
  const { status, total_cost: cost, cost_parts: parts } = payload;
  const isInDollars = (parts ?? []).every(({ currency }) => (currency ?? 'USD').toUpperCase() === 'USD');
  const usd = readDollars(cost ?? null);
  if (usd === null || !isInDollars || status === 'error') return [];
  return [{ kind: 'priced', providerCallId, dialRef, usd }];
}

/** The carrier tells the side that called from the one that was called. */
function whoHungUp({ payload, dialRef }: Told): 'customer' | 'agent' | null {
  const source = payload.hangup_source;
  if (source !== 'caller' && source !== 'callee') return null;
  return (source === 'callee') === (dialRef !== null) ? 'customer' : 'agent';
}

/** Only machines greet to an end; a detector that was not sure of one may have listened to a person. */
function machine({ payload, providerCallId, dialRef }: Told, isOfGreeting: boolean): CarrierEvent[] {
  const greetingEnded = isOfGreeting && payload.result !== 'not_sure';
  const answeredBy = greetingEnded ? 'machine' : (FOUND.get(payload.result ?? '') ?? 'unknown');
  return [{ kind: 'machine', providerCallId, dialRef, answeredBy, greetingEnded }];
}

/** A call outlives its stream, in silence. */
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
