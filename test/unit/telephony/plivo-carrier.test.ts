import { createHttpClient } from '../../../src/telephony/http-client.js';
import { plivo } from '../../../src/telephony/plivo.js';
import { carrierContract } from '../../contracts/carrier.js';
import { PlivoEmulator } from '../../support/emulators/plivo-emulator.js';
import { createEmulatorRig } from '../../support/emulators/remote-carrier-rig.js';
import { createMemoryLog } from '../../support/memory-log.js';

async function openRig() {
  const rig = await createEmulatorRig(PlivoEmulator.open, ({ emulator, clock, publicUrl }) =>
    plivo.open(
      {
        AUTH_ID: emulator.authId,
        AUTH_TOKEN: emulator.authToken,
        API_URL: emulator.url,
        CALLS_PER_SECOND: '10',
        MACHINE_DETECTION: 'on',
      },
      { clock, log: createMemoryLog().log, http: createHttpClient(), publicUrl: () => publicUrl },
    ),
  );
  return { ...rig, lineOf: (id: string) => rig.emulator.call(id)?.callId ?? id };
}

carrierContract('plivo', openRig);
