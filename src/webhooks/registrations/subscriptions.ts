import type { EventFilters } from '#events/event-filters.js';
import type { EventType } from '#events/event-types.js';
import type { Tx } from '#store/unit.js';

/** Says which events a webhook wants from now on; an empty list takes it off every list. */
export async function subscribe(
  tx: Tx,
  subscription: {
    workspace: string;
    webhookId: string;
    events: readonly EventType[];
    filters: EventFilters | null;
  },
): Promise<void> {
  await tx.run('delete from subscriptions where webhook_id = ?', subscription.webhookId);
  const filters = subscription.filters && JSON.stringify(subscription.filters);
  for (const type of subscription.events) {
    await tx.run(
      'insert into subscriptions (workspace, event_type, webhook_id, filters) values (?, ?, ?, ?)',
      subscription.workspace,
      type,
      subscription.webhookId,
      filters,
    );
  }
}
