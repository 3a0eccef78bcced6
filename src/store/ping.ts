import { z } from 'zod';
import { defineTransactions } from './transaction.js';

/** Transactions that probe the database itself, for `/health/ready` and `ClockSynchroniser`. */
export const pingTransactions = defineTransactions('store', {
  /** Resolves if the database answers. */
  async ping(tx): Promise<void> {
    await tx.get('select 1 as one');
  },

  /** Resolves if the database accepts writes: an update of no rows is refused like any other write. */
  async takesChanges(tx): Promise<void> {
    await tx.run('update schema_migrations set name = name where name is null');
  },

  /** The database's clock (epoch milliseconds); null on SQLite, whose clock is that of this machine. */
  async now(tx): Promise<number | null> {
    if (tx.dialect.clock === null) return null;
    const row = await tx.get(`select ${tx.dialect.clock} as now`);
    return z.number().int().parse(row?.['now']);
  },
});
