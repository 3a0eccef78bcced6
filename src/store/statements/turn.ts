import type { Tx } from '#store/unit.js';

/**
 * Waits until no other transaction has its turn with something that no row stands for; then it is this one's turn until
 * it ends. Everybody takes turns and holds rows in one order, or two would wait for each other. On SQLite, which has
 * one writer, there is nothing to wait for.
 * @param name what it is about, and of which workspace
 */
export async function takeTurn(tx: Tx, name: string): Promise<void> {
  if (tx.dialect.engine !== 'postgres') return;
  await tx.get('select pg_advisory_xact_lock(hashtextextended(?, 0))', name);
}
