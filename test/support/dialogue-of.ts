import type { DialogueManager, DialogueOutput, TurnInput } from '#dialogue/dialogue-manager.js';
import type { Outcome } from '#dialogue/outcome.js';
import type { Transcript } from '#speech/stt.js';

type Outputs = AsyncIterable<DialogueOutput>;

/** Functions of a dialogue manager by kind of turn; a missing one makes an empty turn. */
export interface DialogueParts {
  opening?(signal: AbortSignal): Outputs;
  heard?(transcript: Transcript, signal: AbortSignal): Outputs;
  silence?(prompts: number, signal: AbortSignal): Outputs;
  transferFailed?(signal: AbortSignal): Outputs;
  returned?(signal: AbortSignal): Outputs;
  goodbye?(signal: AbortSignal): Outputs;
  note?: DialogueManager['note'];
  outcome?(): Outcome;
}

export const NO_OUTCOME: Outcome = { intent: null, resolutionAchieved: null, answers: {} };

/** A dialogue manager from one function per kind of turn. */
export function dialogueOf(parts: DialogueParts): DialogueManager {
  const turns: {
    [Kind in TurnInput['kind']]: (input: TurnInput & { kind: Kind }, signal: AbortSignal) => Outputs;
  } = {
    opening: (_, signal) => parts.opening?.(signal) ?? nothing(),
    heard: ({ transcript }, signal) => parts.heard?.(transcript, signal) ?? nothing(),
    silence: ({ prompts }, signal) => parts.silence?.(prompts, signal) ?? nothing(),
    transfer_failed: (_, signal) => parts.transferFailed?.(signal) ?? nothing(),
    returned: (_, signal) => parts.returned?.(signal) ?? nothing(),
    goodbye: (_, signal) => parts.goodbye?.(signal) ?? nothing(),
  };
  return {
    turn: <Kind extends TurnInput['kind']>(input: TurnInput & { kind: Kind }, signal: AbortSignal) =>
      turns[input.kind](input, signal),
    note: (event) => parts.note?.(event),
    outcome: () => parts.outcome?.() ?? NO_OUTCOME,
  };
}

// eslint-disable-next-line require-yield -- a turn without a step
async function* nothing(): AsyncGenerator<DialogueOutput> {}
