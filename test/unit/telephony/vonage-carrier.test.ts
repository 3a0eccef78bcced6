import { createHttpClient } from '../../../src/telephony/http-client.js';
import { vonage } from '../../../src/telephony/vonage.js';
import { carrierContract } from '../../contracts/carrier.js';
import { createEmulatorRig, type CarrierUnderTest } from '../../support/emulators/remote-carrier-rig.js';
import { VonageEmulator } from '../../support/emulators/vonage-emulator.js';
import { createMemoryLog } from '../../support/memory-log.js';

function open({ emulator, clock, publicUrl }: CarrierUnderTest<VonageEmulator>) {
  const { account, privateKey, url } = emulator;
  return vonage.open(
    {
      APPLICATION_ID: account.applicationId,
      PRIVATE_KEY: privateKey,
      API_KEY: account.apiKey,
      SIGNATURE_SECRET: account.signatureSecret,
      API_URL: url,
      CALLS_PER_SECOND: '3',
      MACHINE_DETECTION: 'on',
    },
    { clock, log: createMemoryLog().log, http: createHttpClient(), publicUrl: () => publicUrl },
  );
}

carrierContract('vonage', () => createEmulatorRig((around) => VonageEmulator.open(around), open));
