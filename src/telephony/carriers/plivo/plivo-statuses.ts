import type { CarrierStatus } from '#telephony/port/carrier.js';
import { refinedByCause } from '#telephony/wire/end-causes.js';
import type { Fields } from '#telephony/wire/form-fields.js';

/** `CallStatus`, and what it means; `timeout` is our own ring time-out, or a network that does not answer. */
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

/** Codes of ends that say more than `failed`, `busy` or `cancel` do; the others leave it at the status. */
const CAUSE_CODES: ReadonlyMap<string, CarrierStatus> = new Map([
  // By the API, before anybody had picked up.
  ['1000', 'cancelled'],
  ['2000', 'invalid_number'],
  ['2010', 'invalid_number'],
  ['3000', 'no_answer'],
  ['3010', 'busy'],
  ['3020', 'rejected'],
  ['6010', 'no_answer'],
]);

/** Statuses after which nothing follows, and whose cause says more. */
const OVER_BY_A_CAUSE: ReadonlySet<CarrierStatus> = new Set([
  'completed',
  'busy',
  'no_answer',
  'cancelled',
  'failed',
]);

/** The documents that we give end with an element that hangs up, or simply end. */
const END_OF_DOCUMENT = '4010';

/** How a call stands, in Plivo's words. */
export interface PlivoState {
  /** `CallStatus`. */
  status: string | null;
  /** `HangupCauseCode`. */
  code: string | null;
  /** `HangupCause`, such as `USER_BUSY`. */
  cause: string | null;
}

/**
 * What a state means; null when nobody knows its status. Our own ring time-out comes as `timeout`, whatever its cause.
 * Source: Plivo, "What do the different call statuses mean" and "Hangup causes".
 */
export function statusOf({ status: written, code, cause }: PlivoState): CarrierStatus | null {
  const status = STATUSES.get(written?.toLowerCase() ?? '');
  if (status === undefined) return null;
  if (!OVER_BY_A_CAUSE.has(status)) return status;
  const byCode = CAUSE_CODES.get(code ?? '');
  return byCode ?? refinedByCause(status, cause);
}

/** The status of a call that is over, by the code of its end alone; a talk ends with one that is not in the table. */
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
 * Who hung up a talk: us with a document or a request, or the other end, which is the caller of a call that came in and
 * the callee of one of ours. Null where Plivo does not say, or ended it itself.
 */
export function hungUpBy(fields: Pick<Fields, 'get'>, isOutbound: boolean): 'customer' | 'agent' | null {
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
