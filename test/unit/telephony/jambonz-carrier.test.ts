import { carrierContract } from '#test/contracts/carrier.js';
import { openJambonzRig } from './jambonz-rig.js';

// An API that says that the state of a call forbids a change, and one that hides it.
const WRONG_STATE = [422, 500] as const;

for (const wrongStateStatus of WRONG_STATE) {
  carrierContract(`jambonz, which refuses with ${wrongStateStatus}`, async () => ({
    ...(await openJambonzRig({ emulator: { wrongStateStatus }, settings: { MACHINE_DETECTION: 'on' } })),
    // Its own ring timeout and a request to stop both end with SIP's 487, and there is no more to see.
    givenUpAs: 'no_answer',
  }));
}
