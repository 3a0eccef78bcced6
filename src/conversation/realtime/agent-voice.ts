import { FRAME_MS, frameSamples, type SampleRateHz } from '#media/samples/audio.js';
import type { Entry } from '#conversation/talk/conversation.js';
import { PlayoutLog } from '#conversation/speaking/playout-log.js';
import { wordsBeyond, wordsWithin } from '#speech/words-within.js';

/** Usual speech rate, to estimate the share heard of a turn whose sound is incomplete. */
const MS_PER_CHARACTER = 65;

/**
 * The agent's sound and text in one turn of a speech-to-speech session: what was received, sent and heard. Used by
 * `RealtimeConversation`, as `AgentTurn` is in other conversations.
 */
export class AgentVoice {
  readonly #sampleRateHz: SampleRateHz;
  /** Received sound that was not sent completely, in order. */
  readonly #pieces: Int16Array[] = [];
  readonly #playoutLog = new PlayoutLog();
  /** Samples of the first piece that were already sent; a piece is removed when it was sent completely. */
  #pieceOffset = 0;
  #receivedSamples = 0;
  #sentSamples = 0;
  #text = '';
  #isDone = false;

  constructor(sampleRateHz: SampleRateHz) {
    this.#sampleRateHz = sampleRateHz;
  }

  /** True when any sound of the turn was sent to the caller. */
  get hasSounded(): boolean {
    return this.#sentSamples > 0;
  }

  /** True when the session has delivered the whole turn. */
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
    return this.#playoutLog.endMs;
  }

  /** Adds sound from the session; the array is kept. */
  add(samples: Int16Array): void {
    if (samples.length === 0) return;
    this.#pieces.push(samples);
    this.#receivedSamples += samples.length;
  }

  /** Adds words from the session. */
  addText(text: string): void {
    this.#text += text;
  }

  /** The session has completed the turn. */
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
    for (let at = 0; at < samples;) at += this.#copyPiece(frame.subarray(at, samples));
    frame.fill(0, samples);
    this.#sentSamples += samples;
    this.#playoutLog.add(tick * FRAME_MS, (samples * FRAME_MS) / frameSamples(this.#sampleRateHz));
    return true;
  }

  /** Milliseconds of the turn's sound that were heard up to a position of the stream. */
  heardMs(untilMs: number): number {
    return Math.max(0, this.#ms(this.#sentSamples) - this.#playoutLog.unheardMs(untilMs));
  }

  /** The transcript entry of the words heard up to a position of the stream; null if none were. */
  entry(interrupted: boolean, untilMs = Infinity): Entry | null {
    const { startMs } = this.#playoutLog;
    const text = this.#heardText(untilMs);
    if (startMs === null || text === '') return null;
    const endMs = Math.max(startMs, Math.round(this.#playoutLog.heardEndMs(untilMs)));
    const unheard = interrupted ? wordsBeyond(this.#text, text) : '';
    const entry: Entry = { speaker: 'agent', text, confidence: 1, startMs, endMs, interrupted };
    return unheard === '' ? entry : { ...entry, unheard };
  }

  /** The words heard, by the share of the turn's sound that was heard. */
  #heardText(untilMs: number): string {
    const text = this.#text.trim();
    const receivedMs = this.#ms(this.#receivedSamples);
    const lengthMs = this.#isDone ? receivedMs : Math.max(receivedMs, text.length * MS_PER_CHARACTER);
    return lengthMs === 0 ? '' : wordsWithin(text, this.heardMs(untilMs) / lengthMs);
  }

  /** Copies as much of the first piece as fits; returns the number of samples. */
  #copyPiece(into: Int16Array): number {
    const piece = this.#pieces[0]!;
    const from = piece.subarray(this.#pieceOffset, this.#pieceOffset + into.length);
    into.set(from);
    this.#pieceOffset += from.length;
    if (this.#pieceOffset === piece.length) {
      this.#pieces.shift();
      this.#pieceOffset = 0;
    }
    return from.length;
  }

  #ms(samples: number): number {
    return (samples * 1_000) / this.#sampleRateHz;
  }
}
