/** The states of a schedule (our choice). `in_progress` is a one-time schedule whose run is under way. */
export const SCHEDULE_STATUSES = [
  'scheduled',
  'in_progress',
  'paused',
  'completed',
  'failed',
  'cancelled',
] as const;
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number];

/** What may be asked of a schedule. */
export type ScheduleCommand = 'pause' | 'resume' | 'cancel' | 'trigger' | 'update';

/** `nothing`: agreed, and nothing changes. `rearm`: changes what it says, and a new future time begins it again. */
type Response = 'does' | 'nothing' | 'refuses' | 'rearms';

/** What a schedule makes of each command: the whole table. What comes due is only ever due while `scheduled`. */
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

/** The states of an execution. `held` is `pending` in a paused schedule, and is shown so. */
export const EXECUTION_STATUSES = [
  'pending',
  'held',
  'in_progress',
  'completed',
  'failed',
  'missed',
  'skipped',
  'cancelled',
] as const;
