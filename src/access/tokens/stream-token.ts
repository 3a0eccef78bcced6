import { createHash } from 'node:crypto';
import type { Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';

/** How long a token may wait for its socket. */
export const STREAM_TOKEN_TTL_MS = 60_000;
const SECRET_BYTES = 24;

/** A token that binds one socket to one call, once. Only its hash is stored. */
export interface MintedStreamToken {
  token: string;
  tokenHash: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Makes a token `st_…`; `keepStreamToken` binds it to its call. */
export function mintStreamToken({ ids, clock }: { ids: Ids; clock: Clock }): MintedStreamToken {
  const token = `st_${ids.secret(SECRET_BYTES).toString('base64url')}`;
  return { token, tokenHash: hashStreamToken(token), expiresAt: clock.wallMs() + STREAM_TOKEN_TTL_MS };
}

/** The SHA-256 of a stream token: only this is stored. */
export function hashStreamToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
