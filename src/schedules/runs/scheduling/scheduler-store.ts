import { z } from 'zod';
import { LIMIT } from '#store/statements/limit.js';
import { defineTransactions } from '#store/transaction.js';
import { performDue } from './due-execution.js';
import { planEarlier } from '#schedules/runs/executions/plan-earlier.js';
import { replanSchedule } from '#schedules/runs/executions/replan.js';
import { countRunOver } from '#schedules/runs/executions/run-counters.js';
import { lockSchedule } from '#schedules/record/schedule-rows.js';
import { settleScheduledCall } from '#schedules/runs/settling/settle-call.js';

/** A due execution, claimed by this process. */
export const DueExecution = z.object({
  id: z.string(),
  schedule_id: z.string(),
  /** An unreadable instant counts as long past: the execution is given up at once instead of blocking others. */
  planned_at: z.number().int().catch(0),
});
export type DueExecution = z.infer<typeof DueExecution>;

/** The facts about a workspace behind `GET /api/scheduler/health`; instants are epoch milliseconds. */
export interface SchedulerFacts {
  /** Schedules that wait for their next run. */
  pending: number;
  /** All schedules. */
  total: number;
  lastExecutionAt: number | null;
  /** Executions that failed or were missed since the day began. */
  failedToday: number;
  nextRunAt: number | null;
}

/**
 * The transactions of the scheduler: claiming, running, settling and replanning. For `DueWork` and `Scheduler`, the
 * health check (`facts`) and the restoration of a backup (`giveUp`).
 */
export const schedulerTransactions = defineTransactions('scheduler', {
  /**
   * Claims due executions by moving `due_at` to `leaseUntil`: an execution that is not performed by then is due again,
   * and blocks no other meanwhile.
   */
  async claim(tx, args: { now: number; leaseUntil: number; limit: number }): Promise<DueExecution[]> {
    const rows = await tx.all(
      `update executions set due_at = ? where id in (
         select id from executions where status = 'pending' and due_at <= ?
         order by due_at, id ${LIMIT}${tx.dialect.skipLocked}
       ) returning id, schedule_id, planned_at`,
      args.leaseUntil,
      args.now,
      args.limit,
    );
    return rows
      .map((row) => DueExecution.parse(row))
      .sort((a, b) => a.planned_at - b.planned_at || (a.id < b.id ? -1 : 1));
  },

  /** When the next pending execution is due; null if there is none. */
  async nextDueAt(tx): Promise<number | null> {
    const row = await tx.get(`select min(due_at) as due_at from executions where status = 'pending'`);
    return instantOf(row?.['due_at']);
  },

  performDue,

  /**
   * Gives up an execution that cannot be performed or ended, as with an unreadable row, if it still has the status in
   * which it was found. It ends as failed, the pending executions of its schedule as cancelled, and the schedule itself
   * as failed, unless it is paused or over. Plain SQL that parses no row.
   */
  async giveUp(
    tx,
    args: { executionId: string; scheduleId: string; status: 'pending' | 'in_progress'; at: number },
  ): Promise<void> {
    await tx.get(`select id from schedules where id = ?${tx.dialect.forUpdate}`, args.scheduleId);
    const ended = await tx.run(
      `update executions set status = 'failed', error = ?, finished_at = ?, updated_at = ?
       where id = ? and status = ?`,
      args.status === 'pending' ? 'internal_error' : 'uncertain',
      args.at,
      args.at,
      args.executionId,
      args.status,
    );
    if (ended === 0) return;
    countRunOver(tx, 'failed');
    await tx.run(
      `update executions set status = 'cancelled', finished_at = ?, updated_at = ?
       where schedule_id = ? and status in ('pending', 'held')`,
      args.at,
      args.at,
      args.scheduleId,
    );
    await tx.run(
      `update schedules set status = 'failed', next_run_at = null, last_status = 'failed', updated_at = ?
       where id = ? and status in ('scheduled', 'in_progress')`,
      args.at,
      args.scheduleId,
    );
  },

  settle: settleScheduledCall,

  /** The ids of up to `limit` schedules that were planned with other time-zone data. */
  async plannedWithOtherData(tx, args: { timeZoneVersion: string; limit: number }): Promise<string[]> {
    const ids: string[] = [];
    // Two ranges instead of `<>`, which could not use the index.
    for (const comparison of ['<', '>']) {
      const rows = await tx.all(
        `select id from schedules where status in ('scheduled', 'paused') and time_zone_version ${comparison} ?
         order by time_zone_version, id limit ?`,
        args.timeZoneVersion,
        args.limit,
      );
      ids.push(...rows.map((row) => String(row['id'])));
    }
    return ids.slice(0, args.limit);
  },

  /** Replans a schedule with the current time-zone data; see `replanSchedule`. */
  async replan(tx, args: { scheduleId: string; timeZoneVersion: string; at: number }): Promise<void> {
    const schedule = await lockSchedule(tx, args.scheduleId);
    if (schedule) await replanSchedule(tx, schedule, args);
  },

  /** Marks an unreadable schedule as planned with the current data, so that replanning does not stop at it. */
  async leaveAsPlanned(tx, args: { scheduleId: string; timeZoneVersion: string }): Promise<void> {
    await tx.run(
      'update schedules set time_zone_version = ? where id = ?',
      args.timeZoneVersion,
      args.scheduleId,
    );
  },

  /**
   * A page of the ids of schedules that were planned too late while the clock ran ahead, in the order of the ids: their
   * used-up occurrences, or a change of their waiting retry, lie after `at`.
   */
  async plannedTooLate(tx, args: { at: number; after: string; limit: number }): Promise<string[]> {
    const rows = await tx.all(
      `select id from schedules where id > ? and (
         (status in ('scheduled', 'paused') and planned_after > ?)
         or id in (select schedule_id from executions where status = 'pending' and attempt > 1 and updated_at > ?)
       ) order by id limit ?`,
      args.after,
      args.at,
      args.at,
      args.limit,
    );
    return rows.map((row) => String(row['id']));
  },

  planEarlier,

  /** The {@link SchedulerFacts}. */
  async facts(tx, args: { workspace: string; dayStartedAt: number }): Promise<SchedulerFacts> {
    const row = await tx.get(
      `select
         (select count(*) from schedules where workspace = ? and status = 'scheduled') as pending,
         (select count(*) from schedules where workspace = ?) as total,
         (select max(started_at) from executions where workspace = ? and started_at is not null) as last_execution_at,
         (select count(*) from executions where workspace = ? and status in ('failed', 'missed')
            and finished_at >= ?) as failed_today,
         (select min(next_run_at) from schedules
            where workspace = ? and next_run_at is not null and status = 'scheduled') as next_run_at`,
      args.workspace,
      args.workspace,
      args.workspace,
      args.workspace,
      args.dayStartedAt,
      args.workspace,
    );
    return {
      pending: Number(row?.['pending'] ?? 0),
      total: Number(row?.['total'] ?? 0),
      lastExecutionAt: instantOf(row?.['last_execution_at']),
      failedToday: Number(row?.['failed_today'] ?? 0),
      nextRunAt: instantOf(row?.['next_run_at']),
    };
  },
});

function instantOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
