import { z } from 'zod';
import { jsonColumn } from '#store/statements/columns.js';
import type { Tx } from '#store/unit.js';
import { enqueueDelivery } from './delivery-queue.js';
import { eventMatches, EventFilters, type FilteredEvent } from './event-filters.js';
import { EVENT_TYPES, type EventType } from './event-types.js';
import type { NewEvent } from './new-event.js';

const SubscriptionRow = z.object({
  webhook_id: z.string(),
  filters: z.union([z.null(), jsonColumn(EventFilters)]),
});

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

/** Puts an event in the queue of every webhook that wants it; filters are decided here, once. */
export async function enqueueForSubscribers(tx: Tx, event: NewEvent): Promise<void> {
  const rows = await tx.all(
    'select webhook_id, filters from subscriptions where workspace = ? and event_type = ?',
    event.workspace,
    event.type,
  );
  let about: FilteredEvent | null = null;
  for (const row of rows) {
    const { webhook_id: webhookId, filters } = SubscriptionRow.parse(row);
    if (filters) {
      about ??= await filteredEvent(tx, event);
      if (!eventMatches(filters, about)) continue;
    }
    await enqueueDelivery(tx, { webhookId, ...event });
  }
}

/**
 * What filters look at. Events about a talk do not say which way the call went or how it ended; the event that
 * announced its end, which always comes first, does.
 */
async function filteredEvent(tx: Tx, event: NewEvent): Promise<FilteredEvent> {
  const { group } = EVENT_TYPES[event.type];
  if (group !== 'data') return { group, data: event.data };
  const row = await tx.get(
    `select body from events where subject_id = ? and type in ('call.completed', 'call.failed', 'call.missed')
     order by created_at desc, id desc limit 1`,
    event.subjectId,
  );
  return { group, data: row ? CallEnd.parse(row).body.data : {} };
}

const CallEnd = z.object({
  body: jsonColumn(z.object({ data: z.record(z.string(), z.unknown()) })),
});
