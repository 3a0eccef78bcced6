import { systemClock } from '#kernel/time/clock.js';
import type { RemoteCarrier } from '#telephony/port/carrier-webhooks.js';
import { createCarrierHttp } from '#telephony/wire/carrier-http.js';
import { plivo } from '#telephony/carriers/plivo/plivo.js';
import { PlivoEmulator } from '#test/support/emulators/plivo-emulator.js';
import { createEmulatorRig, type CarrierUnderTest } from '#test/support/emulators/remote-carrier-rig.js';
import { createMemoryLog } from '#test/support/memory-log.js';

type Under = CarrierUnderTest<PlivoEmulator>;

/** A Plivo adapter; further settings replace the usual ones. */
function openPlivo(
  { emulator, clock, publicUrl }: Under,
  settings: Readonly<Record<string, string>> = {},
): RemoteCarrier {
  return plivo.open(
    {
      AUTH_ID: emulator.authId,
      AUTH_TOKEN: emulator.authToken,
      API_URL: emulator.url,
      CALLS_PER_SECOND: '10',
      MACHINE_DETECTION: 'on',
      ...settings,
    },
    {
      clock,
      log: createMemoryLog().log,
      http: createCarrierHttp({ clock: systemClock }),
      publicUrl: () => publicUrl,
    },
  );
}

/** A Plivo adapter with the emulated Plivo behind it, and a way to open another one of the same account. */
export async function openPlivoRig(options: { callsPerSecond?: number } = {}) {
  let under: Under | undefined;
  const rig = await createEmulatorRig(
    (around) => PlivoEmulator.open({ ...around, ...options }),
    (opened: Under) => openPlivo((under = opened)),
  );
  return {
    ...rig,
    lineOf: (id: string) => rig.emulator.call(id)?.callId ?? id,
    another: (settings?: Readonly<Record<string, string>>) => openPlivo(under!, settings),
  };
}
