import type { CarrierDefinition } from '#telephony/wire/carrier-definition.js';
import { TWILIO } from '#telephony/markup/twiml.js';
import { splitSecrets } from '#telephony/wire/secrets.js';
import { verifyTwilioSignature } from './twilio-signature.js';
import { TwilioApi } from './twilio-api.js';
import { createTwimlCodec } from './twiml-codec.js';
import { MEDIA_STREAM } from './media-stream.js';

/**
 * The carrier `generic`: any carrier or switch with Twilio's API, callbacks, signature and media streams, at an address
 * that the operator sets.
 */
export const generic: CarrierDefinition = {
  name: 'generic',
  settings: {
    API_URL: {
      docs: 'A carrier that speaks as Twilio does: the address below which its Calls.json lies.',
      fallback: null,
      required: true,
    },
    USERNAME: {
      docs: 'A carrier that speaks as Twilio does: the user name of its API.',
      fallback: null,
      required: true,
    },
    PASSWORD: {
      docs: 'A carrier that speaks as Twilio does: the password of its API.',
      fallback: null,
      required: true,
      secret: true,
    },
    SIGNING_KEY: {
      docs: 'A carrier that speaks as Twilio does: the key of X-Twilio-Signature; several are separated by commas.',
      fallback: null,
      required: true,
      secret: true,
    },
    CALLS_PER_SECOND: {
      docs: 'A carrier that speaks as Twilio does: calls a second that may be started.',
      fallback: '1',
    },
  },
  stream: MEDIA_STREAM,
  codec: createTwimlCodec('generic', TWILIO),
  open(settings, { clock, http, publicUrl }) {
    const signingKeys = splitSecrets(settings['SIGNING_KEY']!);
    return new TwilioApi(
      {
        carrier: 'generic',
        accountUrl: settings['API_URL']!,
        username: settings['USERNAME']!,
        password: settings['PASSWORD']!,
        callsPerSecond: Number(settings['CALLS_PER_SECOND']),
        // Not every API like Twilio's has answering-machine detection.
        detectsMachines: false,
        // The request for a transfer contains its markup.
        fetchesTransfers: false,
      },
      {
        clock,
        http,
        publicUrl,
        codec: generic.codec,
        verify: (request) => verifyTwilioSignature(request, signingKeys),
      },
    );
  },
};
