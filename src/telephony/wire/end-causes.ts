import type { CarrierStatus } from '#telephony/port/carrier.js';

/**
 * Final answers of SIP that say more than that a call failed, or that nobody took it. 487 is not among them: it tells
 * that the request was withdrawn, not by whom. Source: RFC 3261, 21; RFC 8197 (607); RFC 8688 (608).
 */
const SIP_ANSWERS: ReadonlyMap<string, CarrierStatus> = new Map([
  ['403', 'rejected'],
  ['404', 'invalid_number'],
  ['408', 'no_answer'],
  ['410', 'invalid_number'],
  ['480', 'no_answer'],
  ['484', 'invalid_number'],
  ['486', 'busy'],
  ['600', 'busy'],
  ['603', 'rejected'],
  ['604', 'invalid_number'],
  ['607', 'rejected'],
  ['608', 'rejected'],
]);

/**
 * Names of causes that say more than that a call failed, as Plivo and Telnyx write them: in capitals or not. Source:
 * ITU-T Q.850, in the words of the telephone exchanges; Plivo, "Hangup causes"; Telnyx, "call.hangup".
 */
const CAUSE_NAMES: ReadonlyMap<string, CarrierStatus> = new Map([
  ['user_busy', 'busy'],
  ['busy', 'busy'],
  ['no_answer', 'no_answer'],
  ['no_user_response', 'no_answer'],
  ['timeout', 'timeout'],
  ['call_rejected', 'rejected'],
  ['not_found', 'invalid_number'],
  ['unallocated_number', 'invalid_number'],
  ['invalid_number_format', 'invalid_number'],
  ['number_changed', 'invalid_number'],
  ['originator_cancel', 'cancelled'],
]);

/** Statuses that leave open why nobody was reached: carriers say `busy` of calls that were rejected, too. */
const OPEN: ReadonlySet<CarrierStatus> = new Set(['failed', 'busy']);

/** What the carrier says of a call, or what the answer of SIP (`486`) says where that is more. */
export function refinedBySip(status: CarrierStatus, answer: string | null | undefined): CarrierStatus {
  return OPEN.has(status) ? (SIP_ANSWERS.get(answer ?? '') ?? status) : status;
}

/** What the carrier says of a call, or what the name of its cause (`USER_BUSY`) says where that is more. */
export function refinedByCause(status: CarrierStatus, cause: string | null | undefined): CarrierStatus {
  return OPEN.has(status) ? (CAUSE_NAMES.get(cause?.toLowerCase() ?? '') ?? status) : status;
}
