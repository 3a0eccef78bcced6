import { findSuppression } from '../policy/suppression-store.js';
import { defineUnits, type Tx } from '../store/unit.js';
import { askAboutNext, type AcceptMoment } from './accept-schedule.js';
import { endExecution } from './runs.js';
import type { ScheduleRow } from './schedule.js';
import { lockSchedule, openExecutions, setSchedule } from './schedule-rows.js';

/** How executions end that will not be dialled because nobody may call the number any more. */
const SUPPRESSED = { status: 'cancelled', error: 'suppressed' } as const;

export const scheduleOffUnits = defineUnits('schedule-offs', {
  /** Schedules that would still call one of some numbers, by id. At most some hundred numbers. */
  async waiting(
    tx,
    args: { workspace: string; phoneNumbers: readonly string[]; after: string; limit: number },
  ): Promise<string[]> {
    const rows = await tx.all(
      `select id from schedules
       where workspace = ? and phone_number in (${args.phoneNumbers.map(() => '?').join(', ')})
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
   * Cancels a schedule whose number is on the suppression list for as long as it would call it. What the policy says to
   * its next call is kept, so that it can be asked why nobody called.
   */
  async cancel(tx, args: { scheduleId: string } & AcceptMoment): Promise<void> {
    const schedule = await lockSchedule(tx, args.scheduleId);
    if (!schedule || !(await isOff(tx, schedule, args.at))) return;
    await askAboutNext(tx, schedule, args);
    await callOff(tx, schedule, args.at);
  },
});

/** An entry that ends leaves alone whatever comes after it: until then the policy refuses each call by itself. */
async function isOff(tx: Tx, schedule: ScheduleRow, at: number): Promise<boolean> {
  const { workspace, phone_number: phoneNumber } = schedule;
  const entry = await findSuppression(tx, { workspace, phoneNumber, now: at });
  if (!entry) return false;
  const { expires_at: end } = entry;
  return end === null || (schedule.kind === 'one_time' && (schedule.next_run_at ?? at) < end);
}

/** What is planned and what waits for another try is off, and the receiver hears why. A live call ends its own run. */
async function callOff(tx: Tx, schedule: ScheduleRow, at: number): Promise<void> {
  if (schedule.status !== 'scheduled' && schedule.status !== 'paused' && schedule.status !== 'in_progress')
    return;
  const open = await openExecutions(tx, schedule.id);
  const isLive = open.some(({ status }) => status === 'in_progress');
  if (schedule.status === 'in_progress' && isLive) return;
  let current = await setSchedule(
    tx,
    schedule,
    { status: 'cancelled', shown_status: null, cancelled_at: at, paused_at: null, next_run_at: null },
    at,
  );
  for (const execution of open) {
    if (execution.status !== 'in_progress')
      current = await endExecution(tx, current, execution, SUPPRESSED, at);
  }
}
