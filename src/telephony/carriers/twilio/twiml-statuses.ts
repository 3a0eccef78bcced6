import type { CarrierStatus } from '#telephony/port/carrier.js';

/**
 * The meaning of the statuses of Twilio-compatible carriers, in callbacks and answers of the API. Even the first status
 * shows that the carrier has the call, whether or not the answer to the dial request arrived; the phone may ring much
 * later. Used by `TwilioApi`, `TexmlApi` and `readTwimlRequest`.
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
