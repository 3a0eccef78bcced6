import type { CarrierDialect } from '#telephony/port/carrier-webhooks.js';
import { writeTwiml, type TwimlDialect } from '#telephony/markup/twiml.js';
import { readTwimlRequest } from './twiml-callbacks.js';

/** The words of carriers that speak as Twilio does. */
export function createTwimlDialect(carrier: string, words: TwimlDialect): CarrierDialect {
  return {
    read: (kind, request, dialRef) => readTwimlRequest(carrier, kind, request, dialRef),
    write: (document) => writeTwiml(document, words),
  };
}
