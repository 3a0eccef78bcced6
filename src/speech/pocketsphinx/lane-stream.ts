import type { Heard, Hearing } from '../hearing.js';
import { SpeechError } from '../speech-error.js';
import type { Listened } from '../threads/protocol.js';
import type { SpeechLane } from '../threads/speech-lane.js';
import { NOT_UNDERSTOOD } from './confidence/confidence.js';

/** Sound travels to its thread in pieces of this length: few messages, and little left to hear at the end. */
const PIECE_MS = 60;

export type LaneStreamOptions = Pick<Parameters<Hearing['open']>[0], 'sampleRateHz' | 'onPartial'>;

/** One ear on one thread. When the thread is replaced, the ear is opened again there before anything else is sent. */
export class LaneStream {
  readonly #lane: SpeechLane;
  readonly #options: LaneStreamOptions;
  readonly #ear: number;
  readonly #pieceSamples: number;
  #expectation: Listened | null = null;
  #generation = -1;
  #piece: Int16Array<ArrayBuffer>;
  #filled = 0;
  /** Which thread heard the beginning of the utterance in progress; null between utterances. */
  #utteranceGeneration: number | null = null;
  #closed = false;

  constructor(lane: SpeechLane, options: LaneStreamOptions) {
    this.#lane = lane;
    this.#options = options;
    this.#ear = lane.nextNumber();
    this.#pieceSamples = (options.sampleRateHz * PIECE_MS) / 1000;
    this.#piece = new Int16Array(this.#pieceSamples);
    lane.onPartial(this.#ear, options.onPartial);
    this.#ensureOpen();
  }

  expect(expectation: Listened): void {
    this.#expectation = expectation;
    if (this.#closed || this.#ensureOpen()) return;
    this.#lane.order({ kind: 'expect', ear: this.#ear, expectation });
  }

  push(samples: Int16Array): void {
    if (this.#closed || samples.length === 0) return;
    this.#ensureOpen();
    this.#utteranceGeneration ??= this.#generation;
    for (let from = 0; from < samples.length;) {
      const part = samples.subarray(from, from + this.#pieceSamples - this.#filled);
      this.#piece.set(part, this.#filled);
      this.#filled += part.length;
      from += part.length;
      if (this.#filled === this.#pieceSamples) this.#send();
    }
  }

  async finish(): Promise<Heard> {
    const began = this.#utteranceGeneration;
    this.#utteranceGeneration = null;
    if (this.#closed || began === null) return NOT_UNDERSTOOD;
    this.#ensureOpen();
    if (began !== this.#generation) {
      this.discard();
      throw new SpeechError('the thread that listened died', { provider: 'pocketsphinx', retryable: true });
    }
    if (this.#filled > 0) this.#send();
    return this.#lane.request('finish', { ear: this.#ear });
  }

  discard(): void {
    this.#filled = 0;
    this.#utteranceGeneration = null;
    if (this.#closed || this.#ensureOpen()) return;
    this.#lane.order({ kind: 'discard', ear: this.#ear });
  }

  /** Returns false when it was closed before. */
  close(): boolean {
    if (this.#closed) return false;
    this.#closed = true;
    this.#lane.onPartial(this.#ear, undefined);
    if (this.#generation === this.#lane.generation) this.#lane.order({ kind: 'close', ear: this.#ear });
    return true;
  }

  #send(): void {
    const samples = this.#piece.slice(0, this.#filled);
    this.#filled = 0;
    this.#lane.order({ kind: 'push', ear: this.#ear, samples });
  }

  /** Opens the ear in the thread that is there now; true when it had to, expectation included. */
  #ensureOpen(): boolean {
    this.#lane.ensureStarted();
    if (this.#generation === this.#lane.generation) return false;
    this.#generation = this.#lane.generation;
    const { sampleRateHz, onPartial } = this.#options;
    this.#lane.order({ kind: 'open', ear: this.#ear, sampleRateHz, wantsPartials: onPartial !== undefined });
    if (this.#expectation)
      this.#lane.order({ kind: 'expect', ear: this.#ear, expectation: this.#expectation });
    return true;
  }
}
