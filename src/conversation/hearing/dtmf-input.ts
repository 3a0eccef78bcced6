import { isDeepStrictEqual } from 'node:util';
import { FRAME_MS } from '#media/samples/audio.js';
import type { Answerable, RecognitionHints } from '#speech/stt.js';

type NumberAsked = Extract<Answerable, { kind: 'number' | 'phone_number' }>;

/** Whoever presses no further key for so long is done: people look for the next digit of a number that long. */
const BETWEEN_KEYS_MS = 2_500;
/** What is pressed at the end of a number, and to begin it anew. */
const DONE_KEY = '#';
const ANEW_KEY = '*';

/**
 * Makes entries of key presses. Where a number or a phone number is asked for, keys are gathered until `#`, until
 * nothing could follow any more, or until no key has followed for 2.5 seconds; `*` begins anew. Anywhere else every
 * key is an entry of its own, and a `#` after it is none.
 */
export class DtmfInput {
  readonly #onEntry: (keys: string) => void;
  #asked: NumberAsked | null = null;
  #expectation: RecognitionHints | null = null;
  #keys = '';
  #sincePressMs = 0;
  /** Since something was taken before its `#` came. */
  #sinceTakenMs = Infinity;

  constructor(onEntry: (keys: string) => void) {
    this.#onEntry = onEntry;
  }

  expect(expectation: RecognitionHints): void {
    const asked = numberIn(expectation);
    if (!this.#goesOn(expectation, asked)) this.#keys = '';
    this.#asked = asked;
    this.#expectation = expectation;
  }

  press(key: string): void {
    const isLateDone = key === DONE_KEY && this.#sinceTakenMs < BETWEEN_KEYS_MS;
    this.#sinceTakenMs = Infinity;
    if (isLateDone) return;
    if (!this.#asked) {
      this.#sinceTakenMs = 0;
      return this.#onEntry(key);
    }
    if (key === DONE_KEY) return this.#finish();
    this.#keys = key === ANEW_KEY ? '' : this.#keys + key;
    this.#sincePressMs = 0;
    if (!isComplete(this.#keys, this.#asked)) return;
    this.#sinceTakenMs = 0;
    this.#finish();
  }

  /** Whether there is half a number. */
  get isGathering(): boolean {
    return this.#keys !== '';
  }

  /** One frame later. */
  tick(): void {
    this.#sinceTakenMs += FRAME_MS;
    if (this.#keys === '') return;
    this.#sincePressMs += FRAME_MS;
    if (this.#sincePressMs >= BETWEEN_KEYS_MS) this.#finish();
  }

  /** What is left of half a number when nobody waits for the other half; empty when there is none. */
  takeRest(): string {
    const keys = this.#keys;
    this.#keys = '';
    return keys;
  }

  /** Half a number is no answer to another question, but to one that is asked again, or said back. */
  #goesOn(expectation: RecognitionHints, asked: NumberAsked | null): boolean {
    const isSaidBack = expectation.kind === 'yes_no' || this.#expectation?.kind === 'yes_no';
    if (isSaidBack) return asked?.kind === this.#asked?.kind;
    return isDeepStrictEqual(expectation, this.#expectation);
  }

  #finish(): void {
    const keys = this.takeRest();
    if (keys !== '') this.#onEntry(keys);
  }
}

/** The number that is asked for, or that was said back and may be entered anew. */
function numberIn(expectation: RecognitionHints): NumberAsked | null {
  const { correction, ...asked } = expectation;
  if (asked.kind === 'number' || asked.kind === 'phone_number') return asked;
  const isSaidBack = asked.kind === 'yes_no' && correction;
  return isSaidBack && (correction.kind === 'number' || correction.kind === 'phone_number')
    ? correction
    : null;
}

/** Whether no further digit can belong to it. */
function isComplete(keys: string, asked: NumberAsked): boolean {
  if (keys === '') return false;
  if (asked.kind === 'number') return asked.isWhole && asked.max !== null && Number(keys) * 10 > asked.max;
  if (asked.plan !== 'north_american') return false;
  // No area code begins with 1: there it is the country's.
  return keys.length === (keys.startsWith('1') ? 11 : 10);
}
