import { placeholders } from '#store/statements/placeholders.js';
import { defineUnits } from '#store/unit.js';
import { askAboutNext, type AcceptMoment } from '#schedules/record/accept-schedule.js';
import { lockSchedule } from '#schedules/record/schedule-rows.js';
import { callOff, isSuppressed } from '#schedules/runs/settling/suppressed-schedule.js';

export const scheduleCancellationUnits = defineUnits('schedule_cancellations', {
  /** Ids of schedules that would still call one of these numbers (at most some hundred). */
  async waiting(
    tx,
    args: { workspace: string; phoneNumbers: readonly string[]; after: string; limit: number },
  ): Promise<string[]> {
    const rows = await tx.all(
      `select id from schedules
       where workspace = ? and phone_number in (${placeholders(args.phoneNumbers)})
         and status in ('scheduled', 'paused', 'in_progress') and id > ?
       order by id limit ?`,
      args.workspace,
      ...args.phoneNumbers,
      args.after,
      args.limit,
    );
    return rows.map((row) => String(row['id']));
  },

  /**
   * Cancels a schedule whose number is suppressed for all its remaining calls. The policy's decision on its next call
   * is stored, so that the reason can be looked up.
   */
  async cancel(tx, args: { scheduleId: string } & AcceptMoment): Promise<void> {
    const schedule = await lockSchedule(tx, args.scheduleId);
    if (!schedule || !(await isSuppressed(tx, schedule, args.at))) return;
    await askAboutNext(tx, schedule, args);
    await callOff(tx, schedule, args.at);
  },
});
