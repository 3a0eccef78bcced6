import { createHmac, timingSafeEqual } from 'node:crypto';

/** A message, and the signatures that came with it. */
export interface HmacCheck {
  algorithm: 'sha1' | 'sha256';
  encoding: 'base64' | 'hex';
  /** All that are good now. An empty one is none: anybody could sign with it. */
  secrets: readonly string[];
  /** What may have been signed: one of these is enough. */
  messages: readonly (string | Buffer)[];
  signatures: readonly string[];
}

/**
 * Whether one of the signatures is that of one of the messages under one of the secrets. Signatures are compared as
 * text, so that none has a second spelling, and in constant time.
 */
export function matchesHmac({ algorithm, encoding, secrets, messages, signatures }: HmacCheck): boolean {
  const expected = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) =>
      messages.map((message) => createHmac(algorithm, secret).update(message).digest(encoding)),
    );
  return signatures.some((signature) => expected.some((known) => isSameText(known, signature)));
}

/** Compares in a time that tells at most the length, which is no secret. */
export function isSameText(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}
