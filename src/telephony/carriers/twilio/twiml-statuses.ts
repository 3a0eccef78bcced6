import type { CarrierStatus } from '#telephony/port/carrier.js';

/**
 * How a call stands in the words of Twilio and of those that copied it, in reports and in answers, and what it means.
 * The first word of a call tells that the carrier has it, whatever became of its answer to us; it may be long until a
 * phone rings.
 */
export const TWIML_STATUSES: ReadonlyMap<string, CarrierStatus> = new Map([
  ['queued', 'ringing'],
  ['initiated', 'ringing'],
  ['ringing', 'ringing'],
  ['in-progress', 'answered'],
  ['answered', 'answered'],
  ['completed', 'completed'],
  ['busy', 'busy'],
  ['no-answer', 'no_answer'],
  ['failed', 'failed'],
  ['canceled', 'cancelled'],
  ['cancelled', 'cancelled'],
]);
