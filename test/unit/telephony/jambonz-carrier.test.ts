import { createHttpClient } from '../../../src/telephony/http-client.js';
import { jambonz } from '../../../src/telephony/jambonz.js';
import { carrierContract } from '../../contracts/carrier.js';
import { JambonzEmulator, type JambonzEmulatorOptions } from '../../support/emulators/jambonz-emulator.js';
import { createEmulatorRig } from '../../support/emulators/remote-carrier-rig.js';
import { createMemoryLog } from '../../support/memory-log.js';

// An API that says that the state of a call forbids a change, and one that hides it.
const WRONG_STATE = [422, 500] as const;

for (const wrongStateStatus of WRONG_STATE) {
  carrierContract(`jambonz, which refuses with ${wrongStateStatus}`, async () => ({
    ...(await createRig({ wrongStateStatus })),
    // Its own ring timeout and a request to stop both end with SIP's 487, and there is no more to see.
    givenUpAs: 'no_answer',
  }));
}

function createRig(options: JambonzEmulatorOptions) {
  return createEmulatorRig(
    (around) => JambonzEmulator.open({ ...around, ...options }),
    ({ emulator, clock, publicUrl }) =>
      jambonz.open(
        {
          ACCOUNT_SID: emulator.accountSid,
          API_KEY: emulator.apiKey,
          WEBHOOK_SECRET: emulator.webhookSecret,
          API_URL: `${emulator.url}/v1`,
          CALLS_PER_SECOND: '10',
        },
        { clock, log: createMemoryLog().log, http: createHttpClient(), publicUrl: () => publicUrl },
      ),
  );
}
