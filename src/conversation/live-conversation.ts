import { FRAME_MS } from '../media/audio.js';
import type { Heard } from '../speech/hearing.js';
import type { Outcome, ThinkingSession } from '../speech/thinking.js';
import { AgentTurns } from './agent-turns.js';
import { Channel } from './channel.js';
import type {
  Conversation,
  ConversationEnd,
  ConversationOptions,
  ConversationResult,
} from './conversation.js';
import { Ear, openEndpointDetector, type Utterance } from './ear.js';
import { HearingLink } from './hearing-link.js';
import { SilenceLadder } from './silence-ladder.js';
import type { ConversationParts } from './conversation-parts.js';
import { moveFor, type TalkAction, type TalkEvent, type TalkState } from './talk-machine.js';
import type { ResponseMarks } from './turn-timing.js';
import { Understanding } from './understanding.js';
import { within } from './within.js';

/** So much voice over the agent is meant as an interruption; less is a "mm-hm". */
const BARGE_IN_MS = 500;
/** The pause between the last word and hanging up. */
const FAREWELL_MS = 200;
/** How long the end of a call waits for the words of the last utterance. */
const LAST_WORDS_PATIENCE_MS = 2_000;

/** What an action may need to know of its event. */
interface Cause {
  utterance?: Utterance;
  typed?: string;
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
  #resolveEnded!: (result: ConversationResult) => void;

  #state: TalkState = 'opening';
  #isOver = false;
  /** Voice of the present utterance from before the agent began to speak. */
  #voicedBeforeMs = 0;
  #fadingMs = 0;
  /** Typed or pressed while the agent could not be interrupted. */
  #kept: string[] = [];

  constructor(options: ConversationOptions, parts: ConversationParts) {
    const { sampleRateHz } = options.line;
    this.#options = options;
    this.#parts = parts;
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    this.#session = parts.thinking.open(options.mind);
    const detector = openEndpointDetector(parts.voiceActivity, sampleRateHz);
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
      onEntry: (entry) => options.observer.onEntry(entry),
      onWords: (heard, response) => this.#reply(heard, response),
      onFailure: (error) => this.#fail(error),
    });
    this.#ear = new Ear({ detector, link: this.#link, sampleRateHz });
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
    const atMs = this.#channel.nowMs;
    this.#ladder.callerActed();
    this.#options.observer.onEntry({
      speaker: 'customer',
      text,
      confidence: 1,
      startMs: atMs,
      endMs: atMs,
      interrupted: false,
    });
    this.interrupt();
    this.#dispatch('input', { typed: text });
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
    const isSounding = turn.fill(frame, tick);
    if (isSounding && !wasHeard) this.#sounded();
    return isSounding;
  }

  #hear(frame: Int16Array): void {
    const wasSpeaking = this.#ear.isSpeaking;
    const utterance = this.#ear.hear(frame);
    if (!wasSpeaking) this.#voicedBeforeMs = 0;
    if (utterance) this.#dispatch('utterance', { utterance });
  }

  #sounded(): void {
    this.#voicedBeforeMs = this.#ear.voicedMs;
    this.#understanding.answered();
    this.#dispatch('sounded');
  }

  /** Once per tick: has the time come for something? */
  #lookAround(): void {
    const isSpokenTo = this.#ear.isSpeaking;
    if (isSpokenTo) {
      this.#ladder.callerActed();
      if (this.#ear.voicedMs - this.#voicedBeforeMs >= BARGE_IN_MS) this.interrupt();
    }
    const step = this.#ladder.tick(this.#state === 'listening' && !isSpokenTo);
    if (step === 'prompt') this.#dispatch('idle');
    if (step === 'hang_up') this.#dispatch('silence');
    if (this.#state === 'closing' && (this.#fadingMs -= FRAME_MS) <= 0) this.#dispatch('faded');
    const turn = this.#turns.current;
    if (turn?.isOver) this.#dispatch(turn.next === 'end' ? 'said_goodbye' : 'said');
  }

  #dispatch(event: TalkEvent, cause: Cause = {}): void {
    const move = moveFor(this.#state, event);
    if (!move) return;
    const from = this.#state;
    this.#state = move.to;
    if (move.to !== from && isShown(move.to)) this.#options.observer.onState(move.to);
    this.#actions[move.action](cause, event);
  }

  readonly #actions: Readonly<Record<TalkAction, (cause: Cause, event: TalkEvent) => void>> = {
    nothing: () => {},
    note: ({ utterance }) => utterance && this.#understanding.note(utterance),
    answer: (cause) => this.#answer(cause),
    keep: ({ typed }) => typed !== undefined && this.#kept.push(typed),
    interrupt: () => {
      this.#options.line.clear();
      this.#closeTurn(true);
      this.#options.observer.onInterrupted();
    },
    listen: () => {
      this.#closeTurn(false);
      const [typed, ...rest] = this.#kept;
      this.#kept = rest;
      if (typed !== undefined) this.#dispatch('input', { typed });
    },
    prompt: () => {
      const { prompts } = this.#ladder;
      this.#turns.begin((signal) => this.#session.nudge(prompts, signal), { isPrompt: true, response: null });
    },
    close: () => {
      this.#closeTurn(false);
      this.#fadingMs = FAREWELL_MS;
    },
    hang_up: (_cause, event) => this.#end({ by: event === 'silence' ? 'silence' : 'agent' }),
  };

  #understandSoFar(words: string): void {
    if (this.#isOver) return;
    this.#ear.understandSoFar(words);
    this.#options.observer.onPartial(words);
  }

  #answer({ utterance, typed }: Cause): void {
    // An answer that is still being thought of was to half a sentence.
    this.#turns.drop();
    const { clock } = this.#parts;
    const response: ResponseMarks = { endOfTurnMs: 0, turnOverAtMs: clock.monotonicMs(), wordsAtMs: 0 };
    if (typed !== undefined) return this.#understanding.typed({ text: typed, confidence: 1 }, response);
    if (!utterance) return;
    response.endOfTurnMs = this.#channel.nowMs - utterance.endMs;
    this.#understanding.answer(utterance, response);
  }

  #reply(heard: Heard, response: ResponseMarks): void {
    if (this.#state !== 'thinking') return;
    response.wordsAtMs = this.#parts.clock.monotonicMs();
    this.#turns.begin((signal) => this.#session.reply(heard, signal), { isPrompt: false, response });
  }

  /** The agent's turn is over, one way or the other. */
  #closeTurn(interrupted: boolean): void {
    const turn = this.#turns.close(interrupted);
    if (turn) this.#ladder.agentStopped(turn.isPrompt);
  }

  #fail(error: unknown): void {
    this.#end({ by: 'error', error: error instanceof Error ? error : new Error(String(error)) });
  }

  #end(end: ConversationEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#state = 'ended';
    this.#channel.close();
    this.#closeTurn(true);
    void this.#windUp(end);
  }

  async #windUp(end: ConversationEnd): Promise<void> {
    const { clock, log } = this.#parts;
    const lastUtterance = this.#ear.cut();
    if (lastUtterance) this.#understanding.note(lastUtterance);
    const patience = {
      clock,
      limitMs: LAST_WORDS_PATIENCE_MS,
      signal: this.#abort.signal,
      what: 'the last words',
    };
    await within(this.#understanding.settled(), patience).catch(() => {});
    this.#abort.abort();
    await this.#understanding.settled();
    this.#link.close();
    this.#ear.close();
    log.debug({ ended: end.by, lengthMs: this.#channel.nowMs }, 'conversation over');
    this.#resolveEnded({ end, outcome: this.#outcome(), audioQuality: this.#channel.quality });
  }

  #outcome(): Outcome {
    try {
      return this.#session.outcome();
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'the thinking has no outcome');
      return { intent: null, resolutionAchieved: null, answers: {} };
    }
  }
}

/** The states that observers are told; the others are moments at the edges of a call. */
function isShown(state: TalkState): state is 'listening' | 'thinking' | 'speaking' {
  return state === 'listening' || state === 'thinking' || state === 'speaking';
}
