import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import type { CarrierHttp } from '#telephony/wire/carrier-http.js';
import { REMOTE_CARRIERS } from '#telephony/remote-carriers.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';

const PRIVATE_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const PUBLIC_KEY = Buffer.alloc(32, 1).toString('base64');
const SETTINGS = new Proxy<Record<string, string>>(
  { PRIVATE_KEY, PUBLIC_KEY, API_URL: 'http://127.0.0.1', CALLS_PER_SECOND: '1' },
  { get: (settings, key) => settings[String(key)] ?? 'something' },
);

/** Those whose look-up reads one word that says how the call stands. */
const CARRIERS = REMOTE_CARRIERS.filter(({ name }) => name !== 'telnyx' && name !== 'plivo');
const ANSWERS = [{ status: 'on-hold', call_status: 'on-hold' }, {}, null, '<html></html>'];

it.each(CARRIERS)('a call of $name that stands as nobody knows is no call that is over', async (carrier) => {
  for (const json of ANSWERS) {
    const http: CarrierHttp = {
      send: async () => ({ status: 200, json, retryAfterMs: null }),
      close: async () => {},
    };
    const clock = new FakeClock();
    const { log } = createMemoryLog();
    const opened = carrier.open(SETTINGS, { clock, log, http, publicUrl: () => 'https://voice.example.com' });
    const found = { found: true, providerCallId: 'call-1', status: 'ringing' };
    expect(await opened.lookUp('', 'call-1')).toEqual(found);
    await opened.close();
  }
});
