import type { DialogueOutput } from '#dialogue/dialogue-manager.js';

/* Compares the texts of a turn with what the caller has heard, so that the next turn repeats only the rest. */

/**
 * The index of the first text of a turn that was not played to its end; −1 if all were.
 * @param heard the words that were played before the caller interrupted
 */
export function firstUnplayed(
  sentences: readonly Extract<DialogueOutput, { kind: 'say' }>[],
  heard: string,
): number {
  let rest = heard.trim();
  return sentences.findIndex(({ text }) => {
    if (!rest.startsWith(text)) return true;
    rest = rest.slice(text.length).trimStart();
    return false;
  });
}

/** A filter for outputs that drops texts which other outputs say. */
export function notSaidIn(said: readonly DialogueOutput[]): (output: DialogueOutput) => boolean {
  const texts = new Set(said.flatMap((output) => (output.kind === 'say' ? [output.text] : [])));
  return (output) => output.kind !== 'say' || !texts.has(output.text);
}
