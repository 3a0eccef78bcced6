import { wordsOf } from './aligned-words.js';

/*
 * When the sound of a text was cut off: which of its words were heard, and which were not. For transcripts of
 * interrupted agents, and for the rest that another voice says after a failure.
 */

/** The words of a text after as many words as `heard` has. */
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
