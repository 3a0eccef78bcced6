import type { Clock } from '../kernel/clock.js';
import type { SampleRateHz } from '../media/audio.js';
import type { Speaking } from '../speech/speaking.js';
import { pauseAfterMs, splitSentences } from '../speech/sentences.js';
import { wordsWithin } from './words-within.js';
import { eachWithin, isWorthRetrying } from './within.js';

/** The longest wait for the next piece of a voice. */
const VOICE_PATIENCE_MS = 10_000;
/** For the share that was heard of a sentence whose end is not synthesised yet: usual speech. */
const MS_PER_CHARACTER = 65;

/** The voice of an agent on one line, and who is told when it fails. */
export interface MouthParts {
  clock: Clock;
  speaking: Speaking;
  voice: string | null;
  language: string;
  sampleRateHz: SampleRateHz;
  /** Told once per turn, when its first sound is there to be played. */
  onVoice(): void;
  onFailure(error: unknown): void;
}

interface Sentence {
  text: string;
  interruptible: boolean;
  pieces: Int16Array[];
  /** Samples synthesised and samples played. */
  made: number;
  played: number;
  isWhole: boolean;
}

/**
 * Speaks the sentences of one turn: synthesises one sentence ahead of the one that plays, hands the sound out frame
 * by frame, and knows what of it was heard.
 */
export class Mouth {
  readonly #parts: MouthParts;
  readonly #signal: AbortSignal;
  readonly #sentences: Sentence[] = [];
  /** Index of the sentence that plays, and of the next one to synthesise. */
  #playing = 0;
  #next = 0;
  /** Samples taken of the first piece of the sentence that plays. */
  #taken = 0;
  /** Samples of silence still to be played before the next sentence. */
  #pauseSamples = 0;
  #isSynthesising = false;

  constructor(parts: MouthParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
  }

  say(text: string, interruptible: boolean): void {
    for (const sentence of splitSentences(text)) {
      this.#sentences.push({ text: sentence, interruptible, pieces: [], made: 0, played: 0, isWhole: false });
    }
    this.#synthesiseAhead();
  }

  /** Everything said so far has been played. */
  get isDone(): boolean {
    return this.#playing === this.#sentences.length;
  }

  /** Whether the sentence that plays, or the last one, may be spoken over. */
  get isInterruptible(): boolean {
    const at = Math.min(this.#playing, this.#sentences.length - 1);
    return this.#sentences[at]?.interruptible ?? true;
  }

  /** What the caller could have heard so far. */
  get heardText(): string {
    return this.#sentences
      .slice(0, this.#playing + 1)
      .map((sentence) => wordsWithin(sentence.text, this.#playedShare(sentence)))
      .filter((text) => text !== '')
      .join(' ');
  }

  /** Fills a frame, the rest with silence; returns how many samples are ours. Never waits, never allocates. */
  fill(frame: Int16Array): number {
    let filled = 0;
    for (;;) {
      filled = this.#pause(frame, filled);
      const sentence = this.#sentences[this.#playing];
      const piece = sentence?.pieces[0];
      // Looked at also when the frame is full: a sentence that ends with a frame is over now, not a frame later.
      if (sentence?.isWhole && !piece) this.#goOn(sentence);
      else if (sentence && piece && filled < frame.length)
        filled += this.#play(sentence, piece, frame, filled);
      else break;
    }
    frame.fill(0, filled);
    return filled;
  }

  /** A sentence was played to its end. */
  #goOn(sentence: Sentence): void {
    this.#playing += 1;
    const isLast = this.#playing === this.#sentences.length;
    if (!isLast) this.#pauseSamples = (pauseAfterMs(sentence.text) * this.#parts.sampleRateHz) / 1000;
    this.#synthesiseAhead();
  }

  #pause(frame: Int16Array, from: number): number {
    const count = Math.min(this.#pauseSamples, frame.length - from);
    this.#pauseSamples -= count;
    if (count > 0) frame.fill(0, from, from + count);
    return from + count;
  }

  #play(sentence: Sentence, piece: Int16Array, frame: Int16Array, at: number): number {
    const count = Math.min(frame.length - at, piece.length - this.#taken);
    for (let index = 0; index < count; index += 1) frame[at + index] = piece[this.#taken + index]!;
    this.#taken += count;
    sentence.played += count;
    if (this.#taken === piece.length) {
      sentence.pieces.shift();
      this.#taken = 0;
    }
    return count;
  }

  #playedShare(sentence: Sentence): number {
    if (sentence.isWhole) return sentence.made === 0 ? 1 : sentence.played / sentence.made;
    const usual = (sentence.text.length * MS_PER_CHARACTER * this.#parts.sampleRateHz) / 1000;
    return sentence.played / Math.max(sentence.made, usual);
  }

  #synthesiseAhead(): void {
    const sentence = this.#sentences[this.#next];
    if (!sentence || this.#isSynthesising || this.#next > this.#playing + 1 || this.#signal.aborted) return;
    this.#next += 1;
    this.#isSynthesising = true;
    this.#synthesise(sentence).then(
      () => {
        sentence.isWhole = true;
        this.#isSynthesising = false;
        this.#synthesiseAhead();
      },
      (error: unknown) => {
        if (!this.#signal.aborted) this.#parts.onFailure(error);
      },
    );
  }

  async #synthesise(sentence: Sentence): Promise<void> {
    try {
      await this.#speak(sentence);
    } catch (error) {
      if (this.#signal.aborted || !isWorthRetrying(error)) throw error;
      await this.#speak(sentence);
    }
  }

  /** Takes a sentence's sound from where an earlier try broke off. */
  async #speak(sentence: Sentence): Promise<void> {
    const { clock, speaking, voice, language, sampleRateHz } = this.#parts;
    const signal = this.#signal;
    let skip = sentence.made;
    const sound = speaking.speak({ text: sentence.text, voice, language, sampleRateHz, signal });
    const patience = { clock, limitMs: VOICE_PATIENCE_MS, signal, what: 'the voice' };
    for await (const piece of eachWithin(sound, patience)) {
      const fresh = skip === 0 ? piece : piece.subarray(Math.min(skip, piece.length));
      skip = Math.max(0, skip - piece.length);
      if (fresh.length === 0) continue;
      sentence.pieces.push(fresh);
      if (sentence.made === 0 && sentence === this.#sentences[0]) this.#parts.onVoice();
      sentence.made += fresh.length;
    }
  }
}
