import { systemClock } from '#kernel/time/clock.js';
import { onTestFinished } from 'vitest';
import { createCarrierHttp } from '#telephony/wire/carrier-http.js';
import { telnyx } from '#telephony/carriers/telnyx/telnyx.js';
import { createEmulatorRig, type RemoteCarrierRig } from '#test/support/emulators/remote-carrier-rig.js';
import { TelnyxEmulator } from '#test/support/emulators/telnyx-emulator.js';
import { createMemoryLog } from '#test/support/memory-log.js';

/** Telnyx's Call Control against its emulator. */
export function createTelnyxRig(): Promise<RemoteCarrierRig<TelnyxEmulator>> {
  return createEmulatorRig(
    (around) =>
      TelnyxEmulator.open({ ...around, webhookUrl: 'https://voice.example.com/webhook/telnyx/incoming' }),
    ({ emulator, clock, publicUrl }) =>
      telnyx.open(
        {
          API_KEY: emulator.apiKey,
          PUBLIC_KEY: emulator.publicKey,
          CONNECTION_ID: emulator.connectionId,
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
  );
}

/** One that is let go of when the test is over. */
export async function openTelnyxRig(): Promise<RemoteCarrierRig<TelnyxEmulator>> {
  const rig = await createTelnyxRig();
  onTestFinished(() => rig.dispose());
  return rig;
}
