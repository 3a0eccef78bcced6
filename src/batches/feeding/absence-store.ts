import { defineUnits } from '#store/unit.js';
import { BATCHES_STOPPED } from '#batches/record/stopped-batches.js';
import { holdBatches } from './hold-batches.js';

/** A batch overdue for longer than this is paused instead of called. */
export const LONGEST_ABSENCE_MS = 3_600_000;

/** Name of the row with the last instant of the watch. */
const NAME = 'batches';

/** SQL: a number is due before its batch, at a time of its own; takes an instant before which it is overdue. */
const IS_OVERDUE_ALONE = `exists (select 1 from batch_recipients where batch_id = batches.id
  and status in ('pending', 'retry_wait') and due_at > 0 and due_at < ?)`;

/**
 * SQL: batches overdue after a downtime, without calling hours of their own that would prevent calls at night; takes
 * twice the instant before which they should have begun.
 */
const OVERDUE = `call_window is null
  and (status in ('initiated', 'in_progress')
    or (status = 'scheduled' and (scheduled_at < ? or ${IS_OVERDUE_ALONE})))`;

export const absenceUnits = defineUnits('absences', {
  /**
   * Stores the instant until which the service was up. After a long downtime, overdue batches are paused: calls meant
   * for nine in the morning are not made at night. Returns their number.
   */
  async note(tx, { at, mayPause }: { at: number; mayPause: boolean }): Promise<number> {
    const row = await tx.get('select reached_at from housekeeping where name = ?', NAME);
    await tx.run(
      `insert into housekeeping (name, reached_at) values (?, ?)
       on conflict (name) do update set reached_at = excluded.reached_at`,
      NAME,
      at,
    );
    const wasThereAt = Number(row?.['reached_at'] ?? at);
    if (!mayPause || at - wasThereAt <= LONGEST_ABSENCE_MS) return 0;
    const beganBefore = at - LONGEST_ABSENCE_MS;
    const values = [beganBefore, beganBefore];
    const reason = 'the service was not running when it was due';
    const paused = await holdBatches(tx, { at, reason, which: OVERDUE, values });
    for (let i = 0; i < paused; i += 1) tx.tally({ name: BATCHES_STOPPED, labels: { status: 'paused' } });
    return paused;
  },
});
