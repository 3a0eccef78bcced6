import { createIds } from '#kernel/ids/ids.js';
import { apiOptions, type CarrierDefinition } from '#telephony/wire/carrier-definition.js';
import { writeNcco } from './ncco.js';
import { splitSecrets } from '#telephony/wire/secrets.js';
import { verifyVonageSignature } from './vonage-signature.js';
import { VonageApi } from './vonage-api.js';
import { readVonageRequest } from './vonage-events.js';
import { createVonageTokens } from './vonage-token.js';
import { VONAGE_STREAM } from './vonage-stream.js';

/**
 * The carrier Vonage (Voice API): its settings, and the parts that verify and decode its JSON webhooks, write NCCOs
 * (its call-control markup), and decode and encode its binary audio streams.
 */
export const vonage: CarrierDefinition = {
  name: 'vonage',
  settings: {
    APPLICATION_ID: {
      docs: "Vonage: the application's id. Its answer URL is `/webhook/vonage/incoming` (POST), its event URL `/webhook/vonage/status`.",
      fallback: null,
      required: true,
    },
    PRIVATE_KEY: {
      docs: "Vonage: the application's private key, in PEM; its lines may be joined by \\n.",
      fallback: null,
      required: true,
      secret: true,
    },
    API_KEY: {
      docs: "Vonage: the account's API key (not its secret); requests that are signed for another one are refused.",
      fallback: null,
    },
    SIGNATURE_SECRET: {
      docs: "Vonage: the account's signature secret, which its requests are signed with; several are separated by commas.",
      fallback: null,
      required: true,
      secret: true,
    },
    API_URL: { docs: 'Vonage: address of its API.', fallback: 'https://api.nexmo.com' },
    CALLS_PER_SECOND: {
      docs: 'Vonage: calls a second that the account may start; more are refused, and not queued.',
      fallback: '3',
    },
    MACHINE_DETECTION: {
      docs: 'Vonage: whether it listens for answering machines, which it charges for (on or off).',
      fallback: 'on',
    },
  },
  stream: VONAGE_STREAM,
  codec: { read: readVonageRequest, write: writeNcco },
  open(settings, { clock, http, publicUrl }) {
    const id = settings['APPLICATION_ID']!;
    const account = {
      signatureSecrets: splitSecrets(settings['SIGNATURE_SECRET']!),
      apiKey: settings['API_KEY'] ?? null,
      applicationId: id,
    };
    const application = { id, privateKey: settings['PRIVATE_KEY']! };
    return new VonageApi(
      {
        apiUrl: settings['API_URL']!,
        ...apiOptions(settings),
      },
      {
        clock,
        http,
        publicUrl,
        codec: vonage.codec,
        verify: (request) => verifyVonageSignature(request, account),
        token: createVonageTokens(application, { clock, ids: createIds(clock) }),
      },
    );
  },
};
