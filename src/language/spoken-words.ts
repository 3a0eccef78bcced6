import { wordsOf } from './words.js';

/** Words that callers say with "ish", for a rough time: "noonish", "five-ish", "half past three ish". */
const ROUGHLY_SAID =
  'noon|midday|midnight|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|' +
  "o['’\\s]?clock";
/**
 * Written forms that `wordsOf` alone would misread, each with its replacement, for example in order: "1,200", "2.5" or
 * "2,50", "2.1234", "14h30", "5ish", "fivish", "tennish", "five-ish" or "noonish", "3 p.m.", "p.m.", "p m", "o'clock",
 * "tomorrow's".
 */
const WRITTEN: readonly (readonly [RegExp, string])[] = [
  [/(\d),(?=\d{3}(?!\d))/g, '$1'],
  [/(?<![\d.,])(\d+)[.,](?=\d{1,2}(?![\d.,]))/g, '$1 point '],
  [/(?<![\d.])(\d+)\.(?=\d+(?![\d.]))/g, '$1 point '],
  [/\b(\d{1,2})\s?h\s?(\d\d)\b/gi, '$1 $2'],
  [/(\d)-?ish\b/gi, '$1'],
  [/\b(fiv|nin|twelv)[-\s]?ish\b/gi, '$1e'],
  [/\btennish\b/gi, 'ten'],
  [new RegExp(`\\b(${ROUGHLY_SAID})[-\\s]?ish\\b`, 'gi'), '$1'],
  [/(\d)\s*([ap])\.?\s?m\b\.?/gi, '$1 $2m'],
  [/\b([ap])\.\s?m\b\.?/gi, '$1m'],
  [/\b([ap]) m\b/gi, '$1m'],
  [/\bo['’\s]?clock\b/gi, 'oclock'],
  [/\b(today|tomorrow|noon|midday|midnight)['’]s\b/gi, '$1 is'],
];

/** Hesitations, which are never part of a value. */
const HESITATIONS = new Set(['um', 'uh', 'er', 'erm', 'hmm', 'mm', 'ah', 'eh', 'well', 'like']);

/** Requests to wait, whose number words are no value: "just one second". Not times: "in a minute", "a minute past". */
const ASIDES =
  /(?<!\b(?:in|for|every) )\b(?:(?:just|give me|wait|hang on|hold on) )*(?:one|a|half a) (?:second|sec|moment|minute)\b(?! (?:past|to|after|before|from|ago|later|of|time|one)\b)/g;

/** The most words that are read, counted from the end. The last words of an answer count, and reading stays fast. */
const MOST_WORDS = 200;

/**
 * The words of an English utterance for reading dates, times and numbers. Unlike `wordsOf` it keeps the meaning of
 * punctuation in figures ("1,200", "2.5", "3pm"), and leaves out hesitations and requests to wait.
 */
export function spokenWords(text: string): string[] {
  let plain = text;
  for (const [written, said] of WRITTEN) plain = plain.replace(written, said);
  const words = wordsOf(plain).filter((word) => !HESITATIONS.has(word));
  return words
    .join(' ')
    .replace(ASIDES, ' ')
    .split(' ')
    .filter((word) => word !== '')
    .slice(-MOST_WORDS);
}
