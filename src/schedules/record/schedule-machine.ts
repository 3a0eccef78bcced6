import { defineMachine } from '#kernel/work/machine.js';

// The life cycles (docs/states.md) of schedules, as a table of commands, and of their executions, as a state machine.
// The commands and the scheduler obey them.

/** The states of a schedule. `in_progress` is a one-time schedule whose run is in progress. */
export const SCHEDULE_STATUSES = [
  'scheduled',
  'in_progress',
  'paused',
  'completed',
  'failed',
  'cancelled',
] as const;
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number];

/** Commands to a schedule. */
export type ScheduleCommand = 'pause' | 'resume' | 'cancel' | 'trigger' | 'update';

/**
 * `does`: accepted and carried out. `nothing`: accepted without effect. `refuses`: 409. `rearms`: accepted, and a new
 * plan starts the finished schedule again; see `changeSchedule`.
 */
type Response = 'does' | 'nothing' | 'refuses' | 'rearms';

/**
 * The response of each state to each command. Occurrences become due only while `scheduled`, retries in `in_progress`
 * too.
 */
export const SCHEDULE_COMMANDS: Readonly<Record<ScheduleStatus, Record<ScheduleCommand, Response>>> = {
  scheduled: { pause: 'does', resume: 'nothing', cancel: 'does', trigger: 'does', update: 'does' },
  paused: { pause: 'nothing', resume: 'does', cancel: 'does', trigger: 'does', update: 'does' },
  in_progress: {
    pause: 'refuses',
    resume: 'refuses',
    cancel: 'does',
    trigger: 'refuses',
    update: 'refuses',
  },
  completed: {
    pause: 'refuses',
    resume: 'refuses',
    cancel: 'nothing',
    trigger: 'refuses',
    update: 'rearms',
  },
  failed: { pause: 'refuses', resume: 'refuses', cancel: 'nothing', trigger: 'refuses', update: 'rearms' },
  cancelled: {
    pause: 'refuses',
    resume: 'refuses',
    cancel: 'nothing',
    trigger: 'refuses',
    update: 'refuses',
  },
};

/** True if the schedule is completed or failed: a new plan starts it again. */
export function isRestartable(status: ScheduleStatus): boolean {
  return SCHEDULE_COMMANDS[status].update === 'rearms';
}

/**
 * The life cycle of an execution, which is one attempt of a run. `held`: waits in a paused schedule (the API shows
 * `pending`). `missed`: too late to run. `skipped`: the previous run had not ended when this run was due.
 */
export const executionMachine = defineMachine({
  pending: { rank: 0, to: ['held', 'in_progress', 'completed', 'failed', 'missed', 'skipped', 'cancelled'] },
  held: { rank: 1, to: ['pending', 'missed', 'cancelled'] },
  in_progress: { rank: 2, to: ['completed', 'failed', 'missed', 'cancelled'] },
  completed: { rank: 3, to: [] },
  failed: { rank: 3, to: [] },
  missed: { rank: 3, to: [] },
  skipped: { rank: 3, to: [] },
  cancelled: { rank: 3, to: [] },
});

export type ExecutionStatus = keyof typeof executionMachine.rules;
export const EXECUTION_STATUSES = executionMachine.states as [ExecutionStatus, ...ExecutionStatus[]];
