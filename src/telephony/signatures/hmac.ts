import { createHmac, timingSafeEqual } from 'node:crypto';

/** A message to verify, its signatures, and the secrets that may have signed it. */
export interface HmacCheck {
  algorithm: 'sha1' | 'sha256';
  encoding: 'base64' | 'hex';
  /** The current secrets. An empty one is ignored, because any sender could sign with it. */
  secrets: readonly string[];
  /** Candidates for the signed message: one match is enough. */
  messages: readonly (string | Buffer)[];
  /** The signatures in the request: one match is enough. */
  signatures: readonly string[];
}

/**
 * True if a signature of a carrier's webhook matches a message under one of the secrets. Signatures are compared in
 * constant time, and as text, so that each has only one valid spelling.
 */
export function matchesHmac({ algorithm, encoding, secrets, messages, signatures }: HmacCheck): boolean {
  const expected = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) =>
      messages.map((message) => createHmac(algorithm, secret).update(message).digest(encoding)),
    );
  return signatures.some((signature) => expected.some((valid) => isSameText(valid, signature)));
}

/** True for equal texts. Takes constant time, except for a difference of length, which is no secret. */
export function isSameText(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}
