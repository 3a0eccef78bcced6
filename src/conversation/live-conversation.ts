import { FRAME_MS } from '../media/audio.js';
import type { Heard } from '../speech/hearing.js';
import type { ThinkingSession } from '../speech/thinking.js';
import { AgentTurns } from './agent-turns.js';
import { AnswerWatch, type Answerer } from './answer-watch.js';
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
import { responseTo, type ResponseMarks } from './turn-timing.js';
import { Understanding, type Said } from './understanding.js';
import { windUp } from './wind-up.js';

/** The pause between the last word and hanging up. */
const FAREWELL_MS = 200;

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
  /** Null where nobody was phoned: then it is a person who speaks. */
  readonly #watch: AnswerWatch | null;
  #resolveEnded!: (result: ConversationResult) => void;

  #state: TalkState = 'opening';
  #isOver = false;
  #fadingMs = 0;
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
    const { language } = options.mind;
    const onAnswerer = (answerer: Answerer) => this.#answeredBy(answerer);
    this.#watch = options.isOutbound ? new AnswerWatch({ language, sampleRateHz, onAnswerer }) : null;
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
      onEntry: (entry) => {
        options.observer.onEntry(entry);
        this.#watch?.understand(entry);
      },
      onWords: (heard, response) => this.#reply(heard, response),
      onNothing: () => this.#dispatch('nothing_said'),
      onFailure: (error) => this.#fail(error),
    });
    this.#ear = new Ear({ ...parts, link: this.#link, sampleRateHz, settings: this.#settings });
    this.#ladder = new SilenceLadder(options.limits);
    this.#turns = new AgentTurns({
      ...parts,
      line: options.line,
      voice: options.voice,
      language: options.mind.language,
      sampleRateHz,
      observer: options.observer,
      onExpectation: (expectation) => this.#ear.expect(expectation),
      onVoice: () => this.#channel.hurry(),
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
    this.#watch?.hear(frame, this.#ear.utteranceMs);
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

  #dispatch(event: TalkEvent, said: Said = {}): void {
    const move = moveFor(this.#state, event);
    if (!move) return;
    const shownBefore = SHOWN_AS[this.#state];
    this.#state = move.to;
    const shown = SHOWN_AS[move.to];
    if (shown && shown !== shownBefore) this.#options.observer.onState(shown);
    this.#actions[move.action](said, event);
  }

  readonly #actions: Readonly<Record<TalkAction, (said: Said, event: TalkEvent) => void>> = {
    nothing: () => {},
    note: ({ utterance }) => utterance && this.#understanding.note(utterance),
    answer: (said) => this.#answer(said),
    weigh: ({ utterance }) => utterance && this.#weigh(utterance),
    keep: ({ known }) => known && this.#kept.push(known),
    pause: () => {
      this.#turns.pause();
      this.#ear.isHurried = true;
      this.#floor.turned('pause');
    },
    resume: () => {
      this.#turns.resume();
      this.#ear.isHurried = false;
      this.#floor.turned('resume');
    },
    interrupt: () => {
      this.#ear.isHurried = false;
      this.#cutTurn();
      this.#options.observer.onInterrupted();
    },
    listen: () => {
      this.#closeTurn();
      const known = this.#kept.shift();
      if (known) this.#dispatch('input', { known });
    },
    prompt: () => {
      const { prompts } = this.#ladder;
      this.#turns.begin((signal) => this.#session.nudge(prompts, signal), { isPrompt: true, response: null });
    },
    close: () => {
      this.#closeTurn();
      this.#fadingMs = FAREWELL_MS;
    },
    hang_up: (_said, event) => this.#end({ by: event === 'silence' ? 'silence' : 'agent' }),
  };

  #understandSoFar(words: string): void {
    if (this.#isOver) return;
    this.#ear.understandSoFar(words);
    this.#floor.understandSoFar(words);
    this.#options.observer.onPartial(words);
  }

  #answer({ utterance, known, response = this.#responseTo(utterance) }: Said): void {
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
    return responseTo(utterance, { positionMs: this.#channel.nowMs, clock: this.#parts.clock });
  }

  #reply(heard: Heard, response: ResponseMarks): void {
    if (this.#state !== 'thinking') return;
    // An answer that is still being thought of was to half a sentence, and nobody has heard of it.
    if (this.#turns.current) this.#session.interrupted?.('');
    this.#turns.drop();
    response.wordsAtMs = this.#parts.clock.monotonicMs();
    this.#turns.begin((signal) => this.#session.reply(heard, signal), { isPrompt: false, response });
  }

  #closeTurn(): void {
    const turn = this.#turns.close();
    if (turn) this.#ladder.agentStopped(turn.isPrompt);
  }

  /** The agent's turn ends here; its thinking is told what of it was heard. */
  #cutTurn(): void {
    const cut = this.#turns.cut();
    if (!cut) return;
    this.#session.interrupted?.(cut.heard);
    this.#ladder.agentStopped(cut.turn.isPrompt);
  }

  #answeredBy(answerer: Answerer): void {
    this.#options.observer.onAnswerer?.(answerer);
    if (answerer === 'machine') this.#end({ by: 'machine' });
  }

  #fail(error: unknown): void {
    this.#end({ by: 'error', error: error instanceof Error ? error : new Error(String(error)) });
  }

  #end(end: ConversationEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#state = 'ended';
    this.#channel.close();
    this.#cutTurn();
    void this.#windUp(end);
  }

  async #windUp(end: ConversationEnd): Promise<void> {
    const working = { abort: this.#abort, ear: this.#ear, link: this.#link, session: this.#session };
    const outcome = await windUp({ ...this.#parts, ...working, understanding: this.#understanding });
    this.#parts.log.debug({ ended: end.by, lengthMs: this.#channel.nowMs }, 'conversation over');
    this.#resolveEnded({ end, outcome, audioQuality: this.#channel.quality });
  }
}
