import { apiOptions, type CarrierDefinition } from '#telephony/wire/carrier-definition.js';
import { TELNYX, writeTwiml } from '#telephony/markup/twiml.js';
import { splitSecrets } from '#telephony/wire/secrets.js';
import { readTelnyxPublicKey, verifyTelnyxSignature } from './telnyx-signature.js';
import { REFUSED } from '#telephony/port/verdict.js';
import { TelnyxCallControl } from './telnyx-call-control.js';
import { TelnyxClient } from './telnyx-client.js';
import { isTelnyxEvent, readTelnyxEvent } from './telnyx-events.js';
import { readTexmlRequest } from './texml-callbacks.js';
import { TELNYX_STREAM } from './telnyx-stream.js';

/**
 * The carrier Telnyx with a Voice API application (Call Control): its settings, and the parts that decode its JSON
 * events, send commands over the API and read its audio streams. A form at its webhook addresses is a TeXML callback
 * (Telnyx's copy of Twilio's interface): it is answered in TeXML if it has an API key of this service, and refused if
 * it is only signed by Telnyx.
 */
export const telnyx: CarrierDefinition = {
  name: 'telnyx',
  settings: {
    API_KEY: { docs: 'Telnyx: an API key of the account.', fallback: null, required: true, secret: true },
    PUBLIC_KEY: {
      docs: 'Telnyx: the public key that its requests are checked with, as the portal shows it; several are separated by commas.',
      fallback: null,
      required: true,
    },
    CONNECTION_ID: {
      docs: 'Telnyx: id of the Voice API application (Call Control) that calls are made with.',
      fallback: null,
      required: true,
    },
    API_URL: { docs: 'Telnyx: address of its API.', fallback: 'https://api.telnyx.com' },
    CALLS_PER_SECOND: { docs: 'Telnyx: calls a second that the account may start.', fallback: '1' },
    MACHINE_DETECTION: {
      docs: 'Telnyx: whether it listens for answering machines, which it charges for (on or off).',
      fallback: 'on',
    },
  },
  stream: TELNYX_STREAM,
  codec: {
    read: (kind, request, dialRef) =>
      isTelnyxEvent(request)
        ? readTelnyxEvent(request, dialRef)
        : readTexmlRequest('telnyx', kind, request, dialRef),
    write: (document) => writeTwiml(document, TELNYX),
    // Call Control ignores answers to events: markup is carried out over the API.
    followsAnswer: (request) => !isTelnyxEvent(request),
  },
  open(settings, { clock, http, publicUrl }) {
    const publicKeys = splitSecrets(settings['PUBLIC_KEY']!).map(readTelnyxPublicKey);
    return new TelnyxCallControl({
      clock,
      publicUrl,
      codec: telnyx.codec,
      api: new TelnyxClient({ url: settings['API_URL']!, apiKey: settings['API_KEY']! }, http),
      // TeXML is signed with the same key, but its forms belong to the carrier `telnyx_texml`.
      verify: (request) => (isTelnyxEvent(request) ? verifyTelnyxSignature(request, publicKeys) : REFUSED),
      connectionId: settings['CONNECTION_ID']!,
      ...apiOptions(settings),
    });
  },
};
