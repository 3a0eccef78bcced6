import { systemClock } from '#kernel/time/clock.js';
import { onTestFinished } from 'vitest';
import { createCarrierHttp } from '#telephony/wire/carrier-http.js';
import { vonage } from '#telephony/carriers/vonage/vonage.js';
import { createEmulatorRig, type RemoteCarrierRig } from '#test/support/emulators/remote-carrier-rig.js';
import { VonageEmulator, type VonageEmulatorOptions } from '#test/support/emulators/vonage-emulator.js';
import { createMemoryLog } from '#test/support/memory-log.js';

/** Vonage's Voice API against its emulator. */
export function createVonageRig(
  options: VonageEmulatorOptions & { settings?: Readonly<Record<string, string>> } = {},
): Promise<RemoteCarrierRig<VonageEmulator>> {
  const { settings, ...emulation } = options;
  return createEmulatorRig(
    (around) => VonageEmulator.open({ ...around, ...emulation }),
    ({ emulator, clock, publicUrl }) =>
      vonage.open(
        {
          APPLICATION_ID: emulator.account.applicationId,
          PRIVATE_KEY: emulator.privateKey,
          API_KEY: emulator.account.apiKey,
          SIGNATURE_SECRET: emulator.account.signatureSecret,
          API_URL: emulator.url,
          CALLS_PER_SECOND: '3',
          MACHINE_DETECTION: 'on',
          ...settings,
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
export async function openVonageRig(
  options: Parameters<typeof createVonageRig>[0] = {},
): Promise<RemoteCarrierRig<VonageEmulator>> {
  const rig = await createVonageRig(options);
  onTestFinished(() => rig.dispose());
  return rig;
}
