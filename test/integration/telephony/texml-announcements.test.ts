import { sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { telnyxKeys } from '#test/support/telnyx-keys.js';

const { signingKey, publicKey } = telnyxKeys();
let service: TestService;

beforeAll(async () => {
  service = await buildTestService({
    environment: {
      SERVER_DOMAIN: 'voice.example.com',
      TELNYX_TEXML_API_KEY: 'key',
      TELNYX_TEXML_PUBLIC_KEY: publicKey,
      TELNYX_TEXML_ACCOUNT_SID: 'account',
      TELNYX_TEXML_APPLICATION_SID: '1293384261075731499',
      TELNYX_TEXML_API_URL: 'http://127.0.0.1:9',
    },
  });
});
afterAll(() => service.close());

/** Asks as a TeXML application does that was not told to POST. */
function ask(path: string, { isSigned = true } = {}) {
  const timestamp = String(Math.floor(systemClock.wallMs() / 1_000));
  const signature = sign(null, Buffer.from(`${timestamp}|`), signingKey).toString('base64');
  const headers = isSigned
    ? { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature }
    : undefined;
  return service.app.server.inject({ method: 'GET', url: path, ...(headers && { headers }) });
}

const CALL = 'From=%2B14155550188&To=%2B14155550177&CallStatus=ringing';

async function inboundCalls(): Promise<number> {
  const { body } = await service.request('GET', '/api/calls?direction=inbound');
  return (body as { data: unknown[] }).data.length;
}

describe('a TeXML application that asks with GET, as it does unless it is told otherwise', () => {
  it.each(['/webhook/telnyx_texml/incoming', '/voice'])(
    'is told what to do with a call (%s)',
    async (path) => {
      const before = await inboundCalls();
      const url = `${path}?CallSid=call-at-${path.length}&${CALL}`;
      const answer = await ask(url);
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([
        200,
        expect.stringContaining('application/xml'),
      ]);
      expect(answer.body).toContain('<Stream ');
      expect((await ask(url)).statusCode).toBe(200);
      expect(await inboundCalls()).toBe(before + 1);
    },
  );

  it('is not believed without a signature, nor about calls that are under way', async () => {
    const before = await inboundCalls();
    const incoming = `/webhook/telnyx_texml/incoming?CallSid=unsigned&${CALL}`;
    expect((await ask(incoming, { isSigned: false })).statusCode).toBe(403);
    for (const kind of ['status', 'machine', 'stream-ended', 'answer', 'transfer'])
      expect((await ask(`/webhook/telnyx_texml/${kind}?CallSid=some&CallStatus=completed`)).statusCode).toBe(
        403,
      );
    expect(await inboundCalls()).toBe(before);
  });
});
