import type { RecognisedWords } from './stt-dialect.js';

/** The words after `fromMs` in the audio of the connection; earlier ones belong to a finished utterance. */
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

/** The same words, later by `byMs`. */
export function shiftedWords(recognised: RecognisedWords, byMs: number): RecognisedWords {
  const { words } = recognised;
  if (!words) return recognised;
  const moved = words.map((word) => ({ ...word, startMs: word.startMs + byMs, endMs: word.endMs + byMs }));
  return { ...recognised, words: moved };
}
