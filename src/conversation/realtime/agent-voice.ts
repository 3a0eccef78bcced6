import { FRAME_MS, frameSamples, type SampleRateHz } from '#media/samples/audio.js';
import type { Entry } from '#conversation/talk/conversation.js';
import { PlayoutLog } from '#conversation/speaking/playout-log.js';
import { wordsBeyond, wordsWithin } from '#speech/words-within.js';

/** Usual speech rate, to estimate the share heard of a turn whose sound is incomplete. */
const MS_PER_CHARACTER = 65;

/** One turn of a speech-to-speech session: the sound received, the part sent, and the part heard. */
export class AgentVoice {
  readonly #sampleRateHz: SampleRateHz;
  readonly #pieces: Int16Array[] = [];
  readonly #sent = new PlayoutLog();
  /** Samples of the first piece that were sent. */
  #taken = 0;
  #receivedSamples = 0;
  #sentSamples = 0;
  #text = '';
  #isDone = false;

  constructor(sampleRateHz: SampleRateHz) {
    this.#sampleRateHz = sampleRateHz;
  }

  get hasSounded(): boolean {
    return this.#sentSamples > 0;
  }

  /** True when the session has sent the whole turn. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** True when sound or text of the turn has arrived. */
  get hasBegun(): boolean {
    return this.#receivedSamples > 0 || this.#text !== '';
  }

  /** True when the whole turn was sent to the caller. */
  get isSent(): boolean {
    return this.#isDone && this.#pieces.length === 0;
  }

  /** End of the sound sent, in milliseconds of the stream. */
  get endMs(): number {
    return this.#sent.endMs;
  }

  add(samples: Int16Array): void {
    if (samples.length === 0) return;
    this.#pieces.push(samples);
    this.#receivedSamples += samples.length;
  }

  addText(text: string): void {
    this.#text += text;
  }

  /** Nothing follows in this turn. */
  finish(): void {
    this.#isDone = true;
  }

  /**
   * Fills the frame of a tick, with silence after the last sample. Returns false if there is no sound, or, for a frame
   * that is not yet due (`isDue` false), if the rest of the frame is still to come.
   */
  fill(frame: Int16Array, tick: number, isDue: boolean): boolean {
    const waiting = this.#receivedSamples - this.#sentSamples;
    if (waiting === 0 || (waiting < frame.length && !isDue && !this.#isDone)) return false;
    const samples = Math.min(waiting, frame.length);
    for (let at = 0; at < samples;) at += this.#take(frame.subarray(at, samples));
    frame.fill(0, samples);
    this.#sentSamples += samples;
    this.#sent.add(tick * FRAME_MS, (samples * FRAME_MS) / frameSamples(this.#sampleRateHz));
    return true;
  }

  /** Milliseconds of the turn's sound that were heard up to a moment of the stream. */
  heardMs(untilMs: number): number {
    return Math.max(0, this.#ms(this.#sentSamples) - this.#sent.unheardMs(untilMs));
  }

  /** The transcript entry of the turn; null if nothing was heard up to a moment of the stream. */
  entry(interrupted: boolean, untilMs = Infinity): Entry | null {
    const { startMs } = this.#sent;
    const text = this.#heardText(untilMs);
    if (startMs === null || text === '') return null;
    const endMs = Math.max(startMs, Math.round(this.#sent.heardEndMs(untilMs)));
    const unheard = interrupted ? wordsBeyond(this.#text, text) : '';
    const entry: Entry = { speaker: 'agent', text, confidence: 1, startMs, endMs, interrupted };
    return unheard === '' ? entry : { ...entry, unheard };
  }

  #heardText(untilMs: number): string {
    const text = this.#text.trim();
    const receivedMs = this.#ms(this.#receivedSamples);
    const lengthMs = this.#isDone ? receivedMs : Math.max(receivedMs, text.length * MS_PER_CHARACTER);
    return lengthMs === 0 ? '' : wordsWithin(text, this.heardMs(untilMs) / lengthMs);
  }

  /** Copies as much of the first piece as fits. */
  #take(into: Int16Array): number {
    const piece = this.#pieces[0]!;
    const from = piece.subarray(this.#taken, this.#taken + into.length);
    into.set(from);
    this.#taken += from.length;
    if (this.#taken === piece.length) {
      this.#pieces.shift();
      this.#taken = 0;
    }
    return from.length;
  }

  #ms(samples: number): number {
    return (samples * 1_000) / this.#sampleRateHz;
  }
}
