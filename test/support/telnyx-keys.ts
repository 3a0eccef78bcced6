import { generateKeyPairSync } from 'node:crypto';

/** A pair of keys: the private one as PEM, the public one as Telnyx's portal shows it. */
export function telnyxKeys(): { signingKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    signingKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    publicKey: Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('base64'),
  };
}
