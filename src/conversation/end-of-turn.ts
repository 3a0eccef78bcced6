import type { Expectation } from '../speech/hearing.js';

/** How long a silence ends the caller's turn, in milliseconds. */
interface SilenceWindows {
  /** While nothing is known of what is said. */
  open: number;
  /** Once the words so far answer the question. */
  answered: number;
}

/** Measured for the built-in recogniser; shorter windows cut people off, longer ones feel like a bad line. */
const SILENCE_WINDOWS_MS: Record<Expectation['kind'], SilenceWindows> = {
  anything: { open: 600, answered: 600 },
  yes_no: { open: 600, answered: 400 },
  choice: { open: 600, answered: 400 },
};

/** The window for the words heard so far of an answer to a question. */
export function silenceWindowMs(expectation: Expectation, wordsSoFar: string): number {
  const windows = SILENCE_WINDOWS_MS[expectation.kind];
  return isAnswered(expectation, wordsSoFar) ? windows.answered : windows.open;
}

function isAnswered(expectation: Expectation, wordsSoFar: string): boolean {
  if (expectation.kind === 'anything' || wordsSoFar.trim() === '') return false;
  // A recogniser that expects yes or no hears nothing else.
  if (expectation.kind === 'yes_no') return true;
  const words = ` ${wordsSoFar.toLowerCase()} `;
  const named = expectation.options.filter(({ phrases }) =>
    phrases.some((phrase) => words.includes(` ${phrase.toLowerCase()} `)),
  );
  return named.length === 1;
}
