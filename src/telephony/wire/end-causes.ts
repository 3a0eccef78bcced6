import type { CarrierStatus } from '#telephony/port/carrier.js';

/*
 * The statuses of ended calls, refined by SIP responses and hangup causes. Used by the codecs of all carriers but
 * Vonage.
 */

/**
 * The status by the final SIP response, which is often more specific than `failed` or `busy`. 487 is missing,
 * because it does not show which side withdrew the request. Sources: RFC 3261, 21; RFC 8197 (607); RFC 8688 (608).
 */
const SIP_RESPONSES: ReadonlyMap<string, CarrierStatus> = new Map([
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
 * The status by the hangup cause of Plivo and Telnyx, in lower case; often more specific than `failed` or `busy`.
 * Sources: ITU-T Q.850; Plivo, "Hangup causes"; Telnyx, "call.hangup".
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

/**
 * The statuses that a SIP response or a cause may refine: also `busy`, because carriers report it for rejected calls,
 * too.
 */
const REFINABLE: ReadonlySet<CarrierStatus> = new Set(['failed', 'busy']);

/** The status of a call with the SIP response (such as `486`) that ended it; unchanged if that says nothing more. */
export function refinedBySip(status: CarrierStatus, sipResponse: string | null | undefined): CarrierStatus {
  return REFINABLE.has(status) ? (SIP_RESPONSES.get(sipResponse ?? '') ?? status) : status;
}

/** The status of a call with its hangup cause (such as `USER_BUSY`); unchanged if that says nothing more. */
export function refinedByCause(status: CarrierStatus, cause: string | null | undefined): CarrierStatus {
  return REFINABLE.has(status) ? (CAUSE_NAMES.get(cause?.toLowerCase() ?? '') ?? status) : status;
}
