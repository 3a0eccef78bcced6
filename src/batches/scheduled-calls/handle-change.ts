import { Problem } from '#kernel/errors/errors.js';
import type { StatusWord, WantedStatus } from '#schedules/record/status-words.js';
import type { ScheduledCallStatus } from '#batches/record/recipient-status.js';

// A change under `/batch/scheduled-calls`, and whether the state of the call or batch allows it. `ScheduledCalls` makes
// the change; the transactions on batches, recipients and single calls apply it.

/** A time as written, and its instant. */
export interface WantedTime {
  written: string;
  at: number;
  /** The zone that was named with the time, or in which it was read; null or absent for an instant without a zone. */
  readIn?: string | null;
}

/** A requested change of what a handle names: a batch, a recipient or a single call. Absent fields stay. */
export interface HandleChange {
  name?: string | undefined;
  from?: string | undefined;
  time?: WantedTime | undefined;
  /** The named zone, for this and later times; batches store it. */
  zone?: string | undefined;
  status?: { word: StatusWord; wanted: WantedStatus } | undefined;
}

/** The step after the transaction: the id of a call to hang up, or null. */
export interface CallToHangUp {
  hangUp: string | null;
}

/** The stage of a call. `in_line`: dialling has begun, but the call waits in the dialler's queue again. */
export type CallStage = ScheduledCallStatus | 'in_line';

/**
 * Effect of a status word on a call. `arm`: the call waits to be dialled. `hold`: the call is paused. `end`: a waiting
 * call is cancelled, a live call hung up. `none`: only the word is stored.
 */
type Effect = 'arm' | 'hold' | 'end' | 'none';

/** The effect of each wanted status by the stage of the call. Without an effect here, the request is refused. */
const EFFECTS: Record<WantedStatus, Partial<Record<CallStage, Effect>>> = {
  scheduled: { scheduled: 'arm', paused: 'arm', in_line: 'none' },
  paused: { scheduled: 'hold', paused: 'hold' },
  cancelled: { scheduled: 'end', paused: 'end', in_line: 'end', in_progress: 'end', cancelled: 'none' },
  completed: { scheduled: 'end', paused: 'end', in_line: 'end', completed: 'none', cancelled: 'none' },
};

/** @throws Problem `invalid_state` if the stage of the call does not allow the wanted status */
export function effectOf({ wanted }: NonNullable<HandleChange['status']>, stage: CallStage): Effect {
  const effect = EFFECTS[wanted][stage];
  if (effect === undefined) throw unchangeable('status', 'call', stage);
  return effect;
}

/**
 * Refuses another time and another caller id for a call or batch that has begun or is over. The current values are no
 * change: a client may write back what it has read.
 * @throws Problem `invalid_state`
 */
export function refuseOtherPlan(
  { time, from }: HandleChange,
  current: { at: number; from: string },
  thing: 'call' | 'batch',
  status: string,
): void {
  if (from !== undefined && from !== current.from) throw unchangeable('from_number', thing, status);
  if (time && time.at !== current.at) throw unchangeable('scheduled_time', thing, status);
}

/** The statuses of a call or batch that is over. */
const OVER: readonly string[] = ['completed', 'failed', 'cancelled'];

/** The problem of a field that can no longer be changed. */
export function unchangeable(field: string, thing: 'call' | 'batch', status: string): Problem {
  const shown = status === 'in_line' ? 'in_progress' : status;
  const instead = OVER.includes(shown) || field !== 'status' ? `; schedule a new ${thing} instead` : '';
  return new Problem(
    'invalid_state',
    `The ${field} of a ${thing} that is ${shown} cannot be changed${instead}.`,
  );
}
