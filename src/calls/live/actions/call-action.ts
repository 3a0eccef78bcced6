import { z } from 'zod';
import { Problem, PROBLEMS, type ProblemCode } from '#kernel/errors/errors.js';
import { defineMachine } from '#kernel/work/machine.js';
import { STEERING_MODES, type SteeringMode } from '#conversation/talk/conversation.js';
import type { CallNote } from '#calls/record/life-cycle-log.js';

// The actions that a process performs in a live call, also for other processes: their schemas, answers and life cycle.

/** An action by which a person steers a talk. */
const steeringWish = z.discriminatedUnion('name', [
  z.object({ name: z.enum(['mute', 'unmute', 'hold', 'resume', 'whisper', 'take_over', 'hand_back']) }),
  z.object({ name: z.literal('say'), text: z.string(), interrupt: z.boolean() }),
  z.object({ name: z.literal('context'), text: z.string() }),
  z.object({ name: z.literal('transfer'), to: z.string() }),
  z.object({
    name: z.literal('warm_transfer'),
    to: z.string(),
    briefing: z.string().nullable(),
    ringSeconds: z.number(),
    // See `WarmTransfer`.
    stay: z.boolean(),
  }),
]);
export type SteeringWish = z.output<typeof steeringWish>;

/** An action on a live call: requested by a person, or caused by a carrier's report that another process received. */
export const callAction = z.discriminatedUnion('name', [
  steeringWish,
  z.object({ name: z.literal('digits'), digits: z.string() }),
  z.object({ name: z.literal('disconnect') }),
  /** The carrier knows that a machine has answered. */
  z.object({ name: z.literal('machine_answered'), greetingEnded: z.boolean() }),
]);
export type CallAction = z.output<typeof callAction>;

/** The person who requested an action, by the id and name of their credential, which the call's log shows. */
export const actor = z.object({ id: z.string(), name: z.string() });
export type Actor = z.output<typeof actor>;

/** The result of an action in a session, and the note for the log of the call that is still to be written. */
export interface Performed {
  /** Null after an action that does not steer the talk. */
  mode: SteeringMode | null;
  note: CallNote | null;
}

/** The answer to a request; `mode` is the mode of the talk after an action that steers it. */
export const actionAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), mode: z.enum(STEERING_MODES).nullable() }),
  z.object({
    kind: z.literal('refused'),
    code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
    message: z.string(),
  }),
]);
export type ActionAnswer = z.output<typeof actionAnswer>;

/** The answer of an action that failed. The message of an internal error stays in the log of its process. */
export function refusalOf(error: unknown): ActionAnswer {
  if (error instanceof Problem) return { kind: 'refused', code: error.code, message: error.message };
  return { kind: 'refused', code: 'internal_error', message: 'The process that carries the call failed.' };
}

/**
 * The life cycle of a request for an action (docs/states.md). An action is done at most once: one process takes the
 * request while it is `waiting`, and only a request that was never taken is withdrawn. A withdrawn request waits once
 * more if the client repeats it.
 */
export const actionMachine = defineMachine({
  waiting: { rank: 0, to: ['taken', 'withdrawn'] },
  taken: { rank: 1, to: ['answered'] },
  answered: { rank: 2, to: [] },
  withdrawn: { rank: 0, to: ['waiting'] },
});
export type ActionStatus = keyof typeof actionMachine.rules;
