import { createHash } from 'node:crypto';
import type { Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';
import { postInsert } from '#store/statements/insert.js';
import { defineTransactions, type Tx } from '#store/transaction.js';

/*
 * A stream token lets a carrier open the audio socket of one call, once. Only the hashes of tokens are stored (table
 * `stream_tokens`). Clients open sockets with their own credentials.
 */

/** The time in which the socket of a token must open. */
export const STREAM_TOKEN_TTL_MS = 60_000;
const SECRET_BYTES = 24;

/** A new token with its hash. */
export interface MintedStreamToken {
  token: string;
  tokenHash: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Creates a token `st_…`. It works once {@link storeStreamToken} has bound it to a call. */
export function mintStreamToken({ ids, clock }: { ids: Ids; clock: Clock }): MintedStreamToken {
  const token = `st_${ids.secret(SECRET_BYTES).toString('base64url')}`;
  return { token, tokenHash: hashStreamToken(token), expiresAt: clock.wallMs() + STREAM_TOKEN_TTL_MS };
}

/** The stored form of a token: its SHA-256. */
export function hashStreamToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Binds a token to its call, in the transaction of the calling code. */
export function storeStreamToken(
  tx: Tx,
  args: { callId: string; tokenHash: string; expiresAt: number },
): void {
  postInsert(tx, 'stream_tokens', {
    token_hash: args.tokenHash,
    call_id: args.callId,
    expires_at: args.expiresAt,
    used_at: null,
  });
}

/**
 * Redeems a token, in the transaction that opens the stream.
 * @param args.at epoch milliseconds
 * @returns the id of its call; null for an unknown, used or expired token
 */
export async function redeemStreamToken(
  tx: Tx,
  args: { tokenHash: string; at: number },
): Promise<string | null> {
  const row = await tx.get(
    `update stream_tokens set used_at = ?
     where token_hash = ? and used_at is null and expires_at > ? returning call_id`,
    args.at,
    args.tokenHash,
    args.at,
  );
  return row ? String(row['call_id']) : null;
}

/** The transactions on the table `stream_tokens`, for code without a transaction of its own. */
export const streamTokenTransactions = defineTransactions('stream_tokens', {
  /** {@link storeStreamToken} as a transaction of its own. */
  async keep(tx, args: { callId: string; tokenHash: string; expiresAt: number }): Promise<void> {
    storeStreamToken(tx, args);
  },

  /** Deletes at most `limit` expired tokens and returns how many. */
  async purge(tx, args: { now: number; limit: number }): Promise<number> {
    return tx.run(
      `delete from stream_tokens where token_hash in (
         select token_hash from stream_tokens where expires_at <= ? order by token_hash limit ?)`,
      args.now,
      args.limit,
    );
  },
});
