import { afterAll, beforeAll, expect, it } from 'vitest';
import { placeCall } from '../support/call-story.js';
import { TwilioEmulator } from '../support/emulators/twilio-emulator.js';
import { buildTestHouse, type TestHouse } from '../support/house.js';
import { expectShortTalk, sayYes, SHORT_AGENT } from '../support/short-talk.js';
import { telnyxKeys } from '../support/telnyx-keys.js';

const CALLED = '+14155550123';
const OURS = '+14155550177';

let emulator: TwilioEmulator;
let house: TestHouse;
let agent_id: string;
let says: Int16Array;

beforeAll(async () => {
  says = await sayYes();
  const { signingKey, publicKey } = telnyxKeys();
  emulator = await TwilioEmulator.open({
    ...{ dialect: 'telnyx', signingKey },
    // The service is told that the world knows it as voice.example.com; this is the way to it.
    reach: (url) =>
      url.replace(/^(http|ws)s:\/\/voice\.example\.com/, (_, scheme: string) =>
        house.baseUrl.replace('http', scheme),
      ),
    phones: { [CALLED]: { kind: 'answers', ringMs: 200, talk: { sentences: [says] } } },
  });
  house = await buildTestHouse({
    listen: true,
    environment: {
      SERVER_DOMAIN: 'voice.example.com',
      CARRIER: 'telnyx_texml',
      TELNYX_TEXML_API_KEY: emulator.authToken,
      TELNYX_TEXML_PUBLIC_KEY: publicKey,
      TELNYX_TEXML_ACCOUNT_SID: emulator.accountSid,
      TELNYX_TEXML_APPLICATION_SID: '1293384261075731499',
      TELNYX_TEXML_API_URL: emulator.url,
    },
  });
  const { body } = await house.request('POST', '/api/agents', SHORT_AGENT);
  agent_id = (body as { id: string }).id;
  await house.request('POST', '/api/phone-numbers', { phone_number: OURS, agent_id });
}, 30_000);

afterAll(async () => {
  await house?.close();
  await emulator?.close();
});

it('calls out and is called', async () => {
  const incoming = emulator.callIn({
    ...{ from: '+14155550188', to: OURS, talk: { sentences: [says] } },
    webhookUrl: 'https://voice.example.com/webhook/telnyx_texml/incoming',
    statusUrl: 'https://voice.example.com/webhook/telnyx_texml/status',
  });
  const id = await placeCall(house.request, { to_number: CALLED, from_number: OURS, agent_id });
  await incoming.ended;
  await expectShortTalk(house.request, id, 'telnyx_texml');

  const { body } = await house.request('GET', '/api/calls?direction=inbound');
  const { data } = body as { data: { id: string; to_phone: string }[] };
  expect(data).toMatchObject([{ to_phone: OURS }]);
  await expectShortTalk(house.request, data[0]!.id, 'telnyx_texml');
  expect(incoming.said.join(' ')).toContain('thank you for calling');
  expect(emulator.log.complaints).toEqual([]);
});

it('believes no form that is not signed', async () => {
  const { statusCode } = await house.app.server.inject({
    method: 'POST',
    url: '/webhook/telnyx_texml/incoming',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ CallSid: 'v3:x', From: CALLED, To: OURS }).toString(),
  });
  expect(statusCode).toBe(403);
});
