import type { Log } from '#kernel/log/log.js';
import { FRAME_MS, frameSamples, type SampleRateHz } from '#media/samples/audio.js';
import type { RecognitionHints } from '#speech/stt.js';
import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import type { Connection, Entry, TurnTiming } from '#conversation/talk/conversation.js';
import { wordsBeyond } from '#speech/words-within.js';
import { SentenceStream } from '#speech/sentence-stream.js';
import { PlayoutLog } from './playout-log.js';
import { SpeechPlayer, type SpeechPlayerParts } from './speech-player.js';
import type { SAID } from '#conversation/talk/talk-machine.js';
import { turnTiming, type ResponseMarks, type TurnMarks } from '#conversation/hearing/turn-timing.js';
import { eachWithin, isWorthRetrying } from '#conversation/talk/within.js';

/** Timeout for the next step of a turn: a longer silence loses the caller anyway. */
const STEP_TIMEOUT_MS = 30_000;
/** Text that stays without the end of its sentence for this long is spoken as it is. */
const LONGEST_UNSPOKEN_MS = 6_000;

/** Requests a turn from the dialogue manager. */
export type Think = (signal: AbortSignal) => AsyncIterable<DialogueOutput>;

/** The purpose of a turn. */
export interface TurnPurpose {
  /** The turn asks a silent caller whether they are there. */
  isPrompt: boolean;
  /** The response to the caller, for its timing; null if the turn answers nothing. */
  response: ResponseMarks | null;
  /** What follows a turn without a decision. */
  wordless: 'listen' | 'end';
  /** Set if the words are an operator's instead of the dialogue manager's. */
  by?: 'operator';
}

export interface AgentTurnParts extends SpeechPlayerParts, TurnPurpose {
  log: Log;
  /** Stream position heard so far, in milliseconds. */
  heardMs(): number;
  /** Stream position heard so far for hanging up and transfers, which wait for a limited playout lag only. */
  awaitedMs(): number;
  /** Recognition hints for the caller's reply, called as early as they are known. */
  onHints(hints: RecognitionHints): void;
}

/** One turn of the agent, from the first output of its dialogue manager to the words heard. */
export class AgentTurn {
  /** What follows when the whole turn was played. */
  next: keyof typeof SAID;
  /** DTMF keys to send after the turn; empty for none. */
  keys = '';
  /** The connection to make after the turn; null for all but a transfer. */
  connection: Connection | null = null;
  /** The failure that makes the agent end the call; null for none. */
  failure: Error | null = null;
  readonly #marks: Omit<TurnMarks, 'startMs'> = { thoughtAtMs: null, voiceAtMs: null, soundedAtMs: null };
  readonly #parts: AgentTurnParts;
  /** Read for every frame, unlike the other parts. */
  readonly #sampleRateHz: SampleRateHz;
  readonly #abort = new AbortController();
  readonly #player: SpeechPlayer;
  #isThoughtOut = false;
  #isPaused = false;
  readonly #sent = new PlayoutLog();
  readonly #stream = new SentenceStream();
  /** True if the text in {@link #stream} may be interrupted. */
  #isStreamInterruptible = true;
  #cancelUnspoken: (() => void) | null = null;

  /** Requests the first step at once. */
  constructor(think: Think, parts: AgentTurnParts) {
    this.#parts = parts;
    this.next = parts.wordless;
    this.#sampleRateHz = parts.sampleRateHz;
    const onVoice = () => {
      this.#marks.voiceAtMs = parts.clock.monotonicMs();
      parts.onVoice();
    };
    this.#player = new SpeechPlayer({ ...parts, onVoice }, this.#abort.signal);
    void this.#run(think);
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
   * True when the whole turn was produced, spoken and played. A hang-up before that leaves the rest unheard, and speech
   * before that overlaps the turn.
   */
  get isOver(): boolean {
    if (!this.#isThoughtOut || !this.#player.isDone) return false;
    const playedMs = this.next === 'listen' ? this.#parts.heardMs() : this.#parts.awaitedMs();
    return !this.hasSounded || playedMs >= this.endMs;
  }

  /** Last words cannot be interrupted: "thanks, bye" must not prolong the call. */
  get isInterruptible(): boolean {
    return this.next === 'listen' && this.#player.isInterruptible(this.#unheardMs);
  }

  /** True if any sound of the turn was sent. */
  get hasSounded(): boolean {
    return this.#sent.startMs !== null;
  }

  /** End of the sound sent, in milliseconds of the stream. */
  get endMs(): number {
    return this.#sent.endMs;
  }

  /** End of the sound that was certainly heard, because the turn resumed from there, in milliseconds of the stream. */
  get settledMs(): number {
    return this.#sent.settledMs;
  }

  /** Milliseconds that the turn still lasts; Infinity while that is unknown. */
  get remainingMs(): number {
    return this.#isThoughtOut ? this.#player.remainingMs + this.#unheardMs : Infinity;
  }

  /** Falls silent in mid-sentence. */
  pause(): void {
    this.#isPaused = true;
  }

  /**
   * Resumes from before the word that was cut. Sound sent after the stream position `heardMs` was never heard; Infinity
   * if nothing was cleared.
   */
  resume(heardMs: number): void {
    this.#isPaused = false;
    const lostMs = this.#sent.unheardMs(heardMs);
    if (heardMs < Infinity) this.#sent.settle(heardMs);
    this.#player.rewind(lostMs, this.#unheardMs);
  }

  /**
   * Fills the agent's frame of a tick. Returns false while the agent is silent, or, for a frame that is not yet due
   * (`isDue` false), if the rest of it is worth waiting for.
   */
  fill(frame: Int16Array, tick: number, isDue: boolean): boolean {
    if (!isDue && !this.#player.canFill(frame.length)) return false;
    const samples = this.#isPaused ? 0 : this.#player.fill(frame, tick * FRAME_MS - this.endMs);
    if (samples === 0) return false;
    this.#marks.soundedAtMs ??= this.#parts.clock.monotonicMs();
    this.#sent.add(tick * FRAME_MS, (samples * FRAME_MS) / frameSamples(this.#sampleRateHz));
    return true;
  }

  /** Cancels the turn. */
  drop(): void {
    this.#stopWaiting();
    this.#abort.abort();
  }

  /**
   * The transcript entry of the turn; null if nothing was heard. Sound sent after the stream position `heardMs` was
   * never heard.
   */
  entry(interrupted: boolean, heardMs = Infinity): Entry | null {
    const { startMs } = this.#sent;
    const text = this.#player.heardText(this.#sent.unheardMs(heardMs));
    if (startMs === null || text === '') return null;
    const endMs = Math.max(startMs, Math.round(this.#sent.heardEndMs(heardMs)));
    const unheard = interrupted ? wordsBeyond(`${this.#player.text} ${this.#stream.rest}`, text) : '';
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
      response && turnTiming(turn, response, { ...this.#marks, startMs: this.#sent.startMs }, interrupted)
    );
  }

  /** Milliseconds sent but not heard so far. */
  get #unheardMs(): number {
    return this.#sent.unheardMs(this.#parts.heardMs());
  }

  async #run(think: Think): Promise<void> {
    try {
      await this.#think(think);
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#parts.onFailure(error);
    }
  }

  /** A dialogue manager that fails before its first step is retried once. */
  async #think(think: Think): Promise<void> {
    let steps = 0;
    const take = (output: DialogueOutput) => {
      steps += 1;
      this.#take(output);
    };
    try {
      await this.#takeAll(think, take);
    } catch (error) {
      if (this.#abort.signal.aborted || steps > 0 || !isWorthRetrying(error)) throw error;
      this.#parts.log.warn({ err: error }, 'the dialogue manager failed, asked once more');
      await this.#takeAll(think, take);
    }
    this.#flush();
    this.#isThoughtOut = true;
  }

  async #takeAll(think: Think, take: (output: DialogueOutput) => void): Promise<void> {
    const { signal } = this.#abort;
    const limit = { clock: this.#parts.clock, limitMs: STEP_TIMEOUT_MS, signal, what: 'a step of a turn' };
    for await (const output of eachWithin(think(signal), limit)) take(output);
  }

  #take(output: DialogueOutput): void {
    if (output.kind === 'text_delta') return this.#takeDelta(output);
    this.#flush();
    if (output.kind === 'flush') return;
    this.next =
      output.kind === 'transfer' || output.kind === 'join' || output.kind === 'end' ? output.kind : 'listen';
    switch (output.kind) {
      case 'say':
        this.#marks.thoughtAtMs ??= this.#parts.clock.monotonicMs();
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

  /** Speaks the complete pieces of a streamed text. */
  #takeDelta({ text, interruptible }: Extract<DialogueOutput, { kind: 'text_delta' }>): void {
    if (interruptible !== this.#isStreamInterruptible) this.#flush();
    this.#isStreamInterruptible = interruptible;
    this.next = 'listen';
    this.#speak(this.#stream.push(text));
    if (!this.#stream.isWaiting) return;
    this.#cancelUnspoken ??= this.#parts.clock.after(LONGEST_UNSPOKEN_MS, () => this.#flush());
  }

  #flush(): void {
    this.#speak(this.#stream.flush());
    this.#stopWaiting();
  }

  #speak(pieces: readonly string[]): void {
    if (pieces.length === 0) return;
    this.#marks.thoughtAtMs ??= this.#parts.clock.monotonicMs();
    this.#stopWaiting();
    this.#player.speak(pieces, this.#isStreamInterruptible);
  }

  #stopWaiting(): void {
    this.#cancelUnspoken?.();
    this.#cancelUnspoken = null;
  }
}
