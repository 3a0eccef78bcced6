import type { CarrierCodec } from '#telephony/port/carrier-webhooks.js';
import { writeTwiml, type TwimlVariant } from '#telephony/markup/twiml.js';
import { readTwimlRequest } from './twiml-callbacks.js';

/** The codec of Twilio-compatible carriers. */
export function createTwimlCodec(carrier: string, words: TwimlVariant): CarrierCodec {
  return {
    read: (kind, request, dialRef) => readTwimlRequest(carrier, kind, request, dialRef),
    write: (document) => writeTwiml(document, words),
  };
}
