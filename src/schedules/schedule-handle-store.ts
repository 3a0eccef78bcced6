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
  /** Number of calls made. */
  attempts: number;
  last: ExecutionRow | null;
}

/** Effect of a status word on a schedule. Live calls are listed only if they must be hung up. */
type Action = (tx: Tx, schedule: ScheduleRow, stop: Stop) => Promise<Stopped>;

const arm: Action = async (tx, schedule, { at }) => ({
  schedule: await resumeSchedule(tx, schedule, at),
  over: [],
  liveCallIds: [],
});

const hold: Action = async (tx, schedule, stop) => ({
  ...(await pauseSchedule(tx, schedule, stop)),
  liveCallIds: [],
});

/** Closes without dialling. @throws Problem `invalid_state` while a call is in progress */
const close: Action = async (tx, schedule, stop) => {
  const closed = await cancelSchedule(tx, schedule, stop);
  if (closed.liveCallIds.length === 0) return closed;
  throw new Problem('invalid_state', 'A call of this schedule is in progress.');
};

/** The actions that a client may request. */
const ACTIONS: Record<WantedStatus, Action> = {
  scheduled: arm,
  paused: hold,
  cancelled: cancelSchedule,
  completed: close,
};

interface Named {
  workspace: string;
  id: string;
}

export const scheduleHandleTransactions = defineTransactions('schedule_handles', {
  async find(tx, args: Named): Promise<ScheduleHandleRecord> {
    return describe(tx, knownHandle(await findSchedule(tx, args)));
  },

  /**
   * Changes the fields, then the status, both or neither. Returns null without effect if `ends` misses an open call.
   */
  async change(
    tx,
    args: Named & {
      update: Partial<ScheduleUpdate>;
      word: StatusWord | null;
      context: ChangeContext;
      ends: readonly CallEnd[];
    },
  ): Promise<(ScheduleHandleRecord & StoppedCalls) | null> {
    const { word, context, ends } = args;
    let schedule = await requireHandle(tx, { ...args, at: context.at });
    if (word && !(await hasAllEnds(tx, schedule.id, ends))) return null;
    const update = isClosedAgain(schedule, word) ? { ...args.update, ...NO_TIME } : args.update;
    if (Object.values(update).some((value) => value !== undefined))
      schedule = (await changeSchedule(tx, schedule, update, context)).schedule;
    if (word === null) return { over: [], liveCallIds: [], ...(await describe(tx, schedule)) };
    const done = await ACTIONS[STATUS_WORDS[word]](tx, schedule, { at: context.at, ends });
    schedule = await setSchedule(tx, done.schedule, { shown_status: word }, context.at);
    return { ...done, ...(await describe(tx, schedule)) };
  },

  /** Deletes the handle; the schedule stays readable as cancelled. Null as with {@link change}. */
  async remove(tx, args: Named & Stop): Promise<({ status: ScheduleStatus } & StoppedCalls) | null> {
    const found = await requireHandle(tx, args);
    if (!(await hasAllEnds(tx, found.id, args.ends))) return null;
    const { schedule, ...calls } = await cancelSchedule(tx, found, args);
    await tx.run('update schedules set handle_deleted_at = ? where id = ?', args.at, found.id);
    return { ...calls, status: schedule.status };
  },
});

const NO_TIME = { scheduled_time: undefined, timezone: undefined } as const;

/** True if the request closes a finished schedule: a new time in the same request must not arm it only to cancel it. */
function isClosedAgain({ status }: ScheduleRow, word: StatusWord | null): boolean {
  const wanted = word && STATUS_WORDS[word];
  const isClosing = wanted === 'cancelled' || wanted === 'completed';
  return isClosing && isRestartable(status);
}

async function requireHandle(tx: Tx, args: Named & { at: number }): Promise<ScheduleRow> {
  return knownHandle(await requireSettledSchedule(tx, args));
}

function knownHandle(schedule: ScheduleRow | null): ScheduleRow {
  if (!schedule || schedule.handle_deleted_at !== null) throw scheduleNotFound();
  return schedule;
}

const Facts = z.object({ agent_name: z.string().nullable(), attempts: z.number() });

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
