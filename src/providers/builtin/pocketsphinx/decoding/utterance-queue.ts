import type { Post } from '#providers/builtin/threads/protocol.js';
import type { DecoderPool } from './decoder-pool.js';
import type { Utterance } from './recognition-session.js';

/** Audio processed at once: 200 ms, which takes 4 ms of CPU time. Then other utterances have their turn. */
const SLICE_SAMPLES = 1_600;

/**
 * Schedules the utterances of a speech thread, which share its decoders and its time. An utterance without a decoder
 * keeps its audio and catches up later. An ended utterance is answered as soon as its last audio is processed. Used by
 * the recognition duties (`recogniser.ts`).
 */
export class UtteranceQueue {
  readonly #decoders: DecoderPool;
  readonly #post: Post;
  readonly #nextTurn: () => Promise<unknown>;
  readonly #adaptationSamples: number;
  readonly #utterances: Utterance[] = [];
  #running = false;

  /**
   * @param parts.nextTurn resolves after the thread has received waiting messages
   * @param parts.adaptationSamples the least audio to which a decoder adapts before recognition begins; an utterance
   *   waits for it, unless it ends before. Default 0: no adaptation
   */
  constructor(parts: {
    decoders: DecoderPool;
    post: Post;
    nextTurn: () => Promise<unknown>;
    adaptationSamples?: number;
  }) {
    this.#decoders = parts.decoders;
    this.#post = parts.post;
    this.#nextTurn = parts.nextTurn;
    this.#adaptationSamples = parts.adaptationSamples ?? 0;
  }

  /** Adds a new utterance, if any. */
  add(utterance: Utterance | null): void {
    if (utterance) this.#utterances.push(utterance);
  }

  /** Called when there is work: audio, an end, a free decoder. */
  wake(): void {
    if (!this.#running) void this.#run();
  }

  /** Processes slices of audio until no utterance has work. */
  async #run(): Promise<void> {
    this.#running = true;
    for (let utterance = this.#next(); utterance; utterance = this.#next()) {
      // Round robin: the utterance being served moves to the end of the queue.
      this.#utterances.push(...this.#utterances.splice(this.#utterances.indexOf(utterance), 1));
      await this.#process(utterance).catch(() => this.#fail(utterance));
      // Lets messages in that have arrived: new audio, new utterances.
      await this.#nextTurn();
    }
    this.#running = false;
  }

  /**
   * The next utterance with work: a dropped one, whose removal costs nothing; else the one that ended first, because
   * its caller waits; else the one that was served longest ago. Ended utterances are not interleaved: all would be as
   * late as the last.
   */
  #next(): Utterance | undefined {
    const ready = this.#utterances.filter((utterance) => this.#isReady(utterance));
    return ready.find(({ isDropped }) => isDropped) ?? firstEnded(ready) ?? ready[0];
  }

  /** True if there is something to do for an utterance, and a decoder to do it. */
  #isReady({ isDropped, hasFailed, waitingAudio, sampleCount, finish, decoder }: Utterance): boolean {
    if (isDropped) return true;
    if (hasFailed) return finish !== null;
    if (decoder) return waitingAudio.length > 0 || finish !== null;
    const hasEnoughAudio =
      finish !== null || (waitingAudio.length > 0 && sampleCount >= this.#adaptationSamples);
    return hasEnoughAudio && this.#decoders.hasFreeDecoder;
  }

  /** Processes one slice of an utterance, and answers it after its last audio. */
  async #process(utterance: Utterance): Promise<void> {
    if (utterance.isDropped || utterance.hasFailed) return this.#remove(utterance);
    if (!utterance.decoder) {
      utterance.decoder = await this.#decoders.take(utterance.grammar);
      utterance.decoder.setGrammar(utterance.grammar);
      // All audio that has arrived serves for the adaptation, and is recognised afterwards.
      if (this.#adaptationSamples > 0) utterance.decoder.adapt(joined(utterance.waitingAudio));
      utterance.decoder.begin();
    }
    decodeSlice(utterance);
    // The utterance may have been dropped while a decoder was awaited.
    if (utterance.isDropped) return this.#remove(utterance);
    if (utterance.waitingAudio.length > 0 || utterance.finish === null) return this.#reportPartial(utterance);
    const answer = utterance.decoder.end();
    this.#release(utterance);
    this.#post({ kind: 'done', request: utterance.finish, answer });
  }

  /** Reports new interim words, if the session wants them. */
  #reportPartial(utterance: Utterance): void {
    if (!utterance.session.wantsPartials) return;
    const text = utterance.decoder!.partial();
    if (text === '' || text === utterance.partial) return;
    utterance.partial = text;
    this.#post({ kind: 'partial', session: utterance.session.number, text });
  }

  /** Removes an utterance that was dropped or has failed. If its transcript was requested, the answer is a failure. */
  #remove(utterance: Utterance): void {
    utterance.decoder?.end();
    this.#release(utterance);
    if (utterance.finish === null) return;
    this.#post({ kind: 'failed', request: utterance.finish, message: 'recognition failed' });
  }

  /** Removes an utterance from the queue and gives its decoder back. */
  #release(utterance: Utterance): void {
    this.#utterances.splice(this.#utterances.indexOf(utterance), 1);
    if (utterance.decoder) this.#decoders.giveBack(utterance.decoder);
    utterance.decoder = null;
  }

  /** Handles a failure of the engine: discards the decoder; the end of the utterance will be answered as a failure. */
  #fail(utterance: Utterance): void {
    if (utterance.decoder) this.#decoders.discard(utterance.decoder);
    utterance.decoder = null;
    utterance.waitingAudio.length = 0;
    utterance.hasFailed = true;
  }
}

/** The utterance that ended first; request numbers are ascending. */
function firstEnded(utterances: readonly Utterance[]): Utterance | undefined {
  const ended = utterances.filter(({ finish }) => finish !== null);
  return ended.sort((left, right) => left.finish! - right.finish!)[0];
}

/** Gives a slice of waiting audio to the decoder. */
function decodeSlice(utterance: Utterance): void {
  for (let decodedSamples = 0; decodedSamples < SLICE_SAMPLES;) {
    const samples = utterance.waitingAudio.shift();
    if (!samples) return;
    utterance.decoder!.push(samples);
    decodedSamples += samples.length;
  }
}

function joined(pieces: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
