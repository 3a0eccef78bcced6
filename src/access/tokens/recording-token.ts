import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#kernel/time/clock.js';

/** Tokens that open the recording of one call for some time, without credentials. */
export interface RecordingTokens {
  /** @param expiresAt epoch milliseconds */
  sign(callId: string, expiresAt: number): string;
  /** Whether a token was made for this call and is still in force. */
  isValid(callId: string, token: string): boolean;
}

const SHAPE = /^rt_([0-9a-z]{1,10})_([A-Za-z0-9_-]{43})$/;

/** @param parts.secret see `signingSecret`; changing it ends all tokens that are out */
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
      // As texts: two that differ in their last character can stand for the same bytes.
      const isOurs = timingSafeEqual(Buffer.from(signatureOf(callId, expiry!)), Buffer.from(signature!));
      return isOurs && Number.parseInt(expiry!, 36) > clock.wallMs();
    },
  };
}
