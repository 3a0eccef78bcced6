import type { RecognitionHints, TurnBelief } from '#speech/stt.js';
import { digitsSoFar } from '#language/numbers/read-phone.js';
import { readNumber } from '#language/numbers/read-number.js';
import { LONGEST_WINDOW_MS, type TurnSettings } from '#conversation/talk/turn-settings.js';

/** The name of a setting that holds a window, which is the silence that ends the caller's turn. */
type Window = 'openWindowMs' | 'answeredWindowMs' | 'digitsWindowMs' | 'unfinishedWindowMs';

/** Windows for incomplete answers that consist of digits. */
const INCOMPLETE_WINDOWS: Readonly<Partial<Record<RecognitionHints['kind'], Window>>> = {
  number: 'digitsWindowMs',
  phone_number: 'digitsWindowMs',
};

/** Words after which a sentence continues, in English, German, French, Spanish and Italian. */
const CONTINUES =
  /(?:^| )(?:and|or|but|because|um|uh|er|the|a|an|my|your|our|is|are|to|at|on|for|with|und|oder|aber|weil|äh|et|ou|mais|euh|y|o|pero|e|ma)$/;

const NORTH_AMERICAN_DIGITS = 10;

/**
 * The silence, in milliseconds, that ends the caller's turn (endpointing). It depends on the expected answer, the words
 * so far and the recogniser's end-of-turn belief, if it has one. Used by `UtteranceSegmenter` at the start of an
 * utterance and after every change of words or belief.
 */
export function silenceWindowMs(
  expectation: RecognitionHints,
  wordsSoFar: string,
  settings: TurnSettings,
  belief: TurnBelief | null = null,
): number {
  const window = windowByWords(expectation, wordsSoFar.trim().toLowerCase());
  return Math.min(settings[windowByBelief(window, belief)], LONGEST_WINDOW_MS);
}

/**
 * Adjusts the window of the words by the recogniser's belief:
 * - A `likely` or `certain` end makes an open window as short as after an answer.
 * - If the words need a continuation, as half a number does, a `certain` end shortens the wait to the open window, and
 *   a `likely` end is ignored.
 * - After a `resumed` turn, the window of an answer becomes an open window.
 */
function windowByBelief(window: Window, belief: TurnBelief | null): Window {
  if (belief === 'resumed') return window === 'answeredWindowMs' ? 'openWindowMs' : window;
  if (belief === null || window === 'answeredWindowMs') return window;
  if (window === 'openWindowMs') return 'answeredWindowMs';
  return belief === 'certain' ? 'openWindowMs' : window;
}

/** The window by the words alone: `words` are lower-case and trimmed. */
function windowByWords(expectation: RecognitionHints, words: string): Window {
  if (words !== '' && isAnswered(expectation, words)) return 'answeredWindowMs';
  const incomplete = INCOMPLETE_WINDOWS[expectation.kind] ?? 'openWindowMs';
  return incomplete === 'openWindowMs' && CONTINUES.test(words) ? 'unfinishedWindowMs' : incomplete;
}

/** True if the words so far answer the question, so that nothing needs to follow. */
function isAnswered(expectation: RecognitionHints, words: string): boolean {
  switch (expectation.kind) {
    // Any words count: the built-in recogniser hardly recognises anything else when it expects yes or no.
    case 'yes_no':
      return !CONTINUES.test(words);
    case 'choice':
      return !CONTINUES.test(words) && namesExactlyOne(expectation.options, words);
    case 'number':
      return expectation.max !== null && needsNoMoreDigits(expectation.max, readNumber(words));
    case 'phone_number':
      return expectation.plan === 'north_american' && digitsSoFar(words) >= NORTH_AMERICAN_DIGITS;
    default:
      return false;
  }
}

/** True if the words contain a phrase of one option, and of no other. */
function namesExactlyOne(options: readonly { phrases: readonly string[] }[], words: string): boolean {
  const said = ` ${words} `;
  const named = options.filter(({ phrases }) =>
    phrases.some((phrase) => said.includes(` ${phrase.toLowerCase()} `)),
  );
  return named.length === 1;
}

/** True if no further digit can follow: with a maximum of 12, 2 is complete, because 20 is too large. 1 is not. */
function needsNoMoreDigits(max: number, value: number | null): boolean {
  return value !== null && value <= max && value * 10 > max;
}
