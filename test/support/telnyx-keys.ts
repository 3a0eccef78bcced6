import { generateKeyPairSync } from 'node:crypto';

/** A key pair: the private key as PEM, the public one in the format of Telnyx's portal. */
export function telnyxKeys(): { signingKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    signingKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    publicKey: Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('base64'),
  };
}
