import type { Purge } from '#housekeeping/retention-sweep.js';
import type { Store } from '#store/store.js';
import { placeholders } from '#store/statements/placeholders.js';
import { defineTransactions } from '#store/transaction.js';

const DAY_MS = 86_400_000;
/** How many events one transaction reads: to delete 20 events with their deliveries takes a few milliseconds. */
const EVENTS_AT_ONCE = 20;

/**
 * The purge of events older than `keptDays`, with their deliveries and attempts, for the retention sweep. Events with
 * unfinished deliveries stay. Each call removes a few events, and resolves true if there may be more.
 */
export function eventPurge(store: Store, keptDays: number): Purge {
  // The id of the last event that was read; empty at the start of a round. Events that stay are read again only in the
  // next round.
  let after = '';
  return async (now) => {
    const createdBefore = now - keptDays * DAY_MS;
    const last = await store.write(retentionTransactions.purge, {
      createdBefore,
      after,
      limit: EVENTS_AT_ONCE,
    });
    after = last ?? '';
    return last !== null;
  };
}

/** Condition on a delivery: all deliveries of its event are finished. */
const ALL_FINISHED = `not exists (select 1 from deliveries as others
  where others.event_id = deliveries.event_id and others.status in ('pending', 'sending'))`;

const retentionTransactions = defineTransactions('event_retention', {
  /**
   * Reads the next `limit` events after an id, in the order of creation, and removes those that were created before an
   * instant (epoch milliseconds) and have no open delivery. Returns the last id read; null when the slice reaches an
   * event that is too recent, or the end of the table.
   */
  async purge(tx, args: { createdBefore: number; after: string; limit: number }): Promise<string | null> {
    const { createdBefore, after, limit } = args;
    const rows = await tx.all(
      'select id, created_at from events where id > ? order by id limit ?',
      after,
      limit,
    );
    const ids = rows
      .filter((row) => Number(row['created_at']) < createdBefore)
      .map((row) => String(row['id']));
    if (ids.length === 0) return null;
    // The conditions are checked again in the statement: a delivery may be resent at this moment.
    await tx.run(
      `delete from deliveries where event_id in (${placeholders(ids)}) and status not in ('pending', 'sending')
         and ${ALL_FINISHED}`,
      ...ids,
    );
    await tx.run(
      `delete from events where id in (${placeholders(ids)})
         and not exists (select 1 from deliveries where deliveries.event_id = events.id)`,
      ...ids,
    );
    return ids.length < limit ? null : ids.at(-1)!;
  },
});
