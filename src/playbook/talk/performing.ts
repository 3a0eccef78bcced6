import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import type { Leaving } from '#playbook/understanding/requests.js';
import type { Surroundings } from '#playbook/values/value.js';
import type { Transcript } from '#speech/stt.js';
import type { PlaybookCallerControl } from './caller-control.js';
import type { HandedOver } from '#playbook/understanding/handed-over.js';
import type { Performing, PlaybookWalk } from './playbook-walk.js';
import type { StepMemory } from './step-memory.js';
import type { StepContext, StepRun } from './step-run.js';
import type { WaysOut } from './ways-out.js';

/** The event that a step is performed for. */
export type StepInput =
  /** The call has reached the step. `isOpening`: nothing has been said in the call. */
  | { kind: 'reached'; isOpening: boolean; heard: Transcript | null }
  | { kind: 'heard'; transcript: Transcript }
  | { kind: 'silence'; prompts: number }
  | { kind: 'transfer_failed' }
  | { kind: 'returned' };

/** How a turn in a step ends. */
export type StepEnd =
  /** The step continues in the next turn. */
  | { kind: 'stays' }
  /** The turn continues with another step. `isLeaving`: the caller has said goodbye. */
  | { kind: 'goes'; to: string; isLeaving: boolean }
  /** The caller ends the call. */
  | { kind: 'leaves'; reason: Leaving };

export const STAYS: StepEnd = { kind: 'stays' };
export const LISTEN: DialogueOutput = { kind: 'listen', hints: { kind: 'anything' } };

export function goes(to: string, isLeaving = false): StepEnd {
  return { kind: 'goes', to, isLeaving };
}

/** The next step if a step cannot be performed at all. */
export function withoutOutside({ step }: Performing): StepEnd {
  if (step.kind === 'tool') return goes(step.on_error);
  return goes(step.kind === 'talk' ? step.otherwise : (step.otherwise ?? step.next));
}

/** The dependencies that all performed steps share. */
export interface PerformingParts {
  walk: PlaybookWalk;
  waysOut: WaysOut;
  control: PlaybookCallerControl;
  handedOver: HandedOver;
  thread: StepRun;
  kept: StepMemory;
  outside: StepContext;
  /** The system prompt of the agent. */
  systemPrompt: string | null;
  /** Utterances below this confidence (0 to 1) count as not understood. */
  minConfidence: number;
  surroundings(): Surroundings;
}
