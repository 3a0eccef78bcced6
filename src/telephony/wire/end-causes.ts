import type { CarrierStatus } from '#telephony/port/carrier.js';

/**
 * Final SIP responses that are more specific than a failure or an unanswered call. 487 is missing: it does not tell
 * who withdrew the request. Sources: RFC 3261, 21; RFC 8197 (607); RFC 8688 (608).
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
 * Cause names of Plivo and Telnyx, in any case, that are more specific than a failure. Sources: ITU-T Q.850; Plivo,
 * "Hangup causes"; Telnyx, "call.hangup".
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

/** Statuses that leave the cause open: carriers report `busy` for rejected calls too. */
const OPEN: ReadonlySet<CarrierStatus> = new Set(['failed', 'busy']);

/** Refines a carrier's status by a SIP response (`486`). */
export function refinedBySip(status: CarrierStatus, answer: string | null | undefined): CarrierStatus {
  return OPEN.has(status) ? (SIP_ANSWERS.get(answer ?? '') ?? status) : status;
}

/** Refines a carrier's status by a cause name (`USER_BUSY`). */
export function refinedByCause(status: CarrierStatus, cause: string | null | undefined): CarrierStatus {
  return OPEN.has(status) ? (CAUSE_NAMES.get(cause?.toLowerCase() ?? '') ?? status) : status;
}
