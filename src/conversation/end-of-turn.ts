import type { Expectation } from '../speech/hearing.js';
import { LONGEST_WINDOW_MS, type TurnSettings } from './turn-settings.js';

type Window = 'openWindowMs' | 'answeredWindowMs' | 'digitsWindowMs' | 'unfinishedWindowMs';

/** The window while an answer is not complete, by what is expected; what is not here waits as for anything. */
const INCOMPLETE: Readonly<Record<string, Window>> = {
  number: 'digitsWindowMs',
  digits: 'digitsWindowMs',
  phone_number: 'digitsWindowMs',
};

/** Words after which nobody has finished. */
const UNFINISHED =
  /(?:^| )(?:and|or|but|because|um|uh|er|the|a|an|my|your|our|is|are|to|at|on|for|with|und|oder|aber|weil|äh|et|ou|mais|euh|y|o|pero|e|ma)$/;

/** The silence, in milliseconds, that ends the caller's turn after the words heard so far of it. */
export function silenceWindowMs(
  expectation: Expectation,
  wordsSoFar: string,
  settings: TurnSettings,
): number {
  const windowMs = settings[windowFor(expectation, wordsSoFar.trim().toLowerCase())];
  return Math.min(windowMs, LONGEST_WINDOW_MS);
}

function windowFor(expectation: Expectation, words: string): Window {
  if (isAnswered(expectation, words)) return 'answeredWindowMs';
  const incomplete = INCOMPLETE[expectation.kind] ?? 'openWindowMs';
  return incomplete === 'openWindowMs' && UNFINISHED.test(words) ? 'unfinishedWindowMs' : incomplete;
}

function isAnswered(expectation: Expectation, words: string): boolean {
  if (words === '') return false;
  // A recogniser that expects yes or no hears nothing else.
  if (expectation.kind === 'yes_no') return !UNFINISHED.test(words);
  if (expectation.kind !== 'choice') return false;
  const said = ` ${words} `;
  const named = expectation.options.filter(({ phrases }) =>
    phrases.some((phrase) => said.includes(` ${phrase.toLowerCase()} `)),
  );
  return named.length === 1 && !UNFINISHED.test(words);
}
