import { expect, it } from 'vitest';
import { matchesHmac } from '#telephony/signatures/hmac.js';
import { handSigned } from '#test/support/signature-vectors/hand-signed.js';

it('a signature under an empty secret is nobody’s, since anybody could have made it', () => {
  const signedWith = (secret: string) =>
    matchesHmac({
      algorithm: 'sha256',
      encoding: 'hex',
      secrets: ['another', secret],
      messages: ['said'],
      signatures: [handSigned('sha256', secret, 'said', 'hex')],
    });
  expect(signedWith('secret')).toBe(true);
  expect(signedWith('')).toBe(false);
});
