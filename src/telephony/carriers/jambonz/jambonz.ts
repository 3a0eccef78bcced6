import { apiOptions, type CarrierDefinition } from '#telephony/wire/carrier-definition.js';
import { JambonzApi } from './jambonz-api.js';
import { readJambonzRequest } from './jambonz-callbacks.js';
import { JambonzClient } from './jambonz-client.js';
import { writeJambonzVerbs } from './jambonz-verbs.js';
import { splitSecrets } from '#telephony/wire/secrets.js';
import { verifyJambonzSignature } from './jambonz-signature.js';
import { JAMBONZ_STREAM } from './jambonz-stream.js';

/**
 * The carrier jambonz, self-hosted or in its cloud: its settings, and the parts that decode its JSON webhooks, write
 * its verbs (call-control markup) and read the binary audio streams of its verb `listen`.
 */
export const jambonz: CarrierDefinition = {
  name: 'jambonz',
  settings: {
    ACCOUNT_SID: { docs: "jambonz: the account's SID.", fallback: null, required: true },
    API_KEY: { docs: 'jambonz: an API key of the account.', fallback: null, required: true, secret: true },
    WEBHOOK_SECRET: {
      docs: "jambonz: the account's webhook secret; while it is being changed, the new and the old one, separated by a comma.",
      fallback: null,
      required: true,
      secret: true,
    },
    APPLICATION_SID: {
      docs: 'jambonz: an application whose voice and recogniser are used in calls that go out; its calling webhook must be ours (`/webhook/jambonz/incoming`), and its status webhook too (`/webhook/jambonz/status`).',
      fallback: null,
    },
    API_URL: {
      docs: 'jambonz: address of its REST API, with or without /v1.',
      fallback: 'https://api.jambonz.cloud',
    },
    CALLS_PER_SECOND: { docs: 'jambonz: calls a second that may be started.', fallback: '1' },
    MACHINE_DETECTION: {
      docs: 'jambonz: whether it listens for answering machines, for which it needs a recogniser of its own (on or off).',
      fallback: 'off',
    },
  },
  stream: JAMBONZ_STREAM,
  codec: { read: readJambonzRequest, write: writeJambonzVerbs },
  open(settings, { clock, http, publicUrl }) {
    const secrets = splitSecrets(settings['WEBHOOK_SECRET']!);
    const apiUrl = settings['API_URL']!.replace(/\/v1$/, '');
    const accountUrl = `${apiUrl}/v1/Accounts/${encodeURIComponent(settings['ACCOUNT_SID']!)}`;
    return new JambonzApi(
      {
        applicationSid: settings['APPLICATION_SID'] ?? null,
        ...apiOptions(settings),
      },
      {
        clock,
        publicUrl,
        codec: jambonz.codec,
        client: new JambonzClient({ accountUrl, apiKey: settings['API_KEY']! }, http),
        verify: (request) => verifyJambonzSignature(request, secrets),
      },
    );
  },
};
