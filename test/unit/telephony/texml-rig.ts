import { systemClock } from '#kernel/time/clock.js';
import { onTestFinished } from 'vitest';
import { createCarrierHttp } from '#telephony/wire/carrier-http.js';
import { telnyxTexml } from '#telephony/carriers/telnyx/telnyx-texml.js';
import { createRemoteCarrierRig, type RemoteCarrierRig } from '#test/support/emulators/remote-carrier-rig.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { telnyxKeys } from '#test/support/telnyx-keys.js';

/** Telnyx's TeXML against its emulator. */
export function createTexmlRig(): Promise<RemoteCarrierRig> {
  const { signingKey, publicKey } = telnyxKeys();
  return createRemoteCarrierRig(
    ({ emulator, clock, publicUrl }) =>
      telnyxTexml.open(
        {
          API_KEY: emulator.authToken,
          PUBLIC_KEY: publicKey,
          ACCOUNT_SID: emulator.accountSid,
          APPLICATION_SID: '1293384261075731499',
          API_URL: emulator.url,
          CALLS_PER_SECOND: '10',
          MACHINE_DETECTION: 'on',
        },
        {
          clock,
          log: createMemoryLog().log,
          http: createCarrierHttp({ clock: systemClock }),
          publicUrl: () => publicUrl,
        },
      ),
    { dialect: 'telnyx', signingKey },
  );
}

/** One that is let go of when the test is over. */
export async function openTexmlRig(): Promise<RemoteCarrierRig> {
  const rig = await createTexmlRig();
  onTestFinished(() => rig.dispose());
  return rig;
}
