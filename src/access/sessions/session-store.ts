import { z } from 'zod';
import { insertInto } from '#store/statements/insert.js';
import { defineTransactions } from '#store/transaction.js';

/** A row of `console_sessions`; instants are epoch milliseconds. */
export const SessionRow = z.object({
  token_hash: z.string(),
  /** Null for a session that was opened by a link. */
  key_hash: z.string().nullable(),
  created_at: z.number(),
  expires_at: z.number(),
});
export type SessionRow = z.infer<typeof SessionRow>;

/** The transactions on the table `console_sessions`. */
export const sessionTransactions = defineTransactions('console_sessions', {
  async create(tx, args: { session: SessionRow }): Promise<void> {
    await insertInto(tx, 'console_sessions', { ...args.session });
  },

  /** The session of a token, even if it has expired; null if there is none. */
  async find(tx, args: { tokenHash: string }): Promise<SessionRow | null> {
    const row = await tx.get('select * from console_sessions where token_hash = ?', args.tokenHash);
    return row ? SessionRow.parse(row) : null;
  },

  async remove(tx, args: { tokenHash: string }): Promise<void> {
    await tx.run('delete from console_sessions where token_hash = ?', args.tokenHash);
  },

  /** Deletes at most `limit` expired sessions and returns how many. */
  async purge(tx, args: { now: number; limit: number }): Promise<number> {
    return tx.run(
      `delete from console_sessions where token_hash in (
         select token_hash from console_sessions where expires_at <= ? order by expires_at limit ?)`,
      args.now,
      args.limit,
    );
  },
});
