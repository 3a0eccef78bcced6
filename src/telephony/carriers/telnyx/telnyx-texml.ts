import { apiOptions, type CarrierDefinition } from '#telephony/wire/carrier-definition.js';
import { bodyKindOf } from '#telephony/wire/form-fields.js';
import { TELNYX, writeTwiml } from '#telephony/markup/twiml.js';
import { splitSecrets } from '#telephony/wire/secrets.js';
import { readTelnyxPublicKey, verifyTelnyxGet, verifyTelnyxSignature } from './telnyx-signature.js';
import { REFUSED } from '#telephony/port/verdict.js';
import { TelnyxClient } from './telnyx-client.js';
import { TexmlApi } from './texml-api.js';
import { readTexmlRequest } from './texml-callbacks.js';
import { TELNYX_STREAM } from './telnyx-stream.js';

/**
 * The URLs at which inbound calls are announced, by GET unless Telnyx's portal is configured to POST. Other requests
 * without a form are refused: the signature of a GET does not cover its URL.
 */
const INBOUND_URL = /^[^?#]*\/(voice|incoming)(?=[?#]|$)/;

/**
 * The carrier Telnyx with a TeXML application (Telnyx's copy of Twilio's interface): its settings, and the parts that
 * decode its form callbacks, write TeXML and read its audio streams. With Call Control, Telnyx is the carrier `telnyx`.
 */
export const telnyxTexml: CarrierDefinition = {
  name: 'telnyx_texml',
  settings: {
    API_KEY: {
      docs: 'TeXML of Telnyx: an API key of the account.',
      fallback: null,
      required: true,
      secret: true,
    },
    PUBLIC_KEY: {
      docs: 'TeXML of Telnyx: the public key that its requests are checked with, as the portal shows it; several are separated by commas.',
      fallback: null,
      required: true,
    },
    ACCOUNT_SID: { docs: 'TeXML of Telnyx: id of the account.', fallback: null, required: true },
    APPLICATION_SID: {
      docs: 'TeXML of Telnyx: id of the TeXML application; its webhooks are best sent with POST, all of which is signed.',
      fallback: null,
      required: true,
    },
    API_URL: { docs: 'TeXML of Telnyx: address of its API.', fallback: 'https://api.telnyx.com' },
    CALLS_PER_SECOND: { docs: 'TeXML of Telnyx: calls a second that the account may start.', fallback: '1' },
    MACHINE_DETECTION: {
      docs: 'TeXML of Telnyx: whether it listens for answering machines, which it charges for (on or off).',
      fallback: 'on',
    },
  },
  stream: TELNYX_STREAM,
  codec: {
    read: (kind, request, dialRef) => readTexmlRequest('telnyx_texml', kind, request, dialRef),
    write: (document) => writeTwiml(document, TELNYX),
  },
  open(settings, { clock, http, publicUrl }) {
    const publicKeys = splitSecrets(settings['PUBLIC_KEY']!).map(readTelnyxPublicKey);
    return new TexmlApi({
      clock,
      publicUrl,
      codec: telnyxTexml.codec,
      api: new TelnyxClient({ url: settings['API_URL']!, apiKey: settings['API_KEY']! }, http),
      verify(request) {
        // Call Control is signed with the same key, but its events belong to the carrier `telnyx`.
        if (bodyKindOf(request) === 'form') return verifyTelnyxSignature(request, publicKeys);
        return INBOUND_URL.test(request.url) ? verifyTelnyxGet(request, publicKeys) : REFUSED;
      },
      accountSid: settings['ACCOUNT_SID']!,
      applicationSid: settings['APPLICATION_SID']!,
      ...apiOptions(settings),
    });
  },
};
