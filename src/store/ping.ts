import { defineUnits } from './unit.js';

/** Whether the database answers at all. */
export const pingUnits = defineUnits('store', {
  async ping(tx): Promise<void> {
    await tx.get('select 1 as one');
  },
});
