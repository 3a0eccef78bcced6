import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callOnce, placeCall } from '../../support/call-story.js';
import { TwilioEmulator } from '../../support/emulators/twilio-emulator.js';
import { buildTestHouse, type TestHouse } from '../../support/house.js';

const CALLED = '+14155550123';

let emulator: TwilioEmulator;
let house: TestHouse;

beforeEach(async () => {
  emulator = await TwilioEmulator.open({
    reach: (url) => url.replace(/^(http|ws)s:\/\/voice\.example\.com/, (_, scheme) => hereBy(scheme)),
    phones: { [CALLED]: { kind: 'answers', ringMs: 100, staysMs: 600 } },
  });
  house = await buildTestHouse({
    listen: true,
    environment: {
      SERVER_DOMAIN: 'voice.example.com',
      CARRIER: 'twilio',
      TWILIO_ACCOUNT_SID: emulator.accountSid,
      TWILIO_AUTH_TOKEN: emulator.authToken,
      TWILIO_API_URL: emulator.url,
      TWILIO_CALLS_PER_SECOND: '50',
      TWILIO_MACHINE_DETECTION: 'off',
    },
  });
});
afterEach(async () => {
  await house.close();
  await emulator.close();
});

function hereBy(scheme: string): string {
  return house.baseUrl.replace('http', scheme);
}

/** The end of a call to somebody who picks up and soon hangs up again. */
async function callToTheEnd() {
  const id = await placeCall(house.request, { to_number: CALLED });
  return callOnce(house.request, id, { timeoutMs: 20_000 });
}

const REACHED = { status: 'completed', ended_reason: 'customer_hangup' };

describe('a carrier', () => {
  it.each(['lost_answer', 'callback_first'] as const)(
    'that has dialled is not asked to dial again (%s)',
    async (kind) => {
      emulator.faults.creates.push({ kind });
      expect(await callToTheEnd()).toMatchObject(REACHED);
      expect(emulator.network.reached).toHaveLength(1);
    },
  );

  it('that may have dialled is not asked to dial again either, and that is said', async () => {
    emulator.faults.creates.push({ kind: 'broken_connection' });
    expect(await callToTheEnd()).toMatchObject({ status: 'failed', ended_reason: 'uncertain' });
    expect(emulator.network.reached).toHaveLength(0);
  });

  it('that takes no more calls now is asked again when it does', async () => {
    emulator.faults.creates.push({ kind: 'too_many', retryAfterSeconds: 1 });
    expect(await callToTheEnd()).toMatchObject(REACHED);
    expect(emulator.network.reached).toHaveLength(1);
  });

  it('that says everything twice, and in any order, ends the call once', async () => {
    let told = 0;
    emulator.faults.callback = () => ({ copies: 2, delayMs: [150, 0, 80, 0][told++ % 4]! });
    expect(await callToTheEnd()).toMatchObject(REACHED);
    expect(emulator.network.reached).toHaveLength(1);
  });

  it('that says nothing of the end does not keep a call alive whose stream is over', async () => {
    emulator.faults.callback = ({ purpose }) => (purpose === 'status' ? { copies: 0 } : {});
    expect(await callToTheEnd()).toMatchObject({ status: 'completed' });
  });
});
