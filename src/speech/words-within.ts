import { wordsOf } from './aligned-words.js';

/* Divides a text whose sound was cut into the words heard and the others. For transcripts of interrupted agents. */

/** The words of a text that follow its beginning `heard`. */
export function wordsBeyond(text: string, heard: string): string {
  return wordsOf(text).slice(wordsOf(heard).length).join(' ');
}

/**
 * The words of a sentence that are complete when `share` (0 to 1) of its sound was played. An estimate: all characters
 * are taken to be equally long.
 */
export function wordsWithin(sentence: string, share: number): string {
  if (share >= 1) return sentence;
  const position = Math.floor(share * sentence.length);
  if (sentence[position] === ' ') return sentence.slice(0, position).trimEnd();
  return sentence.slice(0, sentence.lastIndexOf(' ', position) + 1).trimEnd();
}
