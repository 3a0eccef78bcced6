import { z } from 'zod';
import type { CarrierHttpRequest, CarrierEvent } from '#telephony/port/carrier-webhooks.js';
import type { CarrierStatus } from '#telephony/port/carrier.js';
import { refinedByCause, refinedBySip } from '#telephony/wire/end-causes.js';
import { fieldsOf } from '#telephony/wire/form-fields.js';
import { readClientState, type ClientState } from './client-state.js';
import { readDollars } from '#telephony/wire/dollars.js';
import { toE164 } from '#telephony/wire/e164.js';

/** Decodes the webhooks of Telnyx's Call Control into events, as a part of the carrier `telnyx`. */

/** The carrier's name in reports. */
const CARRIER = 'telnyx';

/** A short text; anything else counts as missing. */
const word = z.string().max(256).nullish().catch(null);

/**
 * The fields of an event that are read. An event with a malformed name or call id is ignored; any other malformed field
 * counts as missing.
 */
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
const CAUSES_AFTER_ANSWER: ReadonlySet<string> = new Set(['normal_clearing', 'time_limit']);

/** The meaning of the results of standard and premium answering-machine detection; any other result is `unknown`. */
const DETECTION_RESULTS: ReadonlyMap<string, 'human' | 'machine' | 'fax'> = new Map([
  ['human', 'human'],
  ['human_residence', 'human'],
  ['human_business', 'human'],
  ['machine', 'machine'],
  ['fax_detected', 'fax'],
]);

/** An event, and its call. */
interface CallEvent {
  payload: Payload;
  providerCallId: string;
  /** Null for an inbound call. */
  dialRef: string | null;
  /** The state that the service has stored on the call. */
  clientState: ClientState | null;
  /** Epoch milliseconds. */
  at: number;
}

/** The decoders by event name; other events are ignored. */
const DECODERS: Readonly<Record<string, (event: CallEvent) => CarrierEvent[]>> = {
  'call.initiated': initiated,
  'call.answered': answered,
  'call.hangup': hungUp,
  'call.cost': priced,
  'call.machine.detection.ended': (event) => machine(event, false),
  'call.machine.premium.detection.ended': (event) => machine(event, false),
  'call.machine.greeting.ended': (event) => machine(event, true),
  'call.machine.premium.greeting.ended': (event) => machine(event, true),
  'streaming.stopped': streamEnded,
  'streaming.failed': streamEnded,
};

/** True if a request is an event of Call Control, whose fields are all below `data`, rather than a TeXML callback. */
export function isTelnyxEvent(request: CarrierHttpRequest): boolean {
  const json = fieldsOf(request).json();
  return typeof json === 'object' && json !== null && 'data' in json;
}

/**
 * Decodes an event of Call Control. All events of a call are sent to one URL, so the name of an event decides what it
 * means, not the kind of request in the URL. Source: Telnyx, "Voice API webhooks".
 * @param dialRef the dial reference in the URL; null if it has none
 */
export function readTelnyxEvent(request: CarrierHttpRequest, dialRef: string | null): CarrierEvent[] {
  const parsed = Event.safeParse(fieldsOf(request).json());
  if (!parsed.success) return [];
  const { event_type, occurred_at, payload } = parsed.data.data;
  const clientState = readClientState(payload.client_state ?? null);
  const occurredAt = Date.parse(occurred_at ?? '');
  const reference = dialRef ?? (clientState?.kind === 'dialled' ? clientState.dialRef : null);
  const providerCallId = payload.call_control_id ?? null;
  const isOtherLeg = clientState?.kind === 'other_leg';
  // Older accounts have `call_hangup` for `call.hangup`.
  const name = event_type.replaceAll('_', '.');
  // Of a transfer's second leg only the end matters.
  if (isOtherLeg && name !== 'call.hangup') return [];
  if (providerCallId === null) return [];
  const event: CallEvent = {
    payload,
    providerCallId,
    dialRef: reference,
    clientState,
    at: Number.isNaN(occurredAt) ? request.receivedAt : occurredAt,
  };
  return Object.hasOwn(DECODERS, name) ? DECODERS[name]!(event) : [];
}

/** A new call. There is no event for ringing: `call.initiated` is the only event before the answer. */
function initiated(event: CallEvent): CarrierEvent[] {
  const { payload, providerCallId, dialRef } = event;
  if (dialRef !== null) return [report(event, 'ringing')];
  if (payload.direction !== 'incoming') return [];
  return [{ kind: 'incoming', providerCallId, from: toE164(payload.from), to: toE164(payload.to) }];
}

/** An outbound call was answered. For an inbound call the event only confirms the service's own answer. */
function answered(event: CallEvent): CarrierEvent[] {
  const { providerCallId, dialRef } = event;
  if (dialRef === null) return [];
  return [{ kind: 'answered', providerCallId, dialRef }, report(event, 'answered')];
}

/** The end of a call, or of the second leg of a transfer. */
function hungUp(event: CallEvent): CarrierEvent[] {
  const { payload, clientState } = event;
  // After the end of the second leg the call would continue in silence.
  if (clientState?.kind === 'other_leg')
    return [{ kind: 'stream_ended', providerCallId: clientState.providerCallId }];
  const { hangup_cause, sip_hangup_cause } = payload;
  const wasAnswered = CAUSES_AFTER_ANSWER.has(hangup_cause ?? '');
  const status = wasAnswered
    ? 'completed'
    : refinedBySip(refinedByCause('failed', hangup_cause), sip_hangup_cause);
  const code = hangup_cause ?? null;
  return [report(event, status, { code, hungUpBy: wasAnswered ? whoHungUp(event) : null })];
}

/** The price of a call, sent once it is billed if the application is set up for that. Other currencies are ignored. */
function priced({ payload, providerCallId, dialRef }: CallEvent): CarrierEvent[] {
  const { status, total_cost: cost, cost_parts: parts } = payload;
  const isInDollars = (parts ?? []).every(({ currency }) => (currency ?? 'USD').toUpperCase() === 'USD');
  const usd = readDollars(cost ?? null);
  if (usd === null || !isInDollars || status === 'error') return [];
  return [{ kind: 'priced', providerCallId, dialRef, usd }];
}

/** The side that hung up, which Telnyx names `caller` or `callee`: the customer is the callee of an outbound call. */
function whoHungUp({ payload, dialRef }: CallEvent): 'customer' | 'agent' | null {
  const source = payload.hangup_source;
  if (source !== 'caller' && source !== 'callee') return null;
  return (source === 'callee') === (dialRef !== null) ? 'customer' : 'agent';
}

/**
 * A result of answering-machine detection, or the end of a greeting. The end of a greeting means a machine, unless the
 * detector was not sure: then a person may have spoken.
 */
function machine({ payload, providerCallId, dialRef }: CallEvent, isEndOfGreeting: boolean): CarrierEvent[] {
  const greetingEnded = isEndOfGreeting && payload.result !== 'not_sure';
  const answeredBy = greetingEnded ? 'machine' : (DETECTION_RESULTS.get(payload.result ?? '') ?? 'unknown');
  return [{ kind: 'machine', providerCallId, dialRef, answeredBy, greetingEnded }];
}

/** The end of a stream, after which the call continues in silence unless it was transferred. */
function streamEnded({ providerCallId, clientState }: CallEvent): CarrierEvent[] {
  return clientState?.kind === 'handed_over' ? [] : [{ kind: 'stream_ended', providerCallId }];
}

/** The report of a status. @param end the cause and the side that hung up, for the end of a call */
function report(
  { providerCallId, dialRef, at }: CallEvent,
  status: CarrierStatus,
  end: { code: string | null; hungUpBy: 'customer' | 'agent' | null } = { code: null, hungUpBy: null },
): CarrierEvent {
  return { kind: 'report', report: { carrier: CARRIER, dialRef, providerCallId, status, ...end, at } };
}
