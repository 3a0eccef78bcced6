import { apiOptions, type CarrierDefinition } from '#telephony/wire/carrier-definition.js';
import { TWILIO } from '#telephony/markup/twiml.js';
import { splitSecrets } from '#telephony/wire/secrets.js';
import { verifyTwilioSignature } from './twilio-signature.js';
import { TwilioApi } from './twilio-api.js';
import { createTwimlCodec } from './twiml-codec.js';
import { MEDIA_STREAM } from './media-stream.js';

/**
 * The carrier Twilio: its settings, and the parts that decode its form callbacks, write TwiML (call-control markup) and
 * read its Media Streams.
 */
export const twilio: CarrierDefinition = {
  name: 'twilio',
  settings: {
    ACCOUNT_SID: { docs: "Twilio: the account's SID (AC…).", fallback: null, required: true },
    AUTH_TOKEN: {
      docs: "Twilio: the account's auth token; while it is being changed, the new and the old one, separated by a comma.",
      fallback: null,
      required: true,
      secret: true,
    },
    API_URL: { docs: 'Twilio: address of its REST API.', fallback: 'https://api.twilio.com' },
    CALLS_PER_SECOND: { docs: 'Twilio: calls a second that the account may start.', fallback: '1' },
    MACHINE_DETECTION: {
      docs: 'Twilio: whether it listens for answering machines, which it charges for (on or off).',
      fallback: 'on',
    },
  },
  stream: MEDIA_STREAM,
  codec: createTwimlCodec('twilio', TWILIO),
  open(settings, { clock, http, publicUrl }) {
    const accountSid = settings['ACCOUNT_SID']!;
    const authTokens = splitSecrets(settings['AUTH_TOKEN']!);
    return new TwilioApi(
      {
        carrier: 'twilio',
        accountUrl: `${settings['API_URL']}/2010-04-01/Accounts/${accountSid}`,
        username: accountSid,
        // The new token, while it replaces the old one.
        password: authTokens[0]!,
        ...apiOptions(settings),
        fetchesTransfers: false,
      },
      {
        clock,
        http,
        publicUrl,
        codec: twilio.codec,
        verify: (request) => verifyTwilioSignature(request, authTokens),
      },
    );
  },
};
