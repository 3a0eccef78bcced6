import { z } from 'zod';
import { defineUnits } from './unit.js';

/** What the database can be asked whatever is kept in it. */
export const pingUnits = defineUnits('store', {
  /** Whether it answers at all. */
  async ping(tx): Promise<void> {
    await tx.get('select 1 as one');
  },

  /** What time it is there (epoch milliseconds); null where that is the time of this machine. */
  async now(tx): Promise<number | null> {
    if (tx.dialect.clock === null) return null;
    const row = await tx.get(`select ${tx.dialect.clock} as now`);
    return z.number().int().parse(row?.['now']);
  },
});
