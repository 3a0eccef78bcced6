import { TwilioEmulator } from '#test/support/emulators/twilio-emulator.js';
import { testCalls } from '#test/e2e/carrier-calls.js';
import { callsInTwilioWords } from '#test/e2e/twilio-words.js';

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
