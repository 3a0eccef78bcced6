import { FRAME_MS } from '../media/audio.js';
import type { Heard } from '../speech/hearing.js';
import type { ThinkingSession } from '../speech/thinking.js';
import { AgentTurns } from './agent-turns.js';
import { Channel } from './channel.js';
import type {
  Conversation,
  ConversationEnd,
  ConversationOptions,
  ConversationResult,
} from './conversation.js';
import { Ear, type Utterance } from './ear.js';
import { Floor, FLOOR_EVENTS } from './floor.js';
import { HearingLink } from './hearing-link.js';
import { SilenceLadder } from './silence-ladder.js';
import type { ConversationParts } from './conversation-parts.js';
import { moveFor, SHOWN_AS, type TalkAction, type TalkEvent, type TalkState } from './talk-machine.js';
import { USUAL_TURNS, type TurnSettings } from './turn-settings.js';
import type { ResponseMarks } from './turn-timing.js';
import { Understanding } from './understanding.js';
import { windUp } from './wind-up.js';

/** The pause between the last word and hanging up. */
const FAREWELL_MS = 200;

/** What an action may need to know of its event. */
interface Cause {
  /** The utterance that has just ended. */
  utterance?: Utterance;
  /** Words that are known already, and the response they ask for. */
  known?: Heard;
  response?: ResponseMarks;
}

/** One talk: puts ear, mouth, thinking and silence together by the table of `talk-machine.ts`. */
export class LiveConversation implements Conversation {
  readonly ended: Promise<ConversationResult>;
  readonly #options: ConversationOptions;
  readonly #parts: ConversationParts;
  readonly #session: ThinkingSession;
  readonly #abort = new AbortController();
  readonly #link: HearingLink;
  readonly #ear: Ear;
  readonly #understanding: Understanding;
  readonly #turns: AgentTurns;
  readonly #channel: Channel;
  readonly #ladder: SilenceLadder;
  readonly #floor: Floor;
  readonly #settings: TurnSettings;
  #resolveEnded!: (result: ConversationResult) => void;

  #state: TalkState = 'opening';
  #isOver = false;
  #fadingMs = 0;
  /** How much of what was sent before the agent fell silent was never played. */
  #unheardMs = 0;
  /** Typed or pressed while the agent could not be interrupted. */
  #kept: Heard[] = [];

  constructor(options: ConversationOptions, parts: ConversationParts) {
    const { sampleRateHz } = options.line;
    this.#options = options;
    this.#parts = parts;
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    this.#session = parts.thinking.open(options.mind);
    this.#settings = parts.turns ?? USUAL_TURNS;
    this.#floor = new Floor(this.#settings, options.mind.language);
    this.#link = new HearingLink({
      ...parts,
      language: options.mind.language,
      sampleRateHz,
      signal: this.#abort.signal,
      onPartial: (words) => this.#understandSoFar(words),
      onFailure: (error) => this.#fail(error),
    });
    this.#understanding = new Understanding({
      link: this.#link,
      noiseUpToMs: this.#settings.noiseUpToMs,
      onEntry: (entry) => options.observer.onEntry(entry),
      onWords: (heard, response) => this.#reply(heard, response),
      onNothing: () => this.#dispatch('nothing_said'),
      onFailure: (error) => this.#fail(error),
    });
    this.#ear = new Ear({ ...parts, link: this.#link, sampleRateHz, settings: this.#settings });
    this.#ladder = new SilenceLadder(options.limits);
    this.#turns = new AgentTurns({
      ...parts,
      voice: options.voice,
      language: options.mind.language,
      sampleRateHz,
      observer: options.observer,
      onExpectation: (expectation) => this.#ear.expect(expectation),
      onFailure: (error) => this.#fail(error),
    });
    this.#channel = new Channel({
      ...parts,
      line: options.line,
      speak: (frame, tick) => this.#fill(frame, tick),
      hear: (frame) => this.#hear(frame),
      afterTick: () => this.#lookAround(),
      onFailure: (error) => this.#fail(error),
    });
    this.#turns.begin((signal) => this.#session.begin(signal), { isPrompt: false, response: null });
  }

  hear(samples: Int16Array): void {
    this.#channel.receive(samples);
  }

  press(digit: string): void {
    this.type(digit);
  }

  type(text: string): void {
    if (this.#isOver) return;
    this.#ladder.callerActed();
    const known = this.#understanding.type(text, this.#channel.nowMs);
    this.interrupt();
    this.#dispatch('input', { known });
  }

  interrupt(): void {
    if (this.#turns.current?.isInterruptible) this.#dispatch('barge_in');
  }

  stop(): void {
    this.#end({ by: 'stop' });
  }

  #fill(frame: Int16Array, tick: number): boolean {
    const turn = this.#turns.current;
    if (!turn) return false;
    const wasHeard = turn.hasSounded;
    // Nobody begins to speak while somebody else does.
    if (!wasHeard && (this.#ear.isSpeaking || this.#understanding.isAwaiting)) return false;
    const isSounding = turn.fill(frame, tick);
    if (isSounding && !wasHeard) this.#sounded();
    return isSounding;
  }

  #hear(frame: Int16Array): void {
    const utterance = this.#ear.hear(frame);
    if (utterance) this.#dispatch('utterance', { utterance });
  }

  #sounded(): void {
    this.#floor.agentBegan(this.#ear);
    this.#understanding.answered();
    this.#dispatch('sounded');
  }

  /** Once per tick: has the time come for something? */
  #lookAround(): void {
    const isSpokenTo = this.#ear.isSpeaking;
    if (isSpokenTo) this.#ladder.callerActed();
    this.#watchFloor();
    const step = this.#ladder.tick(this.#state === 'listening' && !isSpokenTo);
    if (step === 'prompt') this.#dispatch('idle');
    if (step === 'hang_up') this.#dispatch('silence');
    if (this.#state === 'closing' && (this.#fadingMs -= FRAME_MS) <= 0) this.#dispatch('faded');
    const turn = this.#turns.current;
    if (turn?.isOver) this.#dispatch(turn.next === 'end' ? 'said_goodbye' : 'said');
  }

  #watchFloor(): void {
    const turn = this.#turns.current;
    if (!turn?.hasSounded) return;
    const step = this.#floor.tick(this.#ear, this.#state === 'yielding', turn.isInterruptible);
    if (step === 'pause' && turn.remainingMs < this.#settings.finishWithinMs) return;
    if (step !== 'none') this.#dispatch(FLOOR_EVENTS[step]);
  }

  #dispatch(event: TalkEvent, cause: Cause = {}): void {
    const move = moveFor(this.#state, event);
    if (!move) return;
    const from = this.#state;
    this.#state = move.to;
    const shown = SHOWN_AS[move.to];
    if (shown && shown !== SHOWN_AS[from]) this.#options.observer.onState(shown);
    this.#actions[move.action](cause, { event, from });
  }

  readonly #actions: Readonly<
    Record<TalkAction, (cause: Cause, at: { event: TalkEvent; from: TalkState }) => void>
  > = {
    nothing: () => {},
    note: ({ utterance }) => utterance && this.#understanding.note(utterance),
    answer: (cause) => this.#answer(cause),
    weigh: ({ utterance }) => utterance && this.#weigh(utterance),
    keep: ({ known }) => known && this.#kept.push(known),
    pause: () => {
      this.#silence();
      this.#turns.current?.pause();
      this.#ear.isHurried = true;
      this.#floor.turned('pause');
    },
    resume: () => {
      this.#ear.isHurried = false;
      this.#floor.turned('resume');
      this.#turns.current?.resume(this.#unheardMs);
    },
    interrupt: (_cause, { from }) => {
      if (from === 'speaking') this.#silence();
      this.#ear.isHurried = false;
      this.#closeTurn(true);
      this.#options.observer.onInterrupted();
    },
    listen: () => {
      this.#closeTurn(false);
      const known = this.#kept.shift();
      if (known) this.#dispatch('input', { known });
    },
    prompt: () => {
      const { prompts } = this.#ladder;
      this.#turns.begin((signal) => this.#session.nudge(prompts, signal), { isPrompt: true, response: null });
    },
    close: () => {
      this.#closeTurn(false);
      this.#fadingMs = FAREWELL_MS;
    },
    hang_up: (_cause, { event }) => this.#end({ by: event === 'silence' ? 'silence' : 'agent' }),
  };

  /** The caller hears nothing more from now on; what the peer had not played yet was never heard. */
  #silence(): void {
    const { line } = this.#options;
    const lagMs = line.lagMs ?? 0;
    this.#unheardMs = line.clear() ? lagMs : 0;
  }

  #understandSoFar(words: string): void {
    if (this.#isOver) return;
    this.#ear.understandSoFar(words);
    this.#floor.understandSoFar(words);
    this.#options.observer.onPartial(words);
  }

  #answer({ utterance, known, response = this.#responseTo(utterance) }: Cause): void {
    if (known) this.#understanding.known(known, response);
    else if (utterance) this.#understanding.answer(utterance, response);
  }

  /** Said over the agent: when it was meant, it is the caller's turn, and this is its beginning. */
  #weigh(utterance: Utterance): void {
    const response = this.#responseTo(utterance);
    this.#floor.awaitWords();
    this.#understanding.note(utterance, (heard) => {
      const isMeant = this.#floor.isMeant(heard, utterance);
      if (!isMeant || this.#isOver || this.#turns.current?.isInterruptible === false) return;
      this.interrupt();
      this.#dispatch('input', { known: heard, response });
    });
  }

  #responseTo(utterance: Utterance | undefined): ResponseMarks {
    const endOfTurnMs = utterance ? this.#channel.nowMs - utterance.endMs : 0;
    return { endOfTurnMs, turnOverAtMs: this.#parts.clock.monotonicMs(), wordsAtMs: 0 };
  }

  #reply(heard: Heard, response: ResponseMarks): void {
    if (this.#state !== 'thinking') return;
    // An answer that is still being thought of was to half a sentence, and nobody has heard of it.
    if (this.#turns.current) this.#session.interrupted?.('');
    this.#turns.drop();
    response.wordsAtMs = this.#parts.clock.monotonicMs();
    this.#turns.begin((signal) => this.#session.reply(heard, signal), { isPrompt: false, response });
  }

  /** The agent's turn is over, one way or the other. */
  #closeTurn(interrupted: boolean): void {
    const unheardMs = interrupted ? this.#unheardMs : 0;
    const turn = this.#turns.close(interrupted, unheardMs);
    if (!turn) return;
    if (interrupted) this.#session.interrupted?.(turn.heardText(unheardMs));
    this.#ladder.agentStopped(turn.isPrompt);
  }

  #fail(error: unknown): void {
    this.#end({ by: 'error', error: error instanceof Error ? error : new Error(String(error)) });
  }

  #end(end: ConversationEnd): void {
    if (this.#isOver) return;
    if (this.#state === 'speaking') this.#silence();
    this.#isOver = true;
    this.#state = 'ended';
    this.#channel.close();
    this.#closeTurn(true);
    void this.#windUp(end);
  }

  async #windUp(end: ConversationEnd): Promise<void> {
    const working = { abort: this.#abort, ear: this.#ear, link: this.#link, session: this.#session };
    const outcome = await windUp({ ...this.#parts, ...working, understanding: this.#understanding });
    this.#parts.log.debug({ ended: end.by, lengthMs: this.#channel.nowMs }, 'conversation over');
    this.#resolveEnded({ end, outcome, audioQuality: this.#channel.quality });
  }
}
