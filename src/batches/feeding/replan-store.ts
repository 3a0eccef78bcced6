import { readKeptTime } from '#calls/requests/scheduled-time.js';
import { defineUnits } from '#store/unit.js';

export const replanUnits = defineUnits('batch_plans', {
  /**
   * Finds the instants of batches that are still to begin anew, from the local time that was asked for and the zone in
   * which it was read: the time-zone data may be other than that by which they were found. Returns those that have
   * moved. Numbers with a time of their own may have been called before. What was due stays, unless it lies ahead after
   * all.
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
