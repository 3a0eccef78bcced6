import type { Log } from '#kernel/log/log.js';
import { FRAME_MS, frameSamples, type SampleRateHz } from '#media/samples/audio.js';
import type { RecognitionHints } from '#speech/stt.js';
import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import type { Connection, Entry, TurnTiming } from '#conversation/talk/conversation.js';
import { wordsBeyond } from '#speech/words-within.js';
import { SentenceStream } from '#speech/sentence-stream.js';
import { SentSound } from './sent-sound.js';
import { SpeechPlayer, type SpeechPlayerParts } from './speech-player.js';
import type { SAID } from '#conversation/talk/talk-machine.js';
import { turnTiming, type ResponseMarks, type TurnMarks } from '#conversation/hearing/turn-timing.js';
import { eachWithin, isWorthRetrying } from '#conversation/talk/within.js';

/** The longest wait for the next step of a turn: longer silences lose the caller anyway. */
const STEP_TIMEOUT_MS = 30_000;
/** Text that arrives too slowly to end its sentence is spoken after this. */
const LONGEST_UNSPOKEN_MS = 6_000;

/** Asks the dialogue manager for a turn. */
export type Think = (signal: AbortSignal) => AsyncIterable<DialogueOutput>;

/** What a turn is for. */
export interface TurnPurpose {
  /** It asks a silent caller whether they are there. */
  isPrompt: boolean;
  /** What it answers, for its timing; null when it answers nothing. */
  response: ResponseMarks | null;
  /** What follows a turn that decides nothing. */
  wordless: 'listen' | 'end';
  /** Whose words they are, where not the dialogue manager's. */
  by?: 'operator';
}

export interface AgentTurnParts extends SpeechPlayerParts, TurnPurpose {
  log: Log;
  /** Up to which moment of the stream the agent was heard so far, in milliseconds. */
  heardMs(): number;
  /** The same, as far as is waited for with hanging up, and with a transfer. */
  awaitedMs(): number;
  /** What the agent will listen for, told as early as it is known. */
  onHints(hints: RecognitionHints): void;
}

/** One turn of the agent, from its thoughts to what was heard of it. */
export class AgentTurn {
  /** What follows when everything was played. */
  next: keyof typeof SAID;
  /** Keys to press then; empty for none. */
  keys = '';
  /** What the line is connected with then; null for all but a transfer. */
  connection: Connection | null = null;
  /** Why the agent ends the call, where that is a failure. */
  failure: Error | null = null;
  readonly #marks: Omit<TurnMarks, 'startMs'> = { thoughtAtMs: null, voiceAtMs: null, soundedAtMs: null };
  readonly #parts: AgentTurnParts;
  /** Looked into for every frame, unlike the other parts. */
  readonly #sampleRateHz: SampleRateHz;
  readonly #abort = new AbortController();
  readonly #player: SpeechPlayer;
  #isThoughtOut = false;
  #isPaused = false;
  readonly #sent = new SentSound();
  readonly #stream = new SentenceStream();
  /** Whether the text in {@link #stream} may be interrupted. */
  #isStreamInterruptible = true;
  #cancelUnspoken: (() => void) | null = null;

  /** Asks for its first step at once. */
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

  /** Whose words they are, where not the dialogue manager's. */
  get by(): 'operator' | undefined {
    return this.#parts.by;
  }

  /** The language (a tag) that it is spoken in. */
  get language(): string {
    return this.#parts.language;
  }

  get isPrompt(): boolean {
    return this.#parts.isPrompt;
  }

  /**
   * Everything was thought, spoken and played: whoever hangs up before that has not heard the rest, and whoever speaks
   * before that speaks over it.
   */
  get isOver(): boolean {
    if (!this.#isThoughtOut || !this.#player.isDone) return false;
    const playedMs = this.next === 'listen' ? this.#parts.heardMs() : this.#parts.awaitedMs();
    return !this.hasSounded || playedMs >= this.endMs;
  }

  /** Its last words are not interrupted: "thanks, bye" must not keep anybody on the line. */
  get isInterruptible(): boolean {
    return this.next === 'listen' && this.#player.isInterruptible(this.#unheardMs);
  }

  /** Whether any of it has been sent. */
  get hasSounded(): boolean {
    return this.#sent.startMs !== null;
  }

  /** The end of what was sent of it, in milliseconds of the stream. */
  get endMs(): number {
    return this.#sent.endMs;
  }

  /** The end of what was heard for certain, because it went on from there, in milliseconds of the stream. */
  get settledMs(): number {
    return this.#sent.settledMs;
  }

  /** How long it still speaks, in milliseconds; endless while that is not known. */
  get remainingMs(): number {
    return this.#isThoughtOut ? this.#player.remainingMs + this.#unheardMs : Infinity;
  }

  /** Falls silent in mid-sentence. */
  pause(): void {
    this.#isPaused = true;
  }

  /**
   * Goes on from before the word that was cut; what was sent after the moment `heardMs` never reached the caller. It is
   * without end where nothing was thrown away.
   */
  resume(heardMs: number): void {
    this.#isPaused = false;
    const lostMs = this.#sent.unheardMs(heardMs);
    if (heardMs < Infinity) this.#sent.settle(heardMs);
    this.#player.rewind(lostMs, this.#unheardMs);
  }

  /** The agent's frame of a tick; false when it is silent, or `isDue` is not and it is worth waiting for the rest. */
  fill(frame: Int16Array, tick: number, isDue: boolean): boolean {
    if (!isDue && !this.#player.canFill(frame.length)) return false;
    const samples = this.#isPaused ? 0 : this.#player.fill(frame, tick * FRAME_MS - this.endMs);
    if (samples === 0) return false;
    this.#marks.soundedAtMs ??= this.#parts.clock.monotonicMs();
    this.#sent.add(tick * FRAME_MS, (samples * FRAME_MS) / frameSamples(this.#sampleRateHz));
    return true;
  }

  /** Stops thinking and speaking. */
  drop(): void {
    this.#stopWaiting();
    this.#abort.abort();
  }

  /**
   * What the transcript keeps of it; null when nothing was heard. What was sent after the moment `heardMs` never
   * reached anybody.
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

  /** How long the answer took; null for a turn that answered nothing or was never heard. */
  timing(turn: number, interrupted: boolean): TurnTiming | null {
    const { response } = this.#parts;
    return (
      response && turnTiming(turn, response, { ...this.#marks, startMs: this.#sent.startMs }, interrupted)
    );
  }

  /** How much of what was sent was not heard so far. */
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

  /** A dialogue manager that fails before its first step is asked once more. */
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

  /** Speaks the pieces of a streamed text that are complete by now. */
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
