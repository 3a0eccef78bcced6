import { createHmac, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { buildTestService, type TestService } from '#test/support/test-service.js';

const DOMAIN = 'voice.example.com';
/** Whatever is secret in the settings has this in it. */
export const SECRET_MARK = 'very-secret-thing';
const keyOf = (carrier: string) => `${SECRET_MARK}-of-${carrier}`;

/** The real service with every carrier set up, all of which have the same API: one that agrees to everything. */
export interface CarriersService extends TestService {
  /** The reference of the call that was asked for last. */
  lastDialRef(): string;
  /** Ids of calls that were asked for, in order. */
  readonly placed: readonly string[];
}

export async function startCarriersService(): Promise<CarriersService> {
  const placed: string[] = [];
  let dialRef = '';
  const api = createServer((request, response) => {
    void text(request).then((body) => {
      const [, reference] = /(dial_[0-9a-z]{26})/.exec(body) ?? [];
      const sid = `CA${String(placed.length + 1).padStart(32, 'f')}`;
      if (reference) {
        dialRef = reference;
        placed.push(sid);
      }
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ sid }));
    });
  });
  await once(api.listen(0, '127.0.0.1'), 'listening');
  const apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const service = await buildTestService({ listen: true, environment: settingsOf(apiUrl) });
  return {
    ...service,
    placed,
    lastDialRef: () => dialRef,
    async close() {
      await service.close();
      await new Promise((resolve) => api.close(resolve));
    },
  };
}

function settingsOf(apiUrl: string): Record<string, string> {
  const telnyx = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  const vonage = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  return {
    SERVER_DOMAIN: DOMAIN,
    MAX_CONCURRENT_CALLS: '5000',
    CARRIER: 'twilio',
    TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000001',
    TWILIO_AUTH_TOKEN: keyOf('twilio'),
    TWILIO_API_URL: apiUrl,
    TWILIO_CALLS_PER_SECOND: '50',
    SIGNALWIRE_PROJECT_ID: 'project',
    SIGNALWIRE_API_TOKEN: keyOf('signalwire-api'),
    SIGNALWIRE_SIGNING_KEY: keyOf('signalwire'),
    SIGNALWIRE_API_URL: apiUrl,
    TELNYX_API_KEY: keyOf('telnyx'),
    TELNYX_PUBLIC_KEY: Buffer.from(telnyx.x!, 'base64url').toString('base64'),
    TELNYX_CONNECTION_ID: '1',
    TELNYX_API_URL: apiUrl,
    PLIVO_AUTH_ID: 'MA0000000000000001',
    PLIVO_AUTH_TOKEN: keyOf('plivo'),
    PLIVO_API_URL: apiUrl,
    VONAGE_APPLICATION_ID: '00000000-0000-4000-8000-000000000001',
    VONAGE_PRIVATE_KEY: vonage.export({ type: 'pkcs8', format: 'pem' }).toString(),
    VONAGE_SIGNATURE_SECRET: keyOf('vonage'),
    VONAGE_API_URL: apiUrl,
    JAMBONZ_ACCOUNT_SID: '00000000-0000-4000-8000-000000000002',
    JAMBONZ_API_KEY: keyOf('jambonz-api'),
    JAMBONZ_WEBHOOK_SECRET: keyOf('jambonz'),
    JAMBONZ_API_URL: apiUrl,
    GENERIC_API_URL: apiUrl,
    GENERIC_USERNAME: 'user',
    GENERIC_PASSWORD: keyOf('generic-api'),
    GENERIC_SIGNING_KEY: keyOf('generic'),
  };
}

/** The headers by which Twilio, or a carrier that signs as it does, says that a form is its own. */
export function signedForm(carrier: string, path: string, form: URLSearchParams): Record<string, string> {
  const fields = [...form].sort(([a], [b]) => (a < b ? -1 : 1));
  const signed = `https://${DOMAIN}${path}${fields.flat().join('')}`;
  return {
    'content-type': 'application/x-www-form-urlencoded',
    'x-twilio-signature': createHmac('sha1', keyOf(carrier)).update(signed).digest('base64'),
  };
}
