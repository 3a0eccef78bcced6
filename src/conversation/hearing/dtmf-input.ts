import { isDeepStrictEqual } from 'node:util';
import { FRAME_MS } from '#media/samples/audio.js';
import type { Answerable, RecognitionHints } from '#speech/stt.js';

/** A question whose answer is a number; its keys are collected. */
type NumberQuestion = Extract<Answerable, { kind: 'number' | 'phone_number' }>;

/** A longer pause ends a number. It is long enough for a caller to look up the next digits. */
const LONGEST_PAUSE_MS = 2_500;
/** The key that finishes a number, and the key that starts it over. */
const DONE_KEY = '#';
const RESTART_KEY = '*';

/**
 * Groups the DTMF keys that the caller presses into entries, which the conversation treats as typed turns. Used by
 * `LiveConversation` and `RealtimeConversation`.
 *
 * If the agent asks for a number or a phone number, keys are collected until `#`, until no further digit is possible,
 * or until 2.5 seconds pass without a key; `*` starts over. Otherwise every key is an entry of its own. A `#` within
 * 2.5 seconds after a single key or a complete number is ignored: the caller did not know that it was not needed.
 */
export class DtmfInput {
  readonly #onEntry: (keys: string) => void;
  /** The number that is asked for; null while every key is an entry of its own. */
  #question: NumberQuestion | null = null;
  /** The hints of the agent's present question; null before the first. */
  #hints: RecognitionHints | null = null;
  /** The keys of the incomplete number. */
  #keys = '';
  /** Milliseconds since the last key of the incomplete number. */
  #sinceKeyMs = 0;
  /** Milliseconds since the last key, if it was an entry of its own or completed a number; otherwise Infinity. */
  #sinceEntryMs = Infinity;

  constructor(onEntry: (keys: string) => void) {
    this.#onEntry = onEntry;
  }

  /** Sets the hints of the agent's present question. A different question drops the keys of an incomplete number. */
  expect(hints: RecognitionHints): void {
    const question = numberQuestionIn(hints);
    if (!this.#isSameQuestion(hints, question)) this.#keys = '';
    this.#question = question;
    this.#hints = hints;
  }

  /** Takes one key press. */
  press(key: string): void {
    const isLateDoneKey = key === DONE_KEY && this.#sinceEntryMs < LONGEST_PAUSE_MS;
    this.#sinceEntryMs = Infinity;
    if (isLateDoneKey) return;
    if (!this.#question) {
      this.#sinceEntryMs = 0;
      return this.#onEntry(key);
    }
    if (key === DONE_KEY) return this.#finish();
    this.#keys = key === RESTART_KEY ? '' : this.#keys + key;
    this.#sinceKeyMs = 0;
    if (!isComplete(this.#keys, this.#question)) return;
    this.#sinceEntryMs = 0;
    this.#finish();
  }

  /** True while a number is incomplete. */
  get isGathering(): boolean {
    return this.#keys !== '';
  }

  /** Called for every audio frame, so every 20 ms. */
  tick(): void {
    this.#sinceEntryMs += FRAME_MS;
    if (this.#keys === '') return;
    this.#sinceKeyMs += FRAME_MS;
    if (this.#sinceKeyMs >= LONGEST_PAUSE_MS) this.#finish();
  }

  /** Removes and returns the keys of an incomplete number; empty if there are none. */
  takeIncomplete(): string {
    const keys = this.#keys;
    this.#keys = '';
    return keys;
  }

  /** True if the new hints belong to the same question, repeated or read back for a yes or no. */
  #isSameQuestion(hints: RecognitionHints, question: NumberQuestion | null): boolean {
    const isReadBack = hints.kind === 'yes_no' || this.#hints?.kind === 'yes_no';
    if (isReadBack) return question?.kind === this.#question?.kind;
    return isDeepStrictEqual(hints, this.#hints);
  }

  /** Passes the collected number on as an entry, whether it is complete or not. */
  #finish(): void {
    const keys = this.takeIncomplete();
    if (keys !== '') this.#onEntry(keys);
  }
}

/** The number that is asked for, or that is being read back and may be corrected. */
function numberQuestionIn(hints: RecognitionHints): NumberQuestion | null {
  const { correction, ...question } = hints;
  if (question.kind === 'number' || question.kind === 'phone_number') return question;
  const isReadBack = question.kind === 'yes_no' && correction;
  return isReadBack && (correction.kind === 'number' || correction.kind === 'phone_number')
    ? correction
    : null;
}

/** True if no further digit is possible: with a maximum of 12, `2` is complete, because 20 is too large. `1` is not. */
function isComplete(keys: string, question: NumberQuestion): boolean {
  if (keys === '') return false;
  if (question.kind === 'number')
    return question.isWhole && question.max !== null && Number(keys) * 10 > question.max;
  if (question.plan !== 'north_american') return false;
  // No area code begins with 1: a leading 1 is the country code.
  return keys.length === (keys.startsWith('1') ? 11 : 10);
}
