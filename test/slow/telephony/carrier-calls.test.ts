import { describe } from 'vitest';
import { drawn } from '#test/support/tier.js';
import { testJambonzCalls } from './jambonz-calls.js';
import { testPlivoCalls } from './plivo-calls.js';
import { testTelnyxCalls } from './telnyx-calls.js';
import { testGenericCalls, testSignalwireCalls, testTexmlCalls } from './twilio-like-calls.js';
import { testVonageCalls } from './vonage-calls.js';

// Calls through Twilio itself are tested in the fast tier (test/e2e/twilio-calls.test.ts).

/** Carriers with the wire protocol of Twilio. */
const LIKE_TWILIO = [
  ['signalwire', testSignalwireCalls],
  ['generic', testGenericCalls],
  ['telnyx_texml', testTexmlCalls],
] as const;

/** Carriers with a wire protocol of their own. */
const OF_THEIR_OWN = [
  ['telnyx', testTelnyxCalls],
  ['plivo', testPlivoCalls],
  ['vonage', testVonageCalls],
  ['jambonz', testJambonzCalls],
] as const;

describe.each([...drawn(1, LIKE_TWILIO), ...drawn(2, OF_THEIR_OWN)])('%s', (_, testCalls) => {
  testCalls();
});
