import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import type { LeaveReason } from '#playbook/understanding/requests.js';
import type { ReadContext } from '#playbook/values/value.js';
import type { Transcript } from '#speech/stt.js';
import type { PlaybookCallerControl } from './caller-control.js';
import type { Handover } from '#playbook/understanding/handover.js';
import type { StepVisit, PlaybookFlow } from './playbook-flow.js';
import type { StepMemory } from './step-memory.js';
import type { StepContext, ModelSession } from './model-session.js';
import type { AnywhereRequests } from './anywhere-requests.js';

/* The inputs, results and dependencies that the performers of talk, tool and press steps share. */

/** The event that a step handles in a turn. */
export type StepInput =
  /** The call has reached the step. `isOpening`: nothing was said before. `heard`: the last words of a phone menu. */
  | { kind: 'reached'; isOpening: boolean; heard: Transcript | null }
  | { kind: 'heard'; transcript: Transcript }
  /** The caller stays silent. `prompts`: how often in a row the agent has prompted, this time included. */
  | { kind: 'silence'; prompts: number }
  | { kind: 'transfer_failed' }
  /** The person of a warm transfer has hung up, and the caller is back with the agent. */
  | { kind: 'returned' };

/** How a turn in a step ends. */
export type StepEnd =
  /** The step continues in the next turn. */
  | { kind: 'stays' }
  /** The turn continues with the step `to`. `isLeaving`: the caller has said goodbye. */
  | { kind: 'goes'; to: string; isLeaving: boolean }
  /** The call ends by the wish of the caller, or because it reached the wrong person: see `LeaveReason`. */
  | { kind: 'leaves'; reason: LeaveReason };

/** The step is not finished: it continues in the next turn. */
export const STAY: StepEnd = { kind: 'stays' };
/** The output with which the agent listens for a reply of any words. */
export const LISTEN: DialogueOutput = { kind: 'listen', hints: { kind: 'anything' } };

/** The end of a turn that continues with another step. */
export function goTo(to: string, isLeaving = false): StepEnd {
  return { kind: 'goes', to, isLeaving };
}

/**
 * The end of a talk, tool or press step in a call without a `StepContext` (model, tools, clock), which the step needs:
 * the playbook continues at the step for a failure, or, after a press step without one, at the next step.
 */
export function withoutContext({ step }: StepVisit): StepEnd {
  if (step.kind === 'tool') return goTo(step.on_error);
  return goTo(step.kind === 'talk' ? step.otherwise : (step.otherwise ?? step.next));
}

/** The dependencies that all performers of a call share. */
export interface PerformerParts {
  flow: PlaybookFlow;
  anywhere: AnywhereRequests;
  control: PlaybookCallerControl;
  handover: Handover;
  session: ModelSession;
  toolMemory: StepMemory;
  context: StepContext;
  /** The system prompt of the agent. */
  systemPrompt: string | null;
  /** Utterances below this confidence (0 to 1) count as not understood. */
  minConfidence: number;
  readContext(): ReadContext;
}
