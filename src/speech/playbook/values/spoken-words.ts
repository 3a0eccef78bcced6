import { wordsOf } from '../words.js';

/** Written forms that would lose their meaning when punctuation goes: "1,200", "2.5", "3pm", "a.m.". */
const WRITTEN: readonly (readonly [RegExp, string])[] = [
  [/(\d),(?=\d{3}(?!\d))/g, '$1'],
  [/(?<![\d.])(\d+)\.(?=\d+(?![\d.]))/g, '$1 point '],
  [/(\d)\s*([ap])\.?\s?m\b\.?/gi, '$1 $2m'],
  [/\b([ap])\.\s?m\b\.?/gi, '$1m'],
  [/\b([ap]) m\b/gi, '$1m'],
  [/\bo['’\s]?clock\b/gi, 'oclock'],
];

/** Said while thinking, and never part of a value. */
const HESITATIONS = new Set(['um', 'uh', 'er', 'erm', 'hmm', 'mm', 'ah', 'eh', 'well', 'like']);

/** The words of an utterance for reading a value from it: numbers keep their marks, hesitations are left out. */
export function spokenWords(text: string): string[] {
  let plain = text;
  for (const [written, said] of WRITTEN) plain = plain.replace(written, said);
  return wordsOf(plain).filter((word) => !HESITATIONS.has(word));
}
