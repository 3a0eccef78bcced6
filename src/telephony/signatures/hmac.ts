import { createHmac, timingSafeEqual } from 'node:crypto';

/** A message and its signatures. */
export interface HmacCheck {
  algorithm: 'sha1' | 'sha256';
  encoding: 'base64' | 'hex';
  /** The current secrets. An empty one is ignored, as anybody could sign with it. */
  secrets: readonly string[];
  /** Candidates for the signed message: one match is enough. */
  messages: readonly (string | Buffer)[];
  signatures: readonly string[];
}

/**
 * True if a signature matches a message under one of the secrets. Compared as text, so that a signature has one
 * spelling, and in constant time.
 */
export function matchesHmac({ algorithm, encoding, secrets, messages, signatures }: HmacCheck): boolean {
  const expected = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) =>
      messages.map((message) => createHmac(algorithm, secret).update(message).digest(encoding)),
    );
  return signatures.some((signature) => expected.some((known) => isSameText(known, signature)));
}

/** Constant-time comparison, except for the length, which is no secret. */
export function isSameText(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}
