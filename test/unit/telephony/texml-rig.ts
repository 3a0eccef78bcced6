import { generateKeyPairSync } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { createHttpClient } from '../../../src/telephony/http-client.js';
import { telnyxTexml } from '../../../src/telephony/telnyx-texml.js';
import { createRemoteCarrierRig, type RemoteCarrierRig } from '../../support/emulators/remote-carrier-rig.js';
import { createMemoryLog } from '../../support/memory-log.js';

/** A pair of keys: the private one as PEM, the public one as Telnyx's portal shows it. */
export function telnyxKeys(): { signingKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    signingKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    publicKey: Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('base64'),
  };
}

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
        { clock, log: createMemoryLog().log, http: createHttpClient(), publicUrl: () => publicUrl },
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
