import { systemClock } from '#kernel/time/clock.js';
import type { CarrierDefinition, CarrierSettings } from '#telephony/wire/carrier-definition.js';
import { generic } from '#telephony/carriers/twilio/generic.js';
import { createCarrierHttp } from '#telephony/wire/carrier-http.js';
import { signalwire } from '#telephony/carriers/twilio/signalwire.js';
import { twilio } from '#telephony/carriers/twilio/twilio.js';
import { carrierContract } from '#test/contracts/carrier.js';
import { createRemoteCarrierRig } from '#test/support/emulators/remote-carrier-rig.js';
import type { TwilioEmulator, TwilioEmulatorOptions } from '#test/support/emulators/twilio-emulator.js';
import { createMemoryLog } from '#test/support/memory-log.js';

type SettingsFor = (emulator: TwilioEmulator) => CarrierSettings;

const CARRIERS: readonly [CarrierDefinition, SettingsFor, TwilioEmulatorOptions][] = [
  [
    twilio,
    ({ accountSid, authToken, url }) => ({ ACCOUNT_SID: accountSid, AUTH_TOKEN: authToken, API_URL: url }),
    {},
  ],
  [
    signalwire,
    ({ accountSid, authToken, signingKey, url }) => ({
      PROJECT_ID: accountSid,
      API_TOKEN: authToken,
      SIGNING_KEY: signingKey,
      API_URL: url,
    }),
    { dialect: 'signalwire', signingKey: 'PSK_for-tests' },
  ],
  [
    generic,
    ({ accountSid, authToken, url }) => ({
      API_URL: `${url}/2010-04-01/Accounts/${accountSid}`,
      USERNAME: accountSid,
      PASSWORD: authToken,
      SIGNING_KEY: authToken,
    }),
    {},
  ],
];

for (const [definition, settingsFor, options] of CARRIERS) {
  carrierContract(definition.name, () =>
    createRemoteCarrierRig(({ emulator, clock, publicUrl }) => {
      const settings = { CALLS_PER_SECOND: '10', ...settingsFor(emulator) };
      const parts = {
        clock,
        log: createMemoryLog().log,
        http: createCarrierHttp({ clock: systemClock }),
        publicUrl: () => publicUrl,
      };
      return definition.open(settings, parts);
    }, options),
  );
}
