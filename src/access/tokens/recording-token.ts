import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#kernel/time/clock.js';

/**
 * Signed tokens for links to recordings, in the URLs of calls and events: each gives access to the recording of one
 * call until it expires, without credentials.
 */
export interface RecordingTokens {
  /**
   * Creates a token `rt_…`.
   * @param expiresAt epoch milliseconds
   */
  sign(callId: string, expiresAt: number): string;
  /** True for an unexpired token of this call. */
  isValid(callId: string, token: string): boolean;
}

/** The expiry in base 36, and the signature (HMAC-SHA-256) in base64url. */
const SHAPE = /^rt_([0-9a-z]{1,10})_([A-Za-z0-9_-]{43})$/;

/**
 * Creates and checks the tokens. They are not stored.
 * @param parts.secret the key of `signingSecret`; a change invalidates all tokens
 */
export function createRecordingTokens(parts: { secret: Buffer; clock: Clock }): RecordingTokens {
  const { secret, clock } = parts;
  const signatureOf = (callId: string, expiry: string) =>
    createHmac('sha256', secret).update(`recording\n${callId}\n${expiry}`).digest('base64url');
  return {
    sign(callId, expiresAt) {
      const expiry = expiresAt.toString(36);
      return `rt_${expiry}_${signatureOf(callId, expiry)}`;
    },
    isValid(callId, token) {
      const match = SHAPE.exec(token);
      if (!match) return false;
      const [, expiry, signature] = match;
      // Compared as text: base64url texts that differ in their last character may decode to the same bytes.
      const isOurs = timingSafeEqual(Buffer.from(signatureOf(callId, expiry!)), Buffer.from(signature!));
      return isOurs && Number.parseInt(expiry!, 36) > clock.wallMs();
    },
  };
}
