import { isDeepStrictEqual } from 'node:util';
import { FRAME_MS } from '#media/samples/audio.js';
import type { Answerable, RecognitionHints } from '#speech/stt.js';

type NumberAsked = Extract<Answerable, { kind: 'number' | 'phone_number' }>;

/** A pause this long ends an entry: callers look up the next digit of a long number. */
const BETWEEN_KEYS_MS = 2_500;
/** The key that finishes a number, and the key that starts it over. */
const DONE_KEY = '#';
const RESTART_KEY = '*';

/**
 * Groups DTMF key presses into entries.
 *
 * If a number or phone number is asked for, keys are collected until `#`, until no further digit is possible, or until
 * 2.5 seconds pass without a key; `*` starts over. Otherwise every key is an entry of its own, and a `#` right after it
 * is ignored.
 */
export class DtmfInput {
  readonly #onEntry: (keys: string) => void;
  #asked: NumberAsked | null = null;
  #expectation: RecognitionHints | null = null;
  #keys = '';
  #sincePressMs = 0;
  /** Milliseconds since an entry ended without `#`: a `#` shortly after belongs to that entry. */
  #sinceTakenMs = Infinity;

  constructor(onEntry: (keys: string) => void) {
    this.#onEntry = onEntry;
  }

  /** Sets the present question, which decides how keys are grouped. */
  expect(expectation: RecognitionHints): void {
    const asked = numberIn(expectation);
    if (!this.#goesOn(expectation, asked)) this.#keys = '';
    this.#asked = asked;
    this.#expectation = expectation;
  }

  /** Takes one key press. */
  press(key: string): void {
    const isLateDone = key === DONE_KEY && this.#sinceTakenMs < BETWEEN_KEYS_MS;
    this.#sinceTakenMs = Infinity;
    if (isLateDone) return;
    if (!this.#asked) {
      this.#sinceTakenMs = 0;
      return this.#onEntry(key);
    }
    if (key === DONE_KEY) return this.#finish();
    this.#keys = key === RESTART_KEY ? '' : this.#keys + key;
    this.#sincePressMs = 0;
    if (!isComplete(this.#keys, this.#asked)) return;
    this.#sinceTakenMs = 0;
    this.#finish();
  }

  /** True while a number is incomplete. */
  get isGathering(): boolean {
    return this.#keys !== '';
  }

  /** Called for every audio frame, so every 20 ms. */
  tick(): void {
    this.#sinceTakenMs += FRAME_MS;
    if (this.#keys === '') return;
    this.#sincePressMs += FRAME_MS;
    if (this.#sincePressMs >= BETWEEN_KEYS_MS) this.#finish();
  }

  /** Removes and returns the keys of an incomplete number; empty if there are none. */
  takeIncomplete(): string {
    const keys = this.#keys;
    this.#keys = '';
    return keys;
  }

  /** True if the new question is the same as before, repeated or read back: an incomplete number is kept. */
  #goesOn(expectation: RecognitionHints, asked: NumberAsked | null): boolean {
    const isSaidBack = expectation.kind === 'yes_no' || this.#expectation?.kind === 'yes_no';
    if (isSaidBack) return asked?.kind === this.#asked?.kind;
    return isDeepStrictEqual(expectation, this.#expectation);
  }

  #finish(): void {
    const keys = this.takeIncomplete();
    if (keys !== '') this.#onEntry(keys);
  }
}

/** The number that is asked for, or that is being read back and may be corrected. */
function numberIn(expectation: RecognitionHints): NumberAsked | null {
  const { correction, ...asked } = expectation;
  if (asked.kind === 'number' || asked.kind === 'phone_number') return asked;
  const isSaidBack = asked.kind === 'yes_no' && correction;
  return isSaidBack && (correction.kind === 'number' || correction.kind === 'phone_number')
    ? correction
    : null;
}

/** True if no further digit is possible. */
function isComplete(keys: string, asked: NumberAsked): boolean {
  if (keys === '') return false;
  if (asked.kind === 'number') return asked.isWhole && asked.max !== null && Number(keys) * 10 > asked.max;
  if (asked.plan !== 'north_american') return false;
  // No area code begins with 1: a leading 1 is the country code.
  return keys.length === (keys.startsWith('1') ? 11 : 10);
}
