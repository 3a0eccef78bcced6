/**
 * Moves recognised words between time scales, for `StreamingSession`. Vendors count from the first audio of a
 * connection; a transcript counts from the beginning of the call or of the utterance.
 */
import type { TimedWord } from '#speech/stt.js';
import type { RecognisedWords } from './stt-dialect.js';

/**
 * The words of a result that end after `fromMs`. Earlier words belong to an utterance that has its transcript already.
 * A result without word times is returned whole.
 */
export function wordsSince(
  fromMs: number,
  { text, confidence, words, language }: RecognisedWords,
): RecognisedWords {
  const rest = words?.filter(({ endMs }) => endMs > fromMs);
  const isCut = rest !== undefined && rest.length < words!.length;
  return {
    text: isCut ? rest.map((word) => word.text).join(' ') : text,
    confidence,
    ...(rest && { words: rest }),
    ...(language !== undefined && { language }),
  };
}

/** The same result with the times of each word moved by `byMs`, which may be negative. */
export function shiftedWords(
  recognised: RecognisedWords,
  byMs: (word: TimedWord) => number,
): RecognisedWords {
  const { words } = recognised;
  if (!words) return recognised;
  const moved = words.map((word) => {
    const moveMs = byMs(word);
    return { ...word, startMs: word.startMs + moveMs, endMs: word.endMs + moveMs };
  });
  return { ...recognised, words: moved };
}
