import type { Log } from '#kernel/log/log.js';
import { FRAME_MS, frameSamples, type SampleRateHz } from '#media/samples/audio.js';
import type { Expectation } from '#speech/stt.js';
import type { Thought } from '#dialogue/dialogue-manager.js';
import type { Entry, TurnTiming } from '#conversation/talk/conversation.js';
import { SentSound } from './sent-sound.js';
import { SpeechPlayer, type SpeechPlayerParts } from './speech-player.js';
import type { SAID } from '#conversation/talk/talk-machine.js';
import { turnTiming, type ResponseMarks, type TurnMarks } from '#conversation/hearing/turn-timing.js';
import { eachWithin, isWorthRetrying } from '#conversation/talk/within.js';

/** The longest wait for the next thought: longer silences lose the caller anyway. */
const THOUGHT_TIMEOUT_MS = 20_000;

/** Asks the thinking for a turn. */
export type Think = (signal: AbortSignal) => AsyncIterable<Thought>;

/** What a turn is for. */
export interface TurnPurpose {
  /** It asks a silent caller whether they are there. */
  isPrompt: boolean;
  /** What it answers, for its timing; null when it answers nothing. */
  response: ResponseMarks | null;
}

export interface AgentTurnParts extends SpeechPlayerParts, TurnPurpose {
  log: Log;
  /** Up to which moment of the stream the agent was heard so far, in milliseconds. */
  heardMs(): number;
  /** The same, as far as is waited for with hanging up, and with a transfer. */
  awaitedMs(): number;
  /** What the agent will listen for, told as early as it is known. */
  onExpectation(expectation: Expectation): void;
}

/** One turn of the agent, from its thoughts to what was heard of it. */
export class AgentTurn {
  /** What follows when everything was played. */
  next: keyof typeof SAID = 'listen';
  /** Whom the caller is connected with then (E.164); null for all but a transfer. */
  transferTo: string | null = null;
  readonly #marks: TurnMarks = { thoughtAtMs: null, voiceAtMs: null, soundedAtMs: null };
  readonly #parts: AgentTurnParts;
  /** Looked into for every frame, unlike the other parts. */
  readonly #sampleRateHz: SampleRateHz;
  readonly #abort = new AbortController();
  readonly #player: SpeechPlayer;
  #isThoughtOut = false;
  #isPaused = false;
  readonly #sent = new SentSound();

  /** Starts to think at once. */
  constructor(think: Think, parts: AgentTurnParts) {
    this.#parts = parts;
    this.#sampleRateHz = parts.sampleRateHz;
    const onVoice = () => {
      this.#marks.voiceAtMs = parts.clock.monotonicMs();
      parts.onVoice();
    };
    this.#player = new SpeechPlayer({ ...parts, onVoice }, this.#abort.signal);
    void this.#run(think);
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
    return { speaker: 'agent', text, confidence: 1, startMs, endMs, interrupted };
  }

  /** How long the answer took; null for a turn that answered nothing or was never heard. */
  timing(turn: number, interrupted: boolean): TurnTiming | null {
    const { response } = this.#parts;
    return response && turnTiming(turn, response, this.#marks, interrupted);
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

  /** A thinking that fails before its first thought is asked once more. */
  async #think(think: Think): Promise<void> {
    let thoughts = 0;
    const take = (thought: Thought) => {
      thoughts += 1;
      this.#take(thought);
    };
    try {
      await this.#takeAll(think, take);
    } catch (error) {
      if (this.#abort.signal.aborted || thoughts > 0 || !isWorthRetrying(error)) throw error;
      this.#parts.log.warn({ err: error }, 'thinking failed, asked once more');
      await this.#takeAll(think, take);
    }
    this.#isThoughtOut = true;
  }

  async #takeAll(think: Think, take: (thought: Thought) => void): Promise<void> {
    const { signal } = this.#abort;
    const limit = { clock: this.#parts.clock, limitMs: THOUGHT_TIMEOUT_MS, signal, what: 'a thought' };
    for await (const thought of eachWithin(think(signal), limit)) take(thought);
  }

  #take(thought: Thought): void {
    switch (thought.kind) {
      case 'say':
        this.#marks.thoughtAtMs ??= this.#parts.clock.monotonicMs();
        return this.#player.say(thought.text, thought.interruptible);
      case 'listen':
        return this.#parts.onExpectation(thought.expectation);
      case 'transfer':
        this.transferTo = thought.to;
        this.next = 'transfer';
        return;
      case 'end':
        this.next = 'end';
    }
  }
}
