import { createHttpClient } from '../../../src/telephony/http-client.js';
import { telnyx } from '../../../src/telephony/telnyx.js';
import { carrierContract } from '../../contracts/carrier.js';
import { createEmulatorRig } from '../../support/emulators/remote-carrier-rig.js';
import { TelnyxEmulator } from '../../support/emulators/telnyx-emulator.js';
import { createMemoryLog } from '../../support/memory-log.js';

carrierContract('telnyx', () =>
  createEmulatorRig(
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
        { clock, log: createMemoryLog().log, http: createHttpClient(), publicUrl: () => publicUrl },
      ),
  ),
);
