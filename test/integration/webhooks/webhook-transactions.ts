import type { NewEvent } from '#events/outbox.js';
import { recordEvents } from '#webhooks/deliveries/record-events.js';
import { defineTransactions } from '#store/transaction.js';

/** Transactions that other modules run on webhooks, and reads of tables for assertions. */
export const webhookTestTransactions = defineTransactions('webhook-test', {
  async record(tx, args: { events: readonly NewEvent[] }): Promise<void> {
    for (const event of args.events) await recordEvents(tx, [event]);
  },

  /** Sets when the failures of a webhook began. */
  async forgetFailures(tx): Promise<void> {
    await tx.run('update webhooks set failures_in_row = 0, probe_at = null');
  },

  /** Counts events, deliveries and attempts. */
  async kept(tx): Promise<Record<'events' | 'deliveries' | 'attempts', number>> {
    const count = async (table: string) =>
      Number((await tx.get(`select count(*) as count from ${table}`))?.['count']);
    return {
      events: await count('events'),
      deliveries: await count('deliveries'),
      attempts: await count('delivery_attempts'),
    };
  },

  async statuses(tx): Promise<Record<string, number>> {
    const rows = await tx.all('select status, count(*) as how_many from deliveries group by status');
    return Object.fromEntries(rows.map((row) => [String(row['status']), Number(row['how_many'])]));
  },

  /** All attempts, by delivery and attempt. */
  async attempts(tx, args: { webhookId: string }) {
    return tx.all(
      `select attempt, started_at, started_at + duration_ms as ended_at, outcome from delivery_attempts
       join deliveries on deliveries.id = delivery_id where webhook_id = ? order by delivery_id, attempt`,
      args.webhookId,
    );
  },
});
