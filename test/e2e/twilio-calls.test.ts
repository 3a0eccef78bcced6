import { TwilioEmulator } from '#test/support/emulators/twilio-emulator.js';
import { testCalls } from './carrier-calls.js';
import { callsInTwilioWords } from './twilio-words.js';

testCalls({
  ...callsInTwilioWords,
  provider: 'twilio',
  asksPrices: true,
  domain: 'voice.example.com',
  open: (around) => TwilioEmulator.open(around),
  environmentOf: (emulator) => ({
    TWILIO_ACCOUNT_SID: emulator.accountSid,
    TWILIO_AUTH_TOKEN: emulator.authToken,
    TWILIO_API_URL: emulator.url,
  }),
});
