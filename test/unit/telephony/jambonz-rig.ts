import { systemClock } from '#kernel/time/clock.js';
import type { CarrierSettings } from '#telephony/wire/carrier-definition.js';
import { createCarrierHttp } from '#telephony/wire/carrier-http.js';
import { jambonz } from '#telephony/carriers/jambonz/jambonz.js';
import { JambonzEmulator, type JambonzEmulatorOptions } from '#test/support/emulators/jambonz-emulator.js';
import { createEmulatorRig } from '#test/support/emulators/remote-carrier-rig.js';
import { createMemoryLog } from '#test/support/memory-log.js';

/** jambonz against its emulator, on clocks that only the test moves. */
export function openJambonzRig(
  options: { emulator?: JambonzEmulatorOptions; settings?: CarrierSettings } = {},
) {
  return createEmulatorRig(
    (around) => JambonzEmulator.open({ ...around, ...options.emulator }),
    ({ emulator, clock, publicUrl }) =>
      jambonz.open(
        {
          ACCOUNT_SID: emulator.accountSid,
          API_KEY: emulator.apiKey,
          WEBHOOK_SECRET: emulator.webhookSecret,
          API_URL: `${emulator.url}/v1`,
          CALLS_PER_SECOND: '10',
          ...options.settings,
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
