import type { Clock } from '#kernel/time/clock.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Store } from '#store/store.js';
import { syncCalls } from '#batches/dispatch/sync-calls.js';
import { readKeptTime } from '#calls/requests/scheduled-time.js';
import { defineTransactions } from '#store/transaction.js';

/** The transaction of {@link replanBatches}. */
const replanTransactions = defineTransactions('batch_plans', {
  /**
   * Recomputes the instants of batches that have not begun, from local time and zone, after a change of time-zone
   * data. Returns the batches that moved; their numbers with times of their own may have been called before. A due
   * batch stays unless its new instant is in the future.
   */
  async replan(tx, { at }: { at: number }): Promise<string[]> {
    const rows = await tx.all(
      `select id, scheduled_time, scheduled_at, coalesce(local_timezone, timezone) as timezone from batches
       where (scheduled_at > ? or initiated_at is null or initiated_at < scheduled_at)
         and status in ('scheduled', 'initiated', 'in_progress', 'paused')
         and scheduled_time is not null and coalesce(local_timezone, timezone) is not null`,
      at,
    );
    const moved: string[] = [];
    for (const { id, scheduled_time: written, scheduled_at: before, timezone: zone } of rows) {
      const scheduledAt = readKeptTime(String(written), String(zone));
      if (scheduledAt === null || scheduledAt === before || Math.max(scheduledAt, Number(before)) <= at)
        continue;
      const changed = await tx.run(
        'update batches set scheduled_at = ?, feed_at = ?, updated_at = ? where id = ? and scheduled_at = ?',
        scheduledAt,
        at,
        at,
        String(id),
        Number(before),
      );
      if (changed > 0) moved.push(String(id));
    }
    return moved;
  },
});

/** The dependencies of {@link replanBatches}. */
interface ReplanContext {
  store: Store;
  clock: Clock;
  /** The rules of the policy. */
  rules: PolicyRules;
}

/**
 * Replans batches after a change of time-zone data, at a start of the service, and syncs their calls at once: the
 * dispatcher does not sync a batch that is due by then. Returns the number of batches that moved.
 */
export async function replanBatches({ store, clock, rules }: ReplanContext): Promise<number> {
  const at = clock.wallMs();
  const moved = await store.write(replanTransactions.replan, { at });
  for (const batchId of moved) await syncCalls(store, { batchId, at, rules });
  return moved.length;
}
