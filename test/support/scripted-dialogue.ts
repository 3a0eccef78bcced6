import type { AgentBrief, DialogueManager, DialogueOutput } from '#dialogue/dialogue-manager.js';
import type { Outcome } from '#dialogue/outcome.js';
import type { Transcript } from '#speech/stt.js';
import { dialogueOf, NO_OUTCOME } from './dialogue-of.js';

/** The inputs of a scripted dialogue, in order. */
export type DialogueStep =
  | { kind: 'opened'; brief: AgentBrief }
  | { kind: 'heard'; heard: Transcript }
  | { kind: 'prompted'; prompts: number };

/** Dialogues with prepared turns: the first at the start, each input takes the next one. */
export interface ScriptedDialogue {
  readonly events: readonly DialogueStep[];
  open(brief: AgentBrief): DialogueManager;
}

/**
 * @param turns the outputs, turn by turn; after the last one the agent ends the call
 * @param options.outcome the outcome of the call
 * @param options.pause awaited before each step, so that a test can hold a turn
 */
export function createScriptedDialogue(
  turns: readonly (readonly DialogueOutput[])[],
  options: { outcome?: Outcome; pause?: (signal: AbortSignal) => Promise<void> } = {},
): ScriptedDialogue {
  const events: DialogueStep[] = [];

  function open(brief: AgentBrief): DialogueManager {
    events.push({ kind: 'opened', brief });
    let next = 0;
    async function* turn(
      signal: AbortSignal,
      outputs: () => readonly DialogueOutput[],
    ): AsyncGenerator<DialogueOutput> {
      if (signal.aborted) return;
      for (const output of outputs()) {
        await options.pause?.(signal);
        if (signal.aborted) return;
        yield output;
      }
    }
    const take = () => turns[next++] ?? [{ kind: 'end' as const }];
    return dialogueOf({
      opening: (signal) => turn(signal, take),
      heard: (heard, signal) =>
        turn(signal, () => {
          events.push({ kind: 'heard', heard });
          return take();
        }),
      silence: (prompts, signal) =>
        turn(signal, () => {
          events.push({ kind: 'prompted', prompts });
          const listen = turns[Math.max(0, next - 1)]?.find((output) => output.kind === 'listen');
          return [
            { kind: 'say', text: 'Are you still there?', interruptible: true },
            listen ?? { kind: 'end' },
          ];
        }),
      outcome: () => options.outcome ?? NO_OUTCOME,
    });
  }

  return { events, open };
}
