import { TwilioEmulator } from '#test/support/emulators/twilio-emulator.js';
import { telnyxKeys } from '#test/support/telnyx-keys.js';
import { testCalls } from '#test/e2e/carrier-calls.js';
import { callsInTwilioWords } from '#test/e2e/twilio-words.js';

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
