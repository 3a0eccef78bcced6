import type { DialogueOutput } from '#dialogue/dialogue-manager.js';

/** Which of some sentences was the first that a caller has not heard to its end; −1 when they have heard all. */
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

/** What is said already is not said a second time. */
export function isNotIn(said: readonly DialogueOutput[]): (thought: DialogueOutput) => boolean {
  const texts = new Set(said.flatMap((one) => (one.kind === 'say' ? [one.text] : [])));
  return (thought) => thought.kind !== 'say' || !texts.has(thought.text);
}
