import { z } from 'zod';
import { defineUnits, type Tx } from '../store/unit.js';
import { changeSchedule, type ChangeMoment } from './schedule-change.js';
import { cancelSchedule, pauseSchedule, responseTo, resumeSchedule } from './schedule-commands.js';
import type { ScheduleStatus } from './schedule-machine.js';
import type { ScheduleUpdate } from './schedule-request.js';
import { ExecutionRow, type ScheduleRow } from './schedule.js';
import {
  findSchedule,
  openExecutions,
  requireSchedule,
  scheduleNotFound,
  setSchedule,
} from './schedule-rows.js';

/** A schedule as `/batch/scheduled-calls` shows it: with what became of its last try. */
export interface ScheduleHandleRecord {
  schedule: ScheduleRow;
  agentName: string;
  /** How many calls it has made. */
  attempts: number;
  last: ExecutionRow | null;
}

/** What a status word asks for. */
export type HandleAction = 'arm' | 'pause' | 'close';

/** The words of a status, and what they ask for: `completed` closes a schedule without dialling. */
export const HANDLE_WORDS = {
  scheduled: 'arm',
  pending: 'arm',
  active: 'arm',
  paused: 'pause',
  cancelled: 'close',
  canceled: 'close',
  completed: 'close',
} as const satisfies Record<string, HandleAction>;
export type HandleWord = keyof typeof HANDLE_WORDS;

interface Named {
  workspace: string;
  id: string;
}

export const scheduleHandleUnits = defineUnits('schedule-handles', {
  async find(tx, args: Named): Promise<ScheduleHandleRecord> {
    return describe(tx, knownHandle(await findSchedule(tx, args)));
  },

  /** Changes what it says, then how it stands; both or neither. */
  async change(
    tx,
    args: Named & {
      update: Partial<ScheduleUpdate>;
      action: HandleAction | null;
      word: HandleWord | null;
      moment: ChangeMoment;
    },
  ): Promise<ScheduleHandleRecord & { liveCallIds: string[] }> {
    const { action, word, moment } = args;
    let schedule = await requireHandle(tx, args);
    const liveCallIds = action === 'close' ? await liveCalls(tx, schedule) : [];
    if (Object.values(args.update).some((value) => value !== undefined))
      schedule = (await changeSchedule(tx, schedule, args.update, moment)).schedule;
    if (action) schedule = await act(tx, schedule, action, moment.at);
    if (word !== null) schedule = await setSchedule(tx, schedule, { shown_status: word }, moment.at);
    return { ...(await describe(tx, schedule)), liveCallIds };
  },

  /** The handle is gone for good; the schedule stays readable as cancelled. */
  async remove(tx, args: Named & { at: number }): Promise<{ status: ScheduleStatus; liveCallIds: string[] }> {
    const found = await requireHandle(tx, args);
    const liveCallIds = await liveCalls(tx, found);
    const { status } = await cancelSchedule(tx, found, args.at);
    await tx.run('update schedules set handle_deleted_at = ? where id = ?', args.at, found.id);
    return { status, liveCallIds };
  },
});

async function act(tx: Tx, schedule: ScheduleRow, action: HandleAction, at: number): Promise<ScheduleRow> {
  if (action === 'pause') return pauseSchedule(tx, schedule, at);
  if (action === 'close') return cancelSchedule(tx, schedule, at);
  responseTo(schedule, 'resume');
  return resumeSchedule(tx, schedule, at);
}

async function requireHandle(tx: Tx, args: Named): Promise<ScheduleRow> {
  return knownHandle(await requireSchedule(tx, args));
}

function knownHandle(schedule: ScheduleRow | null): ScheduleRow {
  if (!schedule || schedule.handle_deleted_at !== null) throw scheduleNotFound();
  return schedule;
}

async function liveCalls(tx: Tx, schedule: ScheduleRow): Promise<string[]> {
  return (await openExecutions(tx, schedule.id)).flatMap(({ status, call_id: id }) =>
    status === 'in_progress' && id !== null ? [id] : [],
  );
}

const Facts = z.object({ agent_name: z.string().nullable(), attempts: z.number() });

async function describe(tx: Tx, schedule: ScheduleRow): Promise<ScheduleHandleRecord> {
  const facts = Facts.parse(
    await tx.get(
      `select (select name from agents where id = ?) as agent_name,
         (select count(*) from executions where schedule_id = ? and call_id is not null) as attempts`,
      schedule.agent_id,
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
