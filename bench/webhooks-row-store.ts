import type { NewEvent } from '#events/outbox.js';
import { recordEvents } from '#webhooks/deliveries/record-events.js';
import { defineTransactions } from '#store/transaction.js';

/** What the rest of the service does to webhooks: it records events. */
export const rowTransactions = defineTransactions('webhooks-bench', {
  async record(tx, args: { events: readonly NewEvent[] }): Promise<void> {
    for (const event of args.events) await recordEvents(tx, [event]);
  },

  /** Whether there is a delivery whose outcome is not written yet. */
  async isWaiting(tx): Promise<boolean> {
    const row = await tx.get(
      `select id from deliveries where status = 'pending'
       union all select id from deliveries where status = 'sending' limit 1`,
    );
    return row !== undefined;
  },

  /** How many deliveries there are, and how many of them were delivered at the first attempt. */
  async counts(tx): Promise<{ all: number; delivered: number }> {
    const row = await tx.get(
      `select count(*) as deliveries,
         (select count(*) from deliveries join delivery_attempts on delivery_id = deliveries.id
          where status = 'delivered' and attempts = 1 and outcome = 'success') as delivered
       from deliveries`,
    );
    return { all: Number(row?.['deliveries']), delivered: Number(row?.['delivered']) };
  },
});
