import type { Heard } from '#speech/stt.js';
import type { AgentBrief, Outcome, Thinking, ThinkingSession, Thought } from '#dialogue/dialogue-manager.js';

/** What happened to a scripted thinking, in order. */
export type ThinkingEvent =
  | { kind: 'opened'; brief: AgentBrief }
  | { kind: 'heard'; heard: Heard }
  | { kind: 'nudged'; prompts: number };

/** Thinking whose turns are written down: the first is said at the start, each reply takes the next one. */
export interface ScriptedThinking extends Thinking {
  readonly events: readonly ThinkingEvent[];
}

/**
 * @param turns what is thought, turn by turn; after the last one the agent ends the call
 * @param options.outcome what it makes of the call
 * @param options.pause waited for before each thought, so that a test can hold a turn
 */
export function createScriptedThinking(
  turns: readonly (readonly Thought[])[],
  options: { outcome?: Outcome; pause?: (signal: AbortSignal) => Promise<void> } = {},
): ScriptedThinking {
  const events: ThinkingEvent[] = [];
  const outcome = options.outcome ?? { intent: null, resolutionAchieved: null, answers: {} };

  function open(brief: AgentBrief): ThinkingSession {
    events.push({ kind: 'opened', brief });
    let next = 0;
    async function* turn(signal: AbortSignal, thoughts: () => readonly Thought[]): AsyncGenerator<Thought> {
      if (signal.aborted) return;
      for (const thought of thoughts()) {
        await options.pause?.(signal);
        if (signal.aborted) return;
        yield thought;
      }
    }
    const take = () => turns[next++] ?? [{ kind: 'end' as const }];
    return {
      begin: (signal) => turn(signal, take),
      reply: (heard, signal) =>
        turn(signal, () => {
          events.push({ kind: 'heard', heard });
          return take();
        }),
      nudge: (prompts, signal) =>
        turn(signal, () => {
          events.push({ kind: 'nudged', prompts });
          const listen = turns[Math.max(0, next - 1)]?.find((thought) => thought.kind === 'listen');
          return [
            { kind: 'say', text: 'Are you still there?', interruptible: true },
            listen ?? { kind: 'end' },
          ];
        }),
      outcome: () => outcome,
    };
  }

  return { name: 'scripted', events, open };
}
