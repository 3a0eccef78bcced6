import { createHmac } from 'node:crypto';

/** Signs a text that the test spells out. */
export function handSigned(
  algorithm: 'sha1' | 'sha256',
  secret: string,
  text: string,
  encoding: 'base64' | 'hex',
): string {
  return createHmac(algorithm, secret).update(text).digest(encoding);
}
