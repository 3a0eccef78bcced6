import type { StreamProtocol } from '#media/protocols/stream-protocol.js';
import type { Json } from '#media/protocols/carrier-fields.js';
import { createJambonzStream, isJambonzMetadata } from '#telephony/carriers/jambonz/jambonz-stream.js';
import { createMediaStream, isMediaStream } from '#telephony/carriers/twilio/media-stream.js';
import { createPlivoStream, isPlivoStart } from '#telephony/carriers/plivo/plivo-stream.js';
import { createTelnyxStream, isTelnyxStart } from '#telephony/carriers/telnyx/telnyx-stream.js';
import { createVonageStream, isVonageConnected } from '#telephony/carriers/vonage/vonage-stream.js';

/** A protocol of carriers, and the message by which it is recognised. */
export interface CarrierProtocol {
  recognises(json: Json): boolean;
  create(): StreamProtocol;
}

/** All that carriers speak. The first that recognises a message is taken; the last one takes whatever is left. */
export const CARRIER_PROTOCOLS: readonly CarrierProtocol[] = [
  { recognises: isVonageConnected, create: createVonageStream },
  { recognises: isJambonzMetadata, create: createJambonzStream },
  { recognises: isTelnyxStart, create: createTelnyxStream },
  { recognises: isPlivoStart, create: createPlivoStream },
  { recognises: isMediaStream, create: createMediaStream },
];

/** Several carriers greet with `connected`; only the `start` that follows tells which of them it is. */
export function isGreeting(json: Json): boolean {
  return json['event'] === 'connected';
}

/** Whether a message is the beginning of a carrier's stream. */
export function isOfCarrier(json: Json): boolean {
  return isGreeting(json) || CARRIER_PROTOCOLS.some(({ recognises }) => recognises(json));
}
