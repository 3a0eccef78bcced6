import type { NotTaken } from '#test/support/emulators/phone-network.js';

/** The end of a call in Plivo's terms. */
export interface PlivoEnd {
  status: 'completed' | 'busy' | 'no-answer' | 'timeout' | 'failed' | 'cancel';
  code: number;
  name: string;
  cause: string;
  source: string;
}

function end(
  status: PlivoEnd['status'],
  code: number,
  name: string,
  cause: string,
  source: string,
): PlivoEnd {
  return { status, code, name, cause, source };
}

/** Ends of unanswered calls. Source: Plivo, "Hangup causes". */
export const NOT_TAKEN: Readonly<Record<NotTaken, PlivoEnd>> = {
  busy: end('busy', 3010, 'Busy Line', 'USER_BUSY', 'Carrier'),
  no_answer: end('timeout', 6010, 'Ring Timeout Reached', 'NO_ANSWER', 'Plivo'),
  rejected: end('busy', 3020, 'Rejected', 'CALL_REJECTED', 'Callee'),
  failed: end('failed', 2000, 'Invalid Destination Address', 'UNALLOCATED_NUMBER', 'Carrier'),
};
export const CANCELLED = end('cancel', 1000, 'Cancelled', 'ORIGINATOR_CANCEL', 'API Request');
export const BROKEN = end('failed', 7011, 'Error Reaching Answer URL', 'NORMAL_TEMPORARY_FAILURE', 'Error');
export const END_OF_XML = end('completed', 4010, 'End Of XML Instructions', 'NORMAL_CLEARING', 'Plivo');
export const REJECTED_BY_XML = end('busy', 3020, 'Rejected', 'CALL_REJECTED', 'Answer XML');

/** The end of an answered call. */
export function hungUp(source: 'Caller' | 'Callee' | 'API Request' | 'Answer XML'): PlivoEnd {
  return end('completed', 4000, 'Normal Hangup', 'NORMAL_CLEARING', source);
}
