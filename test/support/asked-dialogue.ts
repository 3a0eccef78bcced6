import type { DialogueManager, DialogueOutput } from '#dialogue/dialogue-manager.js';
import { dialogueOf } from './dialogue-of.js';

/** The outputs of each turn, whatever the input; an error fails its turn. */
export type Script = readonly (readonly DialogueOutput[] | Error)[];

export const listen: DialogueOutput = { kind: 'listen', hints: { kind: 'anything' } };

/** Records everything that a dialogue manager is asked and told. */
export interface Asked {
  /** Entries such as `reply: yes` or `last reply: yes`, and turns taken back. */
  asked: string[];
  /** What was heard of interrupted turns. */
  cut: string[];
  /** What the caller said without an answering turn. */
  overheard: string[];
  /** Awaited before every turn but the first. */
  think: () => Promise<void>;
}

/** A dialogue that takes the next turn of its script, whatever the input, and listens after the last. */
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
