import type { RecognitionHints, TurnBelief } from '#speech/stt.js';
import { digitsSoFar } from '#language/numbers/read-phone.js';
import { readNumber } from '#language/numbers/read-number.js';
import { LONGEST_WINDOW_MS, type TurnSettings } from '#conversation/talk/turn-settings.js';

type Window = 'openWindowMs' | 'answeredWindowMs' | 'digitsWindowMs' | 'unfinishedWindowMs';

/** Windows for incomplete answers that consist of digits; all other answers use the open window. */
const INCOMPLETE: Readonly<Partial<Record<RecognitionHints['kind'], Window>>> = {
  number: 'digitsWindowMs',
  phone_number: 'digitsWindowMs',
};

/** Final words after which a sentence continues. */
const UNFINISHED =
  /(?:^| )(?:and|or|but|because|um|uh|er|the|a|an|my|your|our|is|are|to|at|on|for|with|und|oder|aber|weil|äh|et|ou|mais|euh|y|o|pero|e|ma)$/;

const NORTH_AMERICAN_DIGITS = 10;

/**
 * The silence, in milliseconds, that ends the caller's turn (endpointing), from the words so far and from the
 * recogniser's end-of-turn belief, if it has one.
 */
export function silenceWindowMs(
  expectation: RecognitionHints,
  wordsSoFar: string,
  settings: TurnSettings,
  belief: TurnBelief | null = null,
): number {
  const window = windowFor(expectation, wordsSoFar.trim().toLowerCase());
  return Math.min(settings[withBelief(window, belief)], LONGEST_WINDOW_MS);
}

/**
 * The belief changes the window that the words suggest. An open end counts as an answer if the recogniser believes so.
 * If the words ask for more, as half a number does, a certain end shortens the wait only to the open window, and a
 * likely end is ignored. A caller who resumed turns an answer back into an open end.
 */
function withBelief(window: Window, belief: TurnBelief | null): Window {
  if (belief === 'resumed') return window === 'answeredWindowMs' ? 'openWindowMs' : window;
  if (belief === null || window === 'answeredWindowMs') return window;
  if (window === 'openWindowMs') return 'answeredWindowMs';
  return belief === 'certain' ? 'openWindowMs' : window;
}

function windowFor(expectation: RecognitionHints, words: string): Window {
  if (words !== '' && isAnswered(expectation, words)) return 'answeredWindowMs';
  const incomplete = INCOMPLETE[expectation.kind] ?? 'openWindowMs';
  return incomplete === 'openWindowMs' && UNFINISHED.test(words) ? 'unfinishedWindowMs' : incomplete;
}

/** True if the words so far answer the question, so that nothing needs to follow. */
function isAnswered(expectation: RecognitionHints, words: string): boolean {
  switch (expectation.kind) {
    // A recogniser that expects yes or no recognises nothing else.
    case 'yes_no':
      return !UNFINISHED.test(words);
    case 'choice':
      return !UNFINISHED.test(words) && namesOne(expectation.options, words);
    case 'number':
      return expectation.max !== null && isLongestBelow(expectation.max, readNumber(words));
    case 'phone_number':
      return expectation.plan === 'north_american' && digitsSoFar(words) >= NORTH_AMERICAN_DIGITS;
    default:
      return false;
  }
}

function namesOne(options: readonly { phrases: readonly string[] }[], words: string): boolean {
  const said = ` ${words} `;
  const named = options.filter(({ phrases }) =>
    phrases.some((phrase) => said.includes(` ${phrase.toLowerCase()} `)),
  );
  return named.length === 1;
}

/** True if another digit would exceed the maximum. */
function isLongestBelow(max: number, value: number | null): boolean {
  return value !== null && value <= max && value * 10 > max;
}
