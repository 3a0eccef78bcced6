import { afterAll, beforeAll, describe, it } from 'vitest';
import { soundOf } from '#test/support/emulators/speech/spoken-words.js';
import { TwilioEmulator } from '#test/support/emulators/twilio-emulator.js';
import type { EmulatedCall } from '#test/support/emulators/twilio/emulated-call.js';
import { drawn } from '#test/support/tier.js';
import { SAID, VENDOR_PAIRS, VendorTalk } from '#test/support/vendor-talk.js';
import { VirtualClock } from '#test/support/virtual-clock.js';
import { CarrierRig } from '#test/e2e/carrier-rig.js';
import { callsInTwilioWords } from '#test/e2e/twilio-words.js';

const CALLED = '+14155550165';

describe.each(drawn(1, VENDOR_PAIRS))('a call through Twilio spoken by %s and heard by %s', (...pair) => {
  let talk: VendorTalk;
  let rig: CarrierRig<TwilioEmulator, EmulatedCall>;

  beforeAll(async () => {
    const time = new VirtualClock();
    talk = await VendorTalk.open(pair, time);
    rig = new CarrierRig({
      ...callsInTwilioWords,
      provider: 'twilio',
      domain: 'voice.example.com',
      open: (around) => TwilioEmulator.open(around),
      environmentOf: (emulator: TwilioEmulator) => ({
        TWILIO_ACCOUNT_SID: emulator.accountSid,
        TWILIO_AUTH_TOKEN: emulator.authToken,
        TWILIO_API_URL: emulator.url,
        ...(talk.environment as Record<string, string>),
      }),
      time,
      replace: { connectSocket: talk.recogniser.sockets.connect },
      phones: () => ({
        [CALLED]: {
          kind: 'answers',
          ringMs: 200,
          talk: { sentences: SAID.map((text) => soundOf(text)) },
        },
      }),
    });
    await rig.open();
  });
  afterAll(async () => {
    await rig.close();
    await talk.close();
  });

  it('goes to its end by both of them', async () => {
    await talk.expectHeard(rig.service, rig.time, await rig.call(CALLED, talk.agent));
  });
});
