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
 * `call_status`, and what it means. The first word tells that the carrier has it, whatever became of its answer to us.
 */
const STATUSES = wordsOf<CarrierStatus>({
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
 * What machine detection has found. Its other words (`amd_error`, `amd_stopped`) find nobody; neither does
 * `amd_tone_detected`, because tones are listened for even when a person has been found.
 */
const FOUND = wordsOf<Pick<CarrierEvent & { kind: 'machine' }, 'answeredBy' | 'greetingEnded'>>({
  amd_human_detected: { answeredBy: 'human', greetingEnded: false },
  amd_machine_detected: { answeredBy: 'machine', greetingEnded: false },
  amd_machine_stopped_speaking: { answeredBy: 'machine', greetingEnded: true },
  amd_no_speech_detected: { answeredBy: 'unknown', greetingEnded: false },
  amd_decision_timeout: { answeredBy: 'unknown', greetingEnded: false },
});

const REFERENCE = /^dial_[0-9a-z]{26}$/;

/** What `call_status` and the answer of SIP mean together; null when they mean nothing yet, or nothing known. */
export function jambonzStatus(
  callStatus: string | undefined,
  sipStatus: string | undefined,
): CarrierStatus | null {
  const status = STATUSES.get(callStatus ?? '') ?? null;
  return status && refinedBySip(status, sipStatus);
}

/**
 * Reads what jambonz says: JSON, or the query of a GET, in snake case. Our reference is in the address, and in the
 * `tag` of the call, which comes back as `customerData`: calls placed with an application go to its own addresses.
 */
export function readJambonzRequest(
  kind: CarrierRequestKind,
  request: CarrierHttpRequest,
  addressRef: string | null,
): CarrierEvent[] {
  const fields = fieldsOf(request);
  const providerCallId = textOf(fields, 'call_sid') ?? callIdIn(fields);
  const isOurs = textOf(fields, 'direction') === 'outbound';
  const dialRef = addressRef ?? taggedReference(fields.json());
  // The other leg of a call that was handed over reports to the same address, as a call of its own.
  if (textOf(fields, 'parent_call_sid') !== null) return [];
  if (kind === 'incoming' && !isOurs) return [{ kind, providerCallId, ...numbersIn(fields) }];
  if (providerCallId === null) return [];
  switch (kind) {
    case 'incoming':
    case 'answer':
      return [{ kind: 'answered', providerCallId, dialRef }];
    case 'status':
      return reportOf(fields, { providerCallId, dialRef, at: request.receivedAt });
    case 'machine': {
      const found = FOUND.get(textOf(fields, 'type') ?? '');
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

/** `caller` is whoever is at the other end, also of a call that we have placed. */
function whoHungUp(written: string | undefined): 'customer' | 'agent' | null {
  if (written === 'caller') return 'customer';
  return written === 'jambonz' ? 'agent' : null;
}

function taggedReference(json: unknown): string | null {
  const tag = propertyOf(json, 'customerData') ?? propertyOf(json, 'customer_data');
  const reference = propertyOf(tag, 'dial_ref');
  return typeof reference === 'string' && REFERENCE.test(reference) ? reference : null;
}

function propertyOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

function textOf(fields: Fields, name: string): string | null {
  return fields.get(name)?.trim().replaceAll('\0', '').slice(0, 256) || null;
}

/** Words of a carrier by what they are; unlike a plain object, it knows no words of the language. */
function wordsOf<Meaning>(words: Readonly<Record<string, Meaning>>): ReadonlyMap<string, Meaning> {
  return new Map(Object.entries(words));
}
