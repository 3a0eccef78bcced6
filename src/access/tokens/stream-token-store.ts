import { insertInto } from '#store/statements/insert.js';
import { defineUnits, type Tx } from '#store/unit.js';

/** Binds a minted token to its call, in the transaction of whatever needs the token. */
export async function keepStreamToken(
  tx: Tx,
  args: { callId: string; tokenHash: string; expiresAt: number },
): Promise<void> {
  await insertInto(tx, 'stream_tokens', {
    token_hash: args.tokenHash,
    call_id: args.callId,
    expires_at: args.expiresAt,
    used_at: null,
  });
}

/** Uses a token up. The id of its call, or null when the token is unknown, used or expired. */
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

export const streamTokenUnits = defineUnits('stream_tokens', {
  keep: keepStreamToken,

  /** Forgets at most `limit` expired tokens and says how many. */
  async purge(tx, args: { now: number; limit: number }): Promise<number> {
    return tx.run(
      `delete from stream_tokens where token_hash in (
         select token_hash from stream_tokens where expires_at <= ? order by token_hash limit ?)`,
      args.now,
      args.limit,
    );
  },
});
