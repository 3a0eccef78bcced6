import { systemClock } from '#kernel/time/clock.js';
import { createPrivateKey, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import { readConfig } from '#config/read-config.js';
import type { CarrierDefinition } from '#telephony/wire/carrier-definition.js';
import type { CarrierHttpRequest } from '#telephony/port/carrier-webhooks.js';
import { createCarrierHttp } from '#telephony/wire/carrier-http.js';
import { telnyxTexml } from '#telephony/carriers/telnyx/telnyx-texml.js';
import { telnyx } from '#telephony/carriers/telnyx/telnyx.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { telnyxKeys } from '#test/support/telnyx-keys.js';

const AT = Date.UTC(2026, 10, 21);
const former = telnyxKeys();
const current = telnyxKeys();

function webhooksOf(definition: CarrierDefinition) {
  const settings = {
    API_KEY: 'KEY',
    API_URL: 'http://localhost:1',
    CALLS_PER_SECOND: '1',
    MACHINE_DETECTION: 'on',
    CONNECTION_ID: '1',
    ACCOUNT_SID: '1',
    APPLICATION_SID: '1',
    PUBLIC_KEY: `${current.publicKey}, ${former.publicKey}`,
  };
  const publicUrl = () => 'https://voice.example.com';
  const parts = {
    clock: new FakeClock(),
    log: createMemoryLog().log,
    http: createCarrierHttp({ clock: systemClock }),
    publicUrl,
  };
  return definition.open(settings, parts).webhooks;
}

/** A request to the address that any carrier may be given. */
function signed(contentType: string, body: string, signingKey: string): CarrierHttpRequest {
  const timestamp = String(AT / 1000);
  const signature = sign(null, Buffer.from(`${timestamp}|${body}`), createPrivateKey(signingKey));
  return {
    method: 'POST',
    url: 'https://voice.example.com/voice',
    headers: {
      'content-type': contentType,
      'telnyx-timestamp': timestamp,
      'telnyx-signature-ed25519': signature.toString('base64'),
    },
    rawBody: Buffer.from(body),
    receivedAt: AT,
  };
}

it.each([
  ['an event', 'application/json', '{"data":{"id":"e1"}}', { telnyx: true, telnyx_texml: false }],
  ['a form', 'application/x-www-form-urlencoded', 'CallSid=v3%3Ax', { telnyx: false, telnyx_texml: true }],
])(
  '%s is of one of the two products, though both are signed with the same key',
  async (_, type, body, of) => {
    for (const definition of [telnyx, telnyxTexml]) {
      const { verify } = webhooksOf(definition);
      for (const { signingKey } of [current, former]) {
        const { genuine } = await verify(signed(type, body, signingKey));
        expect(genuine).toBe(of[definition.name as 'telnyx']);
      }
      expect(await verify(signed(type, body, telnyxKeys().signingKey))).toMatchObject({ genuine: false });
    }
  },
);

it('is not set up with what is no public key', () => {
  const environment = { CARRIER: 'telnyx', TELNYX_API_KEY: 'KEY', TELNYX_CONNECTION_ID: '1' };
  const withKey = (key: string) => () => readConfig({ ...environment, TELNYX_PUBLIC_KEY: key });
  expect(withKey('not a key')).toThrow(/TELNYX_PUBLIC_KEY.*32 bytes as base64/);
  expect(withKey(`${current.publicKey}, ${former.publicKey}`)).not.toThrow();
});
