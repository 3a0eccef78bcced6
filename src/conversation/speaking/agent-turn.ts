import type { Log } from '#kernel/log/log.js';
import { FRAME_MS, frameSamples, type SampleRateHz } from '#media/samples/audio.js';
import type { RecognitionHints } from '#speech/stt.js';
import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import type { Connection, Entry, TurnTiming } from '#conversation/talk/conversation.js';
import { wordsBeyond } from '#speech/words-within.js';
import { SentenceStream } from '#speech/sentence-stream.js';
import { PlayoutLog } from './playout-log.js';
import { SpeechPlayer, type SpeechPlayerParts } from './speech-player.js';
import type { TURN_END_EVENTS } from '#conversation/talk/talk-machine.js';
import { turnTiming, type ResponseMarks, type TurnMarks } from '#conversation/hearing/turn-timing.js';
import { eachWithin, isWorthRetrying } from '#conversation/talk/within.js';

/** Timeout for the next output of the dialogue manager: a longer silence loses the caller anyway. */
const OUTPUT_TIMEOUT_MS = 30_000;
/** Streamed text without the end of its sentence is spoken as it is after this time. */
const FLUSH_AFTER_MS = 6_000;

/** Requests a turn from the dialogue manager; its outputs arrive in order. */
export type RequestTurn = (signal: AbortSignal) => AsyncIterable<DialogueOutput>;

/** The purpose of a turn. */
export interface TurnPurpose {
  /** The turn asks a silent caller whether they are there. */
  isPrompt: boolean;
  /** The response to the caller, for its timing; null if the turn answers nothing. */
  response: ResponseMarks | null;
  /** What follows the turn if the dialogue manager does not decide it. */
  defaultNext: 'listen' | 'end';
  /** Set if the words are an operator's instead of the dialogue manager's. */
  by?: 'operator';
}

/** The dependencies and the purpose of an {@link AgentTurn}. */
export interface AgentTurnParts extends SpeechPlayerParts, TurnPurpose {
  log: Log;
  /** Stream position heard so far, in milliseconds. */
  heardMs(): number;
  /** Stream position heard so far for hanging up and transfers, which wait for a limited playout lag only. */
  awaitedMs(): number;
  /** Recognition hints for the caller's reply, called as early as they are known. */
  onHints(hints: RecognitionHints): void;
}

/**
 * One turn of the agent: takes the outputs of the dialogue manager, speaks their text through a `SpeechPlayer`, and
 * knows which words the caller has heard. Used by `AgentTurns`.
 */
export class AgentTurn {
  /** What follows when the whole turn was played. */
  next: keyof typeof TURN_END_EVENTS;
  /** DTMF keys to send after the turn; empty for none. */
  keys = '';
  /** The transfer or join to make after the turn; null for none. */
  connection: Connection | null = null;
  /** The failure that makes the agent end the call; null for none. */
  failure: Error | null = null;
  readonly #marks: Omit<TurnMarks, 'startMs'> = {
    firstSentenceAtMs: null,
    firstSoundAtMs: null,
    sentAtMs: null,
  };
  readonly #parts: AgentTurnParts;
  /** Read for every frame, unlike the other parts. */
  readonly #sampleRateHz: SampleRateHz;
  readonly #abort = new AbortController();
  readonly #player: SpeechPlayer;
  /** True when the dialogue manager has given all its outputs. */
  #isComplete = false;
  #isPaused = false;
  readonly #playoutLog = new PlayoutLog();
  readonly #sentences = new SentenceStream();
  /** True if the text that waits in `#sentences` may be interrupted. */
  #isStreamInterruptible = true;
  #cancelFlushTimer: (() => void) | null = null;

  /** Requests the first output at once. */
  constructor(requestTurn: RequestTurn, parts: AgentTurnParts) {
    this.#parts = parts;
    this.next = parts.defaultNext;
    this.#sampleRateHz = parts.sampleRateHz;
    const onVoice = () => {
      this.#marks.firstSoundAtMs = parts.clock.monotonicMs();
      parts.onVoice();
    };
    this.#player = new SpeechPlayer({ ...parts, onVoice }, this.#abort.signal);
    void this.#run(requestTurn);
  }

  /** Set if the words are an operator's. */
  get by(): 'operator' | undefined {
    return this.#parts.by;
  }

  /** The language tag of the voice. */
  get language(): string {
    return this.#parts.language;
  }

  get isPrompt(): boolean {
    return this.#parts.isPrompt;
  }

  /**
   * True when the whole turn was produced, spoken and played. Until then a hang-up would leave words unheard, and
   * speech of the caller overlaps the turn.
   */
  get isOver(): boolean {
    if (!this.#isComplete || !this.#player.isDone) return false;
    const playedMs = this.next === 'listen' ? this.#parts.heardMs() : this.#parts.awaitedMs();
    return !this.hasSounded || playedMs >= this.endMs;
  }

  /** A turn that ends the call or connects it cannot be interrupted: "thanks, bye" must not prolong the call. */
  get isInterruptible(): boolean {
    return this.next === 'listen' && this.#player.isInterruptible(this.#unheardMs);
  }

  /** True if any sound of the turn was sent. */
  get hasSounded(): boolean {
    return this.#playoutLog.startMs !== null;
  }

  /** End of the sound sent, in milliseconds of the stream. */
  get endMs(): number {
    return this.#playoutLog.endMs;
  }

  /** End of the sound that was certainly heard because the turn resumed from there, in milliseconds of the stream. */
  get certainlyHeardMs(): number {
    return this.#playoutLog.certainlyHeardMs;
  }

  /** Milliseconds that the turn still lasts; Infinity while that is unknown. */
  get remainingMs(): number {
    return this.#isComplete ? this.#player.remainingMs + this.#unheardMs : Infinity;
  }

  /** Falls silent in mid-sentence. */
  pause(): void {
    this.#isPaused = true;
  }

  /**
   * Resumes from before the word that was cut. Sound sent after the stream position `heardMs` was never heard;
   * `heardMs` is Infinity if nothing was cleared.
   */
  resume(heardMs: number): void {
    this.#isPaused = false;
    const lostMs = this.#playoutLog.unheardMs(heardMs);
    if (heardMs < Infinity) this.#playoutLog.cutAt(heardMs);
    this.#player.rewind(lostMs, this.#unheardMs);
  }

  /**
   * Fills the agent's frame of a tick. Returns false while the agent is silent, or, for a frame that is not yet due
   * (`isDue` false), if the rest of the frame is worth waiting for.
   */
  fill(frame: Int16Array, tick: number, isDue: boolean): boolean {
    if (!isDue && !this.#player.canFill(frame.length)) return false;
    const samples = this.#isPaused ? 0 : this.#player.fill(frame, tick * FRAME_MS - this.endMs);
    if (samples === 0) return false;
    this.#marks.sentAtMs ??= this.#parts.clock.monotonicMs();
    this.#playoutLog.add(tick * FRAME_MS, (samples * FRAME_MS) / frameSamples(this.#sampleRateHz));
    return true;
  }

  /** Cancels the turn, without a report of its words. */
  cancel(): void {
    this.#stopFlushTimer();
    this.#abort.abort();
  }

  /**
   * The transcript entry of the turn; null if nothing was heard. Sound sent after the stream position `heardMs` was
   * never heard.
   */
  entry(interrupted: boolean, heardMs = Infinity): Entry | null {
    const { startMs } = this.#playoutLog;
    const text = this.#player.heardText(this.#playoutLog.unheardMs(heardMs));
    if (startMs === null || text === '') return null;
    const endMs = Math.max(startMs, Math.round(this.#playoutLog.heardEndMs(heardMs)));
    const unheard = interrupted ? wordsBeyond(`${this.#player.text} ${this.#sentences.rest}`, text) : '';
    return {
      speaker: 'agent',
      text,
      confidence: 1,
      startMs,
      endMs,
      interrupted,
      ...(unheard !== '' && { unheard }),
      ...(this.by && { by: this.by }),
    };
  }

  /** The timing of the answer; null for a turn that answered nothing or was never heard. */
  timing(turn: number, interrupted: boolean): TurnTiming | null {
    const { response } = this.#parts;
    return (
      response &&
      turnTiming(turn, response, { ...this.#marks, startMs: this.#playoutLog.startMs }, interrupted)
    );
  }

  /** Milliseconds sent but not heard so far. */
  get #unheardMs(): number {
    return this.#playoutLog.unheardMs(this.#parts.heardMs());
  }

  async #run(requestTurn: RequestTurn): Promise<void> {
    try {
      await this.#requestWithRetry(requestTurn);
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#parts.onFailure(error);
    }
  }

  /**
   * Requests the turn, and handles its outputs. A dialogue manager that fails before any output is retried once, if
   * that may help.
   */
  async #requestWithRetry(requestTurn: RequestTurn): Promise<void> {
    let outputCount = 0;
    const handle = (output: DialogueOutput) => {
      outputCount += 1;
      this.#handle(output);
    };
    try {
      await this.#handleAll(requestTurn, handle);
    } catch (error) {
      if (this.#abort.signal.aborted || outputCount > 0 || !isWorthRetrying(error)) throw error;
      this.#parts.log.warn({ err: error }, 'the dialogue manager failed, asked once more');
      await this.#handleAll(requestTurn, handle);
    }
    this.#flush();
    this.#isComplete = true;
  }

  /** Requests the turn once, and handles each output within its timeout. */
  async #handleAll(requestTurn: RequestTurn, handle: (output: DialogueOutput) => void): Promise<void> {
    const { signal } = this.#abort;
    const limit = { clock: this.#parts.clock, limitMs: OUTPUT_TIMEOUT_MS, signal, name: 'a step of a turn' };
    for await (const output of eachWithin(requestTurn(signal), limit)) handle(output);
  }

  /** Carries out one output of the dialogue manager. */
  #handle(output: DialogueOutput): void {
    if (output.kind === 'text_delta') return this.#speakDelta(output);
    this.#flush();
    if (output.kind === 'flush') return;
    // The last output of a turn decides what follows.
    this.next =
      output.kind === 'transfer' || output.kind === 'join' || output.kind === 'end' ? output.kind : 'listen';
    switch (output.kind) {
      case 'say':
        this.#marks.firstSentenceAtMs ??= this.#parts.clock.monotonicMs();
        return this.#player.say(output.text, output.interruptible);
      case 'press':
        this.keys += output.keys;
        return;
      case 'listen':
        return this.#parts.onHints(output.hints);
      case 'transfer':
      case 'join':
        this.connection = output;
        return;
      case 'end':
        this.failure = output.error ?? null;
    }
  }

  /** Adds streamed text, and speaks the pieces that are complete. */
  #speakDelta({ text, interruptible }: Extract<DialogueOutput, { kind: 'text_delta' }>): void {
    if (interruptible !== this.#isStreamInterruptible) this.#flush();
    this.#isStreamInterruptible = interruptible;
    this.next = 'listen';
    this.#speak(this.#sentences.push(text));
    if (!this.#sentences.isWaiting) return;
    this.#cancelFlushTimer ??= this.#parts.clock.after(FLUSH_AFTER_MS, () => this.#flush());
  }

  /** Speaks the streamed text that still waits for the end of its sentence. */
  #flush(): void {
    this.#speak(this.#sentences.flush());
    this.#stopFlushTimer();
  }

  /** Speaks pieces of streamed text, each a whole sentence or clause. */
  #speak(pieces: readonly string[]): void {
    if (pieces.length === 0) return;
    this.#marks.firstSentenceAtMs ??= this.#parts.clock.monotonicMs();
    this.#stopFlushTimer();
    this.#player.speak(pieces, this.#isStreamInterruptible);
  }

  #stopFlushTimer(): void {
    this.#cancelFlushTimer?.();
    this.#cancelFlushTimer = null;
  }
}
