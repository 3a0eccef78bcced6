import type { TwilioEmulator } from '#test/support/emulators/twilio-emulator.js';
import type { EmulatedCall } from '#test/support/emulators/twilio/emulated-call.js';
import type { CarrierUnderTest } from './carrier-rig.js';

/** How Twilio, and who speaks as Twilio does, tell of calls. */
export const callsInTwilioWords = {
  callIn: (emulator, caller, { incomingUrl: webhookUrl, statusUrl }) =>
    emulator.callIn({ ...caller, webhookUrl, statusUrl }),
  lineTo: (emulator, number) => emulator.calls.find(({ record }) => record.to === number),
  providerCallId: ({ record }) => record.sid,
  unsigned: ({ from, to }) => ({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ CallSid: 'CA-of-nobody', From: from, To: to }).toString(),
  }),
  secretsOf: ({ authToken, signingKey }) => [authToken, signingKey],
} satisfies Partial<CarrierUnderTest<TwilioEmulator, EmulatedCall>>;
