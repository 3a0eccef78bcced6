import type {
  CarrierHttpRequest,
  CarrierEvent,
  CarrierRequestKind,
} from '#telephony/port/carrier-webhooks.js';
import type { CarrierStatus } from '#telephony/port/carrier.js';
import { refinedBySip } from '#telephony/wire/end-causes.js';
import { callIdIn, numbersIn } from '#telephony/wire/call-fields.js';
import { fieldsOf, type Fields } from '#telephony/wire/form-fields.js';
import { readTransfer } from '#telephony/wire/transfer-address.js';

/**
 * The meaning of `call_status`. The statuses before ringing count as `ringing`, too: they show that the carrier has the
 * call, even if the answer to the dial request was lost.
 */
const STATUSES = toMap<CarrierStatus>({
  queued: 'ringing',
  trying: 'ringing',
  ringing: 'ringing',
  'early-media': 'ringing',
  'in-progress': 'answered',
  completed: 'completed',
  busy: 'busy',
  'no-answer': 'no_answer',
  failed: 'failed',
});

/**
 * The meaning of the events of answering-machine detection. `amd_error` and `amd_stopped` are missing because they have
 * no result; `amd_tone_detected`, because tones are detected even after a person was.
 */
const DETECTION_EVENTS = toMap<Pick<CarrierEvent & { kind: 'machine' }, 'answeredBy' | 'greetingEnded'>>({
  amd_human_detected: { answeredBy: 'human', greetingEnded: false },
  amd_machine_detected: { answeredBy: 'machine', greetingEnded: false },
  amd_machine_stopped_speaking: { answeredBy: 'machine', greetingEnded: true },
  amd_no_speech_detected: { answeredBy: 'unknown', greetingEnded: false },
  amd_decision_timeout: { answeredBy: 'unknown', greetingEnded: false },
});

/** The form of a dial reference, by which the service names an attempt to dial. */
const REFERENCE = /^dial_[0-9a-z]{26}$/;

/** The status of a call by `call_status` and its SIP response; null if it is missing or unknown. */
export function jambonzStatus(
  callStatus: string | undefined,
  sipStatus: string | undefined,
): CarrierStatus | null {
  const status = STATUSES.get(callStatus ?? '') ?? null;
  return status && refinedBySip(status, sipStatus);
}

/**
 * Decodes a webhook of jambonz into events, for `CarrierWebhookDispatcher`: JSON, or the query of a GET, with field
 * names in snake case. The dial reference is in the URL, and in the call's `tag`, which jambonz returns as
 * `customerData`: webhooks of calls with an application go to the application's own URLs, which have no reference.
 */
export function readJambonzRequest(
  kind: CarrierRequestKind,
  request: CarrierHttpRequest,
  addressRef: string | null,
): CarrierEvent[] {
  const fields = fieldsOf(request);
  const providerCallId = textOf(fields, 'call_sid') ?? callIdIn(fields);
  // A webhook for calls of an application is `incoming` by its address, even for a call that the service placed.
  const isOutbound = textOf(fields, 'direction') === 'outbound';
  const dialRef = addressRef ?? taggedReference(fields.json());
  // The second leg of a transferred call reports to the same URL as a separate call.
  if (textOf(fields, 'parent_call_sid') !== null) return [];
  if (kind === 'incoming' && !isOutbound) return [{ kind, providerCallId, ...numbersIn(fields) }];
  if (providerCallId === null) return [];
  switch (kind) {
    case 'incoming':
    case 'answer':
      return [{ kind: 'answered', providerCallId, dialRef }];
    case 'status':
      return reportOf(fields, { providerCallId, dialRef, at: request.receivedAt });
    case 'machine': {
      const found = DETECTION_EVENTS.get(textOf(fields, 'type') ?? '');
      return found ? [{ kind, providerCallId, dialRef, ...found }] : [];
    }
    case 'stream-ended':
      return [{ kind: 'stream_ended', providerCallId }];
    case 'transfer':
      return readTransfer(request, providerCallId);
    case 'stream-status':
    case 'recording':
      return [];
  }
}

/** The report of a status; empty for an unknown status. */
function reportOf(
  fields: Fields,
  call: { providerCallId: string; dialRef: string | null; at: number },
): CarrierEvent[] {
  const code = textOf(fields, 'sip_status');
  const status = jambonzStatus(fields.get('call_status'), code ?? undefined);
  if (status === null) return [];
  const hungUpBy = status === 'completed' ? whoHungUp(fields.get('call_termination_by')) : null;
  return [{ kind: 'report', report: { carrier: 'jambonz', ...call, status, code, hungUpBy } }];
}

/** The side that hung up; null if unknown. `caller` is the far end, even for an outbound call. */
function whoHungUp(terminatedBy: string | undefined): 'customer' | 'agent' | null {
  if (terminatedBy === 'caller') return 'customer';
  return terminatedBy === 'jambonz' ? 'agent' : null;
}

/** The dial reference in the call's tag; null if there is none. */
function taggedReference(json: unknown): string | null {
  const tag = propertyOf(json, 'customerData') ?? propertyOf(json, 'customer_data');
  const reference = propertyOf(tag, 'dial_ref');
  return typeof reference === 'string' && REFERENCE.test(reference) ? reference : null;
}

function propertyOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

/** A field as a text of at most 256 characters without zero bytes; null if it is missing or empty. */
function textOf(fields: Fields, name: string): string | null {
  return fields.get(name)?.trim().replaceAll('\0', '').slice(0, 256) || null;
}

/** An object as a map: unlike an object, it has no inherited keys, such as `constructor`, that a request could name. */
function toMap<Meaning>(words: Readonly<Record<string, Meaning>>): ReadonlyMap<string, Meaning> {
  return new Map(Object.entries(words));
}
