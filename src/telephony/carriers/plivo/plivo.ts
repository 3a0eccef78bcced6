import { apiOptions, type CarrierDefinition } from '#telephony/wire/carrier-definition.js';
import { writePlivoXml } from './plivo-xml.js';
import { PlivoApi } from './plivo-api.js';
import { PLIVO, readPlivoRequest } from './plivo-callbacks.js';
import { splitSecrets } from '#telephony/wire/secrets.js';
import { verifyPlivoSignature } from './plivo-signature.js';
import { PLIVO_STREAM } from './plivo-stream.js';

/**
 * The carrier Plivo: its settings, and the parts that verify and decode its form callbacks, write Plivo XML (its
 * call-control markup), and decode and encode its audio streams.
 */
export const plivo: CarrierDefinition = {
  name: PLIVO,
  settings: {
    AUTH_ID: { docs: "Plivo: the account's Auth ID (MA… or SA…).", fallback: null, required: true },
    AUTH_TOKEN: {
      docs: "Plivo: the account's Auth Token; while it is being changed, the new and the old one, separated by a comma.",
      fallback: null,
      required: true,
      secret: true,
    },
    API_URL: { docs: 'Plivo: address of its REST API.', fallback: 'https://api.plivo.com' },
    CALLS_PER_SECOND: { docs: 'Plivo: calls a second that the account may start.', fallback: '2' },
    MACHINE_DETECTION: {
      docs: 'Plivo: whether it listens for answering machines, which it charges for (on or off).',
      fallback: 'on',
    },
  },
  stream: PLIVO_STREAM,
  codec: { read: readPlivoRequest, write: writePlivoXml },
  open(settings, { clock, log, http, publicUrl }) {
    const authId = settings['AUTH_ID']!;
    // The first token authorises requests to the API. Each of them may have signed a callback.
    const authTokens = splitSecrets(settings['AUTH_TOKEN']!);
    return new PlivoApi(
      {
        accountUrl: `${settings['API_URL']}/v1/Account/${authId}`,
        authId,
        authToken: authTokens[0]!,
        ...apiOptions(settings),
      },
      {
        clock,
        log,
        http,
        publicUrl,
        codec: plivo.codec,
        verify: (request) => verifyPlivoSignature(request, authTokens),
      },
    );
  },
};
