import type { DialogueManager, DialogueOutput } from '#dialogue/dialogue-manager.js';
import { dialogueOf } from './dialogue-of.js';

/** What the agent does in its turns, one list for each, whatever it is asked; an error fails its turn. */
export type Script = readonly (readonly DialogueOutput[] | Error)[];

export const listen: DialogueOutput = { kind: 'listen', hints: { kind: 'anything' } };

/** Where everything that a dialogue manager is asked and told is written down. */
export interface Asked {
  /** Such as `reply: yes` or `last reply: yes`, and that a turn was taken back. */
  asked: string[];
  /** What could be heard of turns that were cut short. */
  cut: string[];
  /** What the caller has said and no turn answers. */
  overheard: string[];
  /** Waited for before every turn but the first. */
  think: () => Promise<void>;
}

/** A dialogue that takes the next turn of its script whatever it is asked, and listens when there are no more. */
export function createAskedDialogue(
  script: Script,
  { asked, cut, overheard, think }: Asked,
): DialogueManager {
  const left = [...script];
  async function* next(question: string, signal: AbortSignal): AsyncGenerator<DialogueOutput> {
    if (signal.aborted) return;
    asked.push(question);
    const turn = left.shift() ?? [listen];
    if (question !== 'begin') await think();
    if (turn instanceof Error) throw turn;
    for (const output of turn) {
      if (signal.aborted) return;
      yield output;
    }
  }
  return dialogueOf({
    opening: (signal) => next('begin', signal),
    heard: ({ text }, signal) => next(`reply: ${text}`, signal),
    silence: (prompts, signal) => next(`wake: ${prompts}`, signal),
    transferFailed: (signal) => next('not transferred', signal),
    returned: (signal) => next('returned', signal),
    goodbye: (signal) => next('part', signal),
    note(event) {
      if (event.kind === 'interrupted') cut.push(event.heard);
      if (event.kind === 'taken_back') asked.push('taken back');
      if (event.kind === 'overheard' && event.transcript.text !== '') overheard.push(event.transcript.text);
      if (event.kind === 'last_words') asked.push(`last reply: ${event.transcript.text}`);
    },
    outcome: () => ({ intent: 'scripted', resolutionAchieved: true, answers: {} }),
  });
}
