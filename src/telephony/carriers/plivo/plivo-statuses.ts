import type { CarrierStatus } from '#telephony/port/carrier.js';
import { refinedByCause } from '#telephony/wire/end-causes.js';
import type { Fields } from '#telephony/wire/form-fields.js';

// The statuses and hangup causes of Plivo in the service's terms, for its callbacks (`readPlivoRequest`) and its API
// (`PlivoApi`).

/** The meaning of `CallStatus`. `timeout`: the ring timeout of the dial request, or a network that does not answer. */
const STATUSES: ReadonlyMap<string, CarrierStatus> = new Map([
  ['queued', 'ringing'],
  ['initiated', 'ringing'],
  ['ringing', 'ringing'],
  ['in-progress', 'answered'],
  ['completed', 'completed'],
  ['busy', 'busy'],
  ['no-answer', 'no_answer'],
  ['timeout', 'timeout'],
  ['cancel', 'cancelled'],
  ['canceled', 'cancelled'],
  ['cancelled', 'cancelled'],
  ['failed', 'failed'],
  ['rejected', 'rejected'],
]);

/** Hangup cause codes that are more specific than the status; other codes leave the status as it is. */
const CAUSE_CODES: ReadonlyMap<string, CarrierStatus> = new Map([
  // Cancelled by the API before an answer.
  ['1000', 'cancelled'],
  ['2000', 'invalid_number'],
  ['2010', 'invalid_number'],
  ['3000', 'no_answer'],
  ['3010', 'busy'],
  ['3020', 'rejected'],
  ['6010', 'no_answer'],
]);

/**
 * Final statuses that a hangup cause code can refine. The name of a cause can refine only some; see `refinedByCause`.
 */
const REFINED_BY_CAUSE: ReadonlySet<CarrierStatus> = new Set([
  'completed',
  'busy',
  'no_answer',
  'cancelled',
  'failed',
]);

/** The hangup cause code of a call that ended because the service's markup ended, with or without a hang-up element. */
const END_OF_DOCUMENT = '4010';

/** The state of a call in Plivo's terms. */
export interface PlivoState {
  /** `CallStatus`. */
  status: string | null;
  /** `HangupCauseCode`. */
  code: string | null;
  /** `HangupCause`, such as `USER_BUSY`. */
  cause: string | null;
}

/**
 * The meaning of a state; null for an unknown status. The cause code counts before the name of the cause. The ring
 * timeout stays `timeout`, whatever the cause. Source: Plivo, "What do the different call statuses mean" and "Hangup
 * causes".
 */
export function statusOf({ status: callStatus, code, cause }: PlivoState): CarrierStatus | null {
  const status = STATUSES.get(callStatus?.toLowerCase() ?? '');
  if (status === undefined) return null;
  if (!REFINED_BY_CAUSE.has(status)) return status;
  const byCode = CAUSE_CODES.get(code ?? '');
  return byCode ?? refinedByCause(status, cause);
}

/** The status of an ended call from its detail record: `completed` if it was answered, else by its hangup code. */
export function statusOfRecord({
  code,
  wasAnswered,
}: {
  code: string | null;
  wasAnswered: boolean;
}): CarrierStatus {
  return wasAnswered ? 'completed' : (CAUSE_CODES.get(code ?? '') ?? 'failed');
}

/**
 * The side that hung up. `agent`: the service, by markup or API. `customer`: the caller of an inbound call or the
 * callee of an outbound call. Null if Plivo ended the call itself, or names no side that is possible.
 */
export function whoHungUp(fields: Pick<Fields, 'get'>, isOutbound: boolean): 'customer' | 'agent' | null {
  switch (fields.get('HangupSource')?.toLowerCase()) {
    case 'answer xml':
    case 'api request':
      return 'agent';
    case 'plivo':
      return fields.get('HangupCauseCode') === END_OF_DOCUMENT ? 'agent' : null;
    case 'caller':
      return isOutbound ? null : 'customer';
    case 'callee':
    case 'call recipient':
      return isOutbound ? 'customer' : null;
    default:
      return null;
  }
}
