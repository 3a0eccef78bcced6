import type { CarrierDefinition } from './wire/carrier-definition.js';
import type { CarrierDialect } from './port/carrier-webhooks.js';
import { generic } from './twilio/generic.js';
import { jambonz } from './jambonz/jambonz.js';
import { TWILIO } from './markup/twiml.js';
import { plivo } from './plivo/plivo.js';
import { signalwire } from './twilio/signalwire.js';
import { telnyx } from './telnyx/telnyx.js';
import { telnyxTexml } from './telnyx/telnyx-texml.js';
import { twilio } from './twilio/twilio.js';
import { createTwimlDialect } from './twilio/twiml-dialect.js';
import { vonage } from './vonage/vonage.js';

/**
 * Every carrier outside of this process. A new one is a file with its definition and one line here; it must pass
 * `test/contracts/carrier` against an emulator of its network.
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

/** The words of whoever sends a request to `/webhook/<carrier>/…`; those whom nobody knows speak as Twilio does. */
export function dialectOf(carrier: string): CarrierDialect {
  const known = REMOTE_CARRIERS.find(({ name }) => name === carrier);
  return known?.dialect ?? createTwimlDialect(carrier, TWILIO);
}
