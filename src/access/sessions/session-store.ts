import { z } from 'zod';
import { insertInto } from '#store/statements/insert.js';
import { defineTransactions } from '#store/transaction.js';

/** A row of `console_sessions`: a browser that is signed in to the console. Instants are epoch milliseconds. */
export const SessionRow = z.object({
  token_hash: z.string(),
  /** The SHA-256 of the API key that opened the session; null for a session that was opened by a link. */
  key_hash: z.string().nullable(),
  created_at: z.number(),
  expires_at: z.number(),
});
export type SessionRow = z.infer<typeof SessionRow>;

/** The transactions on the table `console_sessions`, for `createSessions`. */
export const sessionTransactions = defineTransactions('console_sessions', {
  /** Stores a new session. */
  async create(tx, args: { session: SessionRow }): Promise<void> {
    await insertInto(tx, 'console_sessions', { ...args.session });
  },

  /** The session of a token, even if it has expired; null if there is none. */
  async find(tx, args: { tokenHash: string }): Promise<SessionRow | null> {
    const row = await tx.get('select * from console_sessions where token_hash = ?', args.tokenHash);
    return row ? SessionRow.parse(row) : null;
  },

  /** Deletes a session; no error if it does not exist. */
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
