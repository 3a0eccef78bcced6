import type { CarrierStatus } from '#telephony/port/carrier.js';

/**
 * Statuses of Twilio-compatible carriers, in callbacks and answers. Even the first status shows that the carrier has
 * the call, whether or not its answer arrived; a phone may ring much later.
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
