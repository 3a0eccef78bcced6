import type { CarrierDefinition } from '#telephony/wire/carrier-definition.js';
import type { CarrierCodec } from '#telephony/port/carrier-webhooks.js';
import { generic } from '#telephony/carriers/twilio/generic.js';
import { jambonz } from '#telephony/carriers/jambonz/jambonz.js';
import { TWILIO } from '#telephony/markup/twiml.js';
import { plivo } from '#telephony/carriers/plivo/plivo.js';
import { signalwire } from '#telephony/carriers/twilio/signalwire.js';
import { telnyx } from '#telephony/carriers/telnyx/telnyx.js';
import { telnyxTexml } from '#telephony/carriers/telnyx/telnyx-texml.js';
import { twilio } from '#telephony/carriers/twilio/twilio.js';
import { createTwimlCodec } from '#telephony/carriers/twilio/twiml-codec.js';
import { vonage } from '#telephony/carriers/vonage/vonage.js';

/**
 * All carriers outside this process, for the settings, the composition root and the detection of audio streams. A new
 * one is a folder with its definition (settings, callbacks, stream, client) and one line here. It must pass
 * `test/contracts/carrier` against an emulator, which has one line in `test/support/emulators/tested-carriers.ts`.
 */
export const REMOTE_CARRIERS: readonly CarrierDefinition[] = [
  twilio,
  signalwire,
  telnyx,
  telnyxTexml,
  plivo,
  vonage,
  jambonz,
  generic,
];

/**
 * The codec of requests to `/webhook/<carrier>/…`, whether or not the carrier is configured. A carrier that is not in
 * the list is assumed to be compatible with Twilio.
 */
export function codecOf(carrier: string): CarrierCodec {
  const known = REMOTE_CARRIERS.find(({ name }) => name === carrier);
  return known?.codec ?? createTwimlCodec(carrier, TWILIO);
}
