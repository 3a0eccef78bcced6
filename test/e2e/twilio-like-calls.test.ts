import { expect, it, onTestFinished } from 'vitest';
import { placeCall } from '../support/call-story.js';
import { TwilioEmulator, type TwilioEmulatorOptions } from '../support/emulators/twilio-emulator.js';
import { buildTestHouse } from '../support/house.js';
import { expectShortTalk, sayYes, SHORT_AGENT } from '../support/short-talk.js';

const CALLED = '+14155550123';
const CALLER = '+14155550126';
const OURS = '+14155550177';

interface Carrier {
  name: string;
  emulated: TwilioEmulatorOptions;
  environmentFor(emulator: TwilioEmulator): Record<string, string>;
}

const CARRIERS: readonly Carrier[] = [
  {
    name: 'signalwire',
    emulated: { dialect: 'signalwire', signingKey: 'PSK_for-tests' },
    environmentFor: ({ accountSid, authToken, signingKey, url }) => ({
      SIGNALWIRE_PROJECT_ID: accountSid,
      SIGNALWIRE_API_TOKEN: authToken,
      SIGNALWIRE_SIGNING_KEY: signingKey,
      SIGNALWIRE_API_URL: url,
    }),
  },
  {
    name: 'generic',
    emulated: {},
    environmentFor: ({ accountSid, authToken, url }) => ({
      GENERIC_API_URL: `${url}/2010-04-01/Accounts/${accountSid}`,
      GENERIC_USERNAME: accountSid,
      GENERIC_PASSWORD: authToken,
      GENERIC_SIGNING_KEY: authToken,
    }),
  },
];

it.each(CARRIERS)('calls go out and come in through $name', async ({ name, emulated, environmentFor }) => {
  const talk = { sentences: [await sayYes()] };
  const emulator = await TwilioEmulator.open({
    ...emulated,
    phones: { [CALLED]: { kind: 'answers', ringMs: 200, talk } },
  });
  onTestFinished(() => emulator.close());
  const environment = { CARRIER: name, ...environmentFor(emulator) };
  const house = await buildTestHouse({ listen: true, environment });
  onTestFinished(() => house.close());
  const { body } = await house.request('POST', '/api/agents', SHORT_AGENT);
  const { id: agent_id } = body as { id: string };
  await house.request('POST', '/api/phone-numbers', { phone_number: OURS, agent_id });

  const addressOf = (kind: string) =>
    `${house.baseUrl}/webhook/${name}/${kind}`.replace('127.0.0.1', 'localhost');
  const incoming = emulator.callIn({
    ...{ from: CALLER, to: OURS, talk },
    ...{ webhookUrl: addressOf('incoming'), statusUrl: addressOf('status') },
  });
  const id = await placeCall(house.request, { to_number: CALLED, from_number: OURS, agent_id });
  await expectShortTalk(house.request, id, name);
  await incoming.ended;
  const { body: list } = await house.request('GET', '/api/calls?direction=inbound');
  const [inbound] = (list as { data: { id: string; from_phone: string }[] }).data;
  expect(inbound).toMatchObject({ from_phone: CALLER });
  await expectShortTalk(house.request, inbound!.id, name);
  expect(emulator.log.complaints).toEqual([]);
});
