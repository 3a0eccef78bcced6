import type { Outcome, Thinking, Thought } from '#dialogue/dialogue-manager.js';

/** What the agent thinks in its turns, one list for each, whatever it is asked; an error fails its turn. */
export type Script = readonly (readonly Thought[] | Error)[];

export const listen: Thought = { kind: 'listen', expectation: { kind: 'anything' } };

/** Where everything that a thinking is asked and told is written down. */
export interface Asked {
  /** Such as `reply: yes` or `last reply: yes`, and that a turn was taken back. */
  asked: string[];
  /** What could be heard of turns that were cut short. */
  cut: string[];
  /** What the caller has said and nobody answers. */
  overheard: string[];
  /** Waited for before every turn but the first. */
  think: () => Promise<void>;
}

/** Thinking that takes the next turn of its script whatever it is asked, and listens when there are no more. */
export function createAskedThinking(script: Script, { asked, cut, overheard, think }: Asked): Thinking {
  const outcome: Outcome = { intent: 'scripted', resolutionAchieved: true, answers: {} };
  return {
    name: 'scripted',
    open() {
      const left = [...script];
      async function* next(question: string, signal: AbortSignal): AsyncGenerator<Thought> {
        if (signal.aborted) return;
        asked.push(question);
        const turn = left.shift() ?? [listen];
        if (question !== 'begin') await think();
        if (turn instanceof Error) throw turn;
        for (const thought of turn) {
          if (signal.aborted) return;
          yield thought;
        }
      }
      return {
        begin: (signal) => next('begin', signal),
        reply: (heard, signal) => next(`reply: ${heard.text}`, signal),
        nudge: (prompts, signal) => next(`nudge: ${prompts}`, signal),
        notTransferred: (signal) => next('not transferred', signal),
        part: (signal) => next('part', signal),
        interrupted: (heard) => void cut.push(heard),
        takeBack: () => void asked.push('taken back'),
        overheard: ({ text }) => void (text !== '' && overheard.push(text)),
        lastReply: ({ text }) => void asked.push(`last reply: ${text}`),
        outcome: () => outcome,
      };
    },
  };
}
