import type { DialogueOutput } from '#dialogue/dialogue-manager.js';

/** The index of the first sentence that was not played to its end; −1 if all were. */
export function firstUnheard(
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

/** A filter that removes texts which were said already. */
export function isNotIn(said: readonly DialogueOutput[]): (thought: DialogueOutput) => boolean {
  const texts = new Set(said.flatMap((one) => (one.kind === 'say' ? [one.text] : [])));
  return (thought) => thought.kind !== 'say' || !texts.has(thought.text);
}
