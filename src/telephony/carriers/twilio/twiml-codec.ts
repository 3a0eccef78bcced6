import type { CarrierCodec } from '#telephony/port/carrier-webhooks.js';
import { writeTwiml, type TwimlVariant } from '#telephony/markup/twiml.js';
import { readTwimlRequest } from './twiml-callbacks.js';

/**
 * Makes the codec of a Twilio-compatible carrier: reads form callbacks and writes its variant of TwiML. Used by the
 * carriers `twilio`, `signalwire` and `generic`.
 */
export function createTwimlCodec(carrier: string, variant: TwimlVariant): CarrierCodec {
  return {
    read: (kind, request, dialRef) => readTwimlRequest(carrier, kind, request, dialRef),
    write: (document) => writeTwiml(document, variant),
  };
}
