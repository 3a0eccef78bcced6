import { TwilioEmulator } from '#test/support/emulators/twilio-emulator.js';
import { telnyxKeys } from '#test/support/telnyx-keys.js';
import { testCalls } from '#test/e2e/carrier-calls.js';
import { callsInTwilioWords } from '#test/e2e/twilio-words.js';

/** Tests of whole calls through SignalWire. */
export function testSignalwireCalls(): void {
  testCalls({
    ...callsInTwilioWords,
    provider: 'signalwire',
    open: (around) => TwilioEmulator.open({ ...around, dialect: 'signalwire', signingKey: 'PSK_for-tests' }),
    environmentOf: ({ accountSid, authToken, signingKey, url }) => ({
      SIGNALWIRE_PROJECT_ID: accountSid,
      SIGNALWIRE_API_TOKEN: authToken,
      SIGNALWIRE_SIGNING_KEY: signingKey,
      SIGNALWIRE_API_URL: url,
    }),
  });
}

/** Tests of whole calls through a carrier that speaks as Twilio does. */
export function testGenericCalls(): void {
  testCalls({
    ...callsInTwilioWords,
    provider: 'generic',
    hearsMachines: false,
    open: (around) => TwilioEmulator.open(around),
    environmentOf: ({ accountSid, authToken, url }) => ({
      GENERIC_API_URL: `${url}/2010-04-01/Accounts/${accountSid}`,
      GENERIC_USERNAME: accountSid,
      GENERIC_PASSWORD: authToken,
      GENERIC_SIGNING_KEY: authToken,
    }),
  });
}

/** Tests of whole calls through TeXML of Telnyx. */
export function testTexmlCalls(): void {
  const { signingKey, publicKey } = telnyxKeys();
  testCalls({
    ...callsInTwilioWords,
    provider: 'telnyx_texml',
    domain: 'voice.example.com',
    open: (around) => TwilioEmulator.open({ ...around, dialect: 'telnyx', signingKey }),
    environmentOf: ({ accountSid, authToken, url }) => ({
      TELNYX_TEXML_API_KEY: authToken,
      TELNYX_TEXML_PUBLIC_KEY: publicKey,
      TELNYX_TEXML_ACCOUNT_SID: accountSid,
      TELNYX_TEXML_APPLICATION_SID: '1293384261075731499',
      TELNYX_TEXML_API_URL: url,
    }),
  });
}
