import { wordsOf } from './aligned-words.js';

/* Which words of a text were heard, when its sound was cut. For transcripts of interrupted agents. */

/** The words of a text that follow its beginning `heard`. */
export function wordsBeyond(text: string, heard: string): string {
  return wordsOf(text).slice(wordsOf(heard).length).join(' ');
}

/**
 * The words of a sentence that are complete when `share` (0 to 1) of its sound was played, estimated by letters: at
 * telephone speed all letters take about the same time.
 */
export function wordsWithin(sentence: string, share: number): string {
  if (share >= 1) return sentence;
  const position = Math.floor(share * sentence.length);
  if (sentence[position] === ' ') return sentence.slice(0, position).trimEnd();
  return sentence.slice(0, sentence.lastIndexOf(' ', position) + 1).trimEnd();
}
