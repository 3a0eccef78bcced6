import { placeholders } from '#store/statements/placeholders.js';
import { defineUnits } from '#store/unit.js';

/** Of events of which every delivery is over. */
const ALL_OVER = `not exists (select 1 from deliveries as others
  where others.event_id = deliveries.event_id and others.status in ('pending', 'sending'))`;

export const retentionUnits = defineUnits('event_retention', {
  /**
   * Looks at the next `limit` events after the one named, in the order of their making, which is that of their ids.
   * Those that were made before an instant, and that nobody waits for any more, are removed with their deliveries and
   * attempts. Returns the last of them, or null when there are no further ones.
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
    // One by one and in their own state: a delivery may be sent again on request at this very moment.
    await tx.run(
      `delete from deliveries where event_id in (${placeholders(ids)}) and status not in ('pending', 'sending')
         and ${ALL_OVER}`,
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
