import type { Stt, SttOptions, SttSession, Transcript, TurnBelief } from '#speech/stt.js';

/** Audio above this peak is speech. */
const LOUD = 500;
/** Each of these, in milliseconds of speech, adds one word to the interim text. */
const WORD_MS = 250;
/** The silence after which the end of a turn is likely, and certain. */
const LIKELY_AFTER_MS = 100;
const CERTAIN_AFTER_MS = 260;

/** A recogniser that receives every frame, and records it. */
export interface AttentiveStt extends Stt {
  /** Adds utterances; each `finish` after some speech takes one. */
  queue(...utterances: string[]): void;
  /** The audio received by all streams, in milliseconds. */
  readonly heardMs: number;
}

/**
 * A recogniser that receives every frame, returns the queued texts, and detects the end of a turn: likely after 100
 * ms of silence, certain after 260 ms, resumed if speech continues.
 */
export function createAttentiveStt(...utterances: string[]): AttentiveStt {
  const queued = [...utterances];
  const heard = { ms: 0 };
  return {
    name: 'attentive',
    hears: 'every_frame',
    queue: (...more) => void queued.push(...more),
    get heardMs() {
      return heard.ms;
    },
    open: async (options) => new AttentiveSession(queued, heard, options),
    close: async () => {},
  };
}

class AttentiveSession implements SttSession {
  readonly #queued: string[];
  readonly #heard: { ms: number };
  readonly #options: SttOptions;
  #speechMs = 0;
  #silenceMs = 0;
  #partial = '';
  #belief: TurnBelief | null = null;
  #isClosed = false;

  constructor(queued: string[], heard: { ms: number }, options: SttOptions) {
    this.#queued = queued;
    this.#heard = heard;
    this.#options = options;
  }

  expect(): void {}

  push(samples: Int16Array): void {
    if (this.#isClosed) return;
    const lengthMs = (1_000 * samples.length) / this.#options.sampleRateHz;
    this.#heard.ms += lengthMs;
    const isSpeech = samples.some((sample) => Math.abs(sample) > LOUD);
    this.#silenceMs = isSpeech ? 0 : this.#silenceMs + lengthMs;
    if (isSpeech) this.#speechMs += lengthMs;
    if (this.#speechMs === 0) return;
    this.#tellWords();
    this.#tellBelief();
  }

  async finish(): Promise<Transcript> {
    const hasSpeech = this.#speechMs > 0;
    this.discard();
    const text = hasSpeech ? (this.#queued.shift() ?? '') : '';
    return { text, confidence: text === '' ? 0 : 1 };
  }

  discard(): void {
    this.#speechMs = this.#silenceMs = 0;
    this.#partial = '';
    this.#belief = null;
  }

  close(): void {
    this.#isClosed = true;
    this.discard();
  }

  #tellWords(): void {
    const words = (this.#queued[0] ?? '').split(' ');
    const partial = words.slice(0, Math.floor(this.#speechMs / WORD_MS)).join(' ');
    if (partial === this.#partial) return;
    this.#partial = partial;
    this.#options.onPartial?.(partial);
  }

  #tellBelief(): void {
    const seemsOver = this.#belief === 'likely' || this.#belief === 'certain';
    if (this.#silenceMs === 0) return seemsOver ? this.#believe('resumed') : undefined;
    if (this.#silenceMs >= CERTAIN_AFTER_MS) return this.#believe('certain');
    if (this.#silenceMs >= LIKELY_AFTER_MS) this.#believe('likely');
  }

  #believe(belief: TurnBelief): void {
    if (belief === this.#belief) return;
    this.#belief = belief;
    this.#options.onEndOfTurn?.(belief);
  }
}
