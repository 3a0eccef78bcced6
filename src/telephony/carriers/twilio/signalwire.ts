import { apiOptions, type CarrierDefinition } from '#telephony/wire/carrier-definition.js';
import { SIGNALWIRE } from '#telephony/markup/twiml.js';
import { splitSecrets } from '#telephony/wire/secrets.js';
import { verifySignalwireSignature } from './signalwire-signature.js';
import { TwilioApi } from './twilio-api.js';
import { createTwimlCodec } from './twiml-codec.js';
import { MEDIA_STREAM } from './media-stream.js';

/**
 * The carrier SignalWire, by its compatibility API: Twilio's API at an address of the customer's space. The definition
 * has its settings, and what differs from Twilio: signature, markup and transfers.
 */
export const signalwire: CarrierDefinition = {
  name: 'signalwire',
  settings: {
    PROJECT_ID: { docs: "SignalWire: the project's id.", fallback: null, required: true },
    API_TOKEN: {
      docs: "SignalWire: the project's API token.",
      fallback: null,
      required: true,
      secret: true,
    },
    SIGNING_KEY: {
      docs: 'SignalWire: the key that its requests are signed with (not the API token); several are separated by commas.',
      fallback: null,
      required: true,
      secret: true,
    },
    API_URL: {
      docs: 'SignalWire: address of the space, such as https://example.signalwire.com.',
      fallback: null,
      required: true,
    },
    CALLS_PER_SECOND: { docs: 'SignalWire: calls a second that the project may start.', fallback: '1' },
    MACHINE_DETECTION: {
      docs: 'SignalWire: whether it listens for answering machines (on or off).',
      fallback: 'on',
    },
  },
  stream: MEDIA_STREAM,
  codec: createTwimlCodec('signalwire', SIGNALWIRE),
  open(settings, { clock, http, publicUrl }) {
    const projectId = settings['PROJECT_ID']!;
    const signingKeys = splitSecrets(settings['SIGNING_KEY']!);
    return new TwilioApi(
      {
        carrier: 'signalwire',
        accountUrl: `${settings['API_URL']}/api/laml/2010-04-01/Accounts/${projectId}`,
        username: projectId,
        password: settings['API_TOKEN']!,
        ...apiOptions(settings),
        // The API that changes a call has no field for markup, only one for a URL.
        fetchesTransfers: true,
      },
      {
        clock,
        http,
        publicUrl,
        codec: signalwire.codec,
        verify: (request) => verifySignalwireSignature(request, signingKeys),
      },
    );
  },
};
