import type { NewEvent } from '#events/outbox.js';
import { recordEvents } from '#webhooks/deliveries/record-events.js';
import { defineTransactions } from '#store/transaction.js';

export const webhookKillTransactions = defineTransactions('webhook-kill', {
  async record(tx, args: { events: readonly NewEvent[] }): Promise<void> {
    for (const event of args.events) await recordEvents(tx, [event]);
  },

  /** How many events there are, and how many of them were delivered. */
  async progress(tx): Promise<{ recorded: number; delivered: number }> {
    const row = await tx.get(
      `select (select count(*) from events) as recorded,
         (select count(*) from deliveries where status = 'delivered') as delivered`,
    );
    return { recorded: Number(row?.['recorded']), delivered: Number(row?.['delivered']) };
  },
});
