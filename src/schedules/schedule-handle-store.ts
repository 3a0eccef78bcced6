import { z } from 'zod';
import { Problem } from '#kernel/errors/errors.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import { changeSchedule, type ChangeContext } from '#schedules/changes/schedule-change.js';
import {
  cancelSchedule,
  pauseSchedule,
  resumeSchedule,
  type Stop,
  type Stopped,
} from '#schedules/changes/schedule-commands.js';
import { isRestartable, type ScheduleStatus } from '#schedules/record/schedule-machine.js';
import type { ScheduleUpdate } from '#schedules/record/schedule-request.js';
import { ExecutionRow, type ScheduleRow } from '#schedules/record/schedule.js';
import { findSchedule, scheduleNotFound, setSchedule } from '#schedules/record/schedule-rows.js';
import { STATUS_WORDS, type StatusWord, type WantedStatus } from '#schedules/record/status-words.js';
import { requireSettledSchedule } from '#schedules/runs/settling/settled-schedule.js';
import { hasAllEnds, type CallEnd, type StoppedCalls } from '#schedules/runs/settling/waiting-calls.js';

/** A schedule as `/batch/scheduled-calls` shows it, with its last attempt. */
export interface ScheduleHandleRecord {
  schedule: ScheduleRow;
  agentName: string;
  /** Number of calls made, including calls whose executions were deleted since. */
  attempts: number;
  /** The latest execution that has started or ended; null before the first. */
  last: ExecutionRow | null;
}

/** Effect of a status word on a schedule. The result lists live calls only if they must be hung up. */
type Action = (tx: Tx, schedule: ScheduleRow, stop: Stop) => Promise<Stopped>;

/** The effects by the status that a word requests. */
const ACTIONS: Record<WantedStatus, Action> = {
  async scheduled(tx, schedule, { at }) {
    return { schedule: await resumeSchedule(tx, schedule, at), over: [], liveCallIds: [] };
  },
  async paused(tx, schedule, stop) {
    return { ...(await pauseSchedule(tx, schedule, stop)), liveCallIds: [] };
  },
  cancelled: cancelSchedule,
  /** Closes without dialling. @throws Problem `invalid_state` while a call is in progress */
  async completed(tx, schedule, stop) {
    const closed = await cancelSchedule(tx, schedule, stop);
    if (closed.liveCallIds.length === 0) return closed;
    throw new Problem('invalid_state', 'A call of this schedule is in progress.');
  },
};

/** Wanted statuses that end a schedule. */
const CLOSING: readonly WantedStatus[] = ['cancelled', 'completed'];

/** The key of a handle: the schedule as clients see it under `/batch/scheduled-calls`. */
interface HandleKey {
  workspace: string;
  id: string;
}

/** The transactions of `ScheduleHandles`. A handle may be deleted; its schedule then stays readable at its own path. */
export const scheduleHandleTransactions = defineTransactions('schedule_handles', {
  /** One schedule. @throws Problem `scheduled_call_not_found`, also for a deleted handle */
  async find(tx, args: HandleKey): Promise<ScheduleHandleRecord> {
    return describe(tx, requireKnown(await findSchedule(tx, args)));
  },

  /**
   * Changes fields and status of a schedule in one transaction. Returns null without effect if the status changes and
   * `ends` misses an open call; see `stopWithCalls`.
   */
  async change(
    tx,
    args: HandleKey & {
      update: Partial<ScheduleUpdate>;
      word: StatusWord | null;
      context: ChangeContext;
      ends: readonly CallEnd[];
    },
  ): Promise<(ScheduleHandleRecord & StoppedCalls) | null> {
    const { word, context, ends } = args;
    const found = await requireHandle(tx, { ...args, at: context.at });
    if (word && !(await hasAllEnds(tx, found.id, ends))) return null;
    // A request that closes a finished schedule does not start it again at a new time.
    const staysOver = isRestartable(found.status) && word !== null && CLOSING.includes(STATUS_WORDS[word]);
    const update = staysOver
      ? { ...args.update, scheduled_time: undefined, timezone: undefined }
      : args.update;
    const isChanged = Object.values(update).some((value) => value !== undefined);
    const schedule = isChanged ? (await changeSchedule(tx, found, update, context)).schedule : found;
    if (word === null) return { over: [], liveCallIds: [], ...(await describe(tx, schedule)) };
    const done = await ACTIONS[STATUS_WORDS[word]](tx, schedule, { at: context.at, ends });
    const shown = await setSchedule(tx, done.schedule, { shown_status: word }, context.at);
    return { ...done, ...(await describe(tx, shown)) };
  },

  /**
   * Deletes the handle, and cancels the schedule if it is not over. Returns null without effect if `ends` misses an
   * open call.
   */
  async remove(tx, args: HandleKey & Stop): Promise<({ status: ScheduleStatus } & StoppedCalls) | null> {
    const found = await requireHandle(tx, args);
    if (!(await hasAllEnds(tx, found.id, args.ends))) return null;
    const { schedule, ...calls } = await cancelSchedule(tx, found, args);
    await tx.run('update schedules set handle_deleted_at = ? where id = ?', args.at, found.id);
    return { ...calls, status: schedule.status };
  },
});

/** Locks the schedule of a handle, with the ends of its calls settled. @throws Problem `scheduled_call_not_found` */
async function requireHandle(tx: Tx, args: HandleKey & { at: number }): Promise<ScheduleRow> {
  return requireKnown(await requireSettledSchedule(tx, args));
}

function requireKnown(schedule: ScheduleRow | null): ScheduleRow {
  if (!schedule || schedule.handle_deleted_at !== null) throw scheduleNotFound();
  return schedule;
}

const Facts = z.object({ agent_name: z.string().nullable(), attempts: z.number() });

/** Adds what the response shows from other tables: the agent's name, the calls made, the latest execution. */
async function describe(tx: Tx, schedule: ScheduleRow): Promise<ScheduleHandleRecord> {
  const facts = Facts.parse(
    await tx.get(
      `select (select name from agents where id = ?) as agent_name,
         (select count(*) from executions where schedule_id = ? and call_id is not null)
           + (select forgotten_calls from schedules where id = ?) as attempts`,
      schedule.agent_id,
      schedule.id,
      schedule.id,
    ),
  );
  const row = await tx.get(
    `select * from executions where schedule_id = ? and status not in ('pending', 'held')
     order by planned_at desc, id desc limit 1`,
    schedule.id,
  );
  const last = row ? ExecutionRow.parse(row) : null;
  return { schedule, agentName: facts.agent_name ?? '', attempts: facts.attempts, last };
}
