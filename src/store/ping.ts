import { z } from 'zod';
import { defineUnits } from './unit.js';

/** What the database can be asked whatever is kept in it. */
export const pingUnits = defineUnits('store', {
  /** Whether it answers at all. */
  async ping(tx): Promise<void> {
    await tx.get('select 1 as one');
  },

  /** Whether it takes changes: one of nothing, which writes nothing, and is refused where one of something would be. */
  async takesChanges(tx): Promise<void> {
    await tx.run('update schema_migrations set name = name where name is null');
  },

  /** What time it is there (epoch milliseconds); null where that is the time of this machine. */
  async now(tx): Promise<number | null> {
    if (tx.dialect.clock === null) return null;
    const row = await tx.get(`select ${tx.dialect.clock} as now`);
    return z.number().int().parse(row?.['now']);
  },
});
