import type { DialogueEvent } from '#dialogue/dialogue-manager.js';
import type { CallLanguage } from '#language/languages/call-language.js';
import type { RecognitionHints, Transcript } from '#speech/stt.js';
import type { AgentTurn } from '#conversation/speaking/agent-turn.js';
import { AgentTurns } from '#conversation/speaking/agent-turns.js';
import { AnsweringParty } from '#conversation/answering/answering-party.js';
import { Channel } from '#conversation/line/channel.js';
import type {
  Conversation,
  ConversationEnd,
  ConversationOptions,
  ConversationResult,
} from '#conversation/talk/conversation.js';
import { transferCaller } from '#conversation/line/blind-transfer.js';
import type { UtteranceSegmenter, Utterance } from '#conversation/hearing/utterance-segmenter.js';
import { Interruptions } from '#conversation/turns/interruptions.js';
import { DtmfInput } from '#conversation/hearing/dtmf-input.js';
import { HangUpSequence } from '#conversation/turns/hang-up-sequence.js';
import { createListening, type Listening } from '#conversation/hearing/listening.js';
import { SILENCE_EVENTS, SilenceLadder } from '#conversation/turns/silence-ladder.js';
import type { ConversationParts } from '#conversation/talk/conversation-parts.js';
import { TalkProgress } from '#conversation/talk/talk-progress.js';
import { TURN_END_EVENTS, type TalkAction, type TalkEvent } from '#conversation/talk/talk-machine.js';
import { DEFAULT_TURN_SETTINGS } from '#conversation/talk/turn-settings.js';
import { beginResponse, type ResponseMarks } from '#conversation/hearing/turn-timing.js';
import type { CallerInput, UtteranceQueue } from '#conversation/hearing/utterance-queue.js';
import { TalkSteering, type SteeringParts } from './steering.js';
import { wrapUp } from './wrap-up.js';

/**
 * A pause of this length may be the end of the caller's turn: the words so far are offered to the dialogue manager as
 * such. Every end-of-turn window is longer.
 */
const PAUSE_MS = 200;

/** Events by which the caller returns to the agent from an operator, from hold, or from a person on another line. */
const RETURNS_TO_AGENT: ReadonlySet<TalkEvent> = new Set(['handed_back', 'resumed', 'returned']);

/**
 * A conversation by recogniser, dialogue manager and voice. It turns what happens (speech, keys, silence, the end of
 * the agent's turn) into events of the table in `talk-machine.ts`, and carries out the actions of that table. Made by
 * `startConversation`. `Conversation` describes the methods without a comment here; docs/architecture.md shows the way
 * of the audio.
 */
export class LiveConversation implements Conversation {
  readonly ended: Promise<ConversationResult>;
  readonly steering: TalkSteering;
  readonly #options: ConversationOptions;
  readonly #parts: ConversationParts;
  readonly #abort = new AbortController();
  readonly #listening: Listening;
  /** Cuts the caller's sound into utterances. */
  readonly #segmenter: UtteranceSegmenter;
  /** Transcribes the utterances, and joins them to the turns that the agent answers. */
  readonly #utterances: UtteranceQueue;
  /** The agent's turns; the present one is `current`. */
  readonly #turns: AgentTurns;
  readonly #channel: Channel;
  /** Prompts a silent caller, and ends the call after a longer silence. */
  readonly #ladder: SilenceLadder;
  /** Decides whether speech over the agent interrupts it. */
  readonly #interruptions: Interruptions;
  /** The other party of the call, which may be an answering machine. */
  readonly #party: AnsweringParty;
  readonly #language: CallLanguage;
  #resolveEnded!: (result: ConversationResult) => void;
  readonly #dtmf = new DtmfInput((keys) => this.type(keys));
  #isOver = false;
  /** The failure because of which the call ends after the agent's last words; null for none. */
  #failure: Error | null = null;
  readonly #hangUpSequence: HangUpSequence;
  readonly #progress: TalkProgress;

  constructor(options: ConversationOptions, parts: ConversationParts) {
    this.#options = options;
    this.#parts = parts;
    this.#hangUpSequence = new HangUpSequence(parts.log);
    this.#progress = new TalkProgress(options.observer);
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    const settings = parts.turns ?? DEFAULT_TURN_SETTINGS;
    const { agent } = options;
    const { language } = agent;
    const note = (event: DialogueEvent) => agent.dialogue.note(event);
    this.#language = language;
    this.#party = new AnsweringParty({ ...options, language, note }, (action) =>
      action === 'hang_up' ? this.#end({ by: 'machine' }) : this.#dispatch('machine'),
    );
    const onFailure = (error: unknown) => this.#end(this.#hangUpSequence.endOf(error));
    const turnContext = { settings, signal: this.#abort.signal };
    this.#listening = createListening(options, parts, turnContext, {
      onPartial: (words) => this.#handlePartialWords(words),
      onEndOfTurn: (belief) => this.#segmenter.takeBelief(belief),
      onEntry: (entry, greeting) => {
        options.observer.onEntry(entry);
        this.#party.takeTranscript({ ...entry, text: greeting ?? entry.text });
      },
      onWords: (heard, response) => this.#reply(heard, response),
      onUnanswered: (heard) => this.#party.reportOverheard(heard),
      onNothing: () => this.#dispatch('nothing_said'),
      onFailure,
    });
    ({ utterances: this.#utterances, segmenter: this.#segmenter } = this.#listening);
    this.#ladder = new SilenceLadder(options.limits);
    this.#turns = new AgentTurns({
      ...parts,
      ...agent,
      observer: options.observer,
      sampleRateHz: options.line.sampleRateHz,
      onHints: (hints) => this.#expect(hints),
      onVoice: () => this.#channel.sendNow(),
      heardMs: () => this.#channel.heardMs,
      awaitedMs: () => this.#channel.awaitedMs,
      clearPlayout: (certainlyHeardMs) =>
        this.#channel.clearPlayout({ certainlyHeardMs, isOver: this.#isOver }),
      onStopped: (isPrompt) => this.#ladder.agentStopped(isPrompt),
      onFailure,
    });
    const sides = { segmenter: this.#segmenter, turns: this.#turns };
    this.#interruptions = new Interruptions({ settings, language, ...sides });
    this.#channel = new Channel({
      ...parts,
      line: options.line,
      speak: (frame, tick, isDue) => this.#fill(frame, tick, isDue),
      hear: (frame) => this.#hear(frame),
      afterTick: () => this.#onTick(),
      onKeysSent: () => this.#keysSent(),
      onFailure,
    });
    this.steering = new TalkSteering(this.#steeringParts());
    this.#turns.open();
  }

  #steeringParts(): SteeringParts {
    return {
      options: this.#options,
      conversationParts: this.#parts,
      state: () => this.#progress.state,
      nowMs: () => this.#channel.nowMs,
      isQuiet: () => !this.#segmenter.mayBeSpeech && !this.#utterances.isAwaiting,
      dispatch: (event) => {
        // Silence from before the agent's return does not count towards an idle prompt.
        if (RETURNS_TO_AGENT.has(event)) this.#ladder.agentStopped(false);
        this.#dispatch(event);
      },
      expectAnything: () => this.#expect({ kind: 'anything' }),
      interrupt: () => this.interrupt(),
      clearPlayout: () => void this.#channel.clearPlayout(),
      say: (text) => this.#turns.sayForOperator(text),
      transferred: (to) => this.#end({ by: 'transfer', to }),
    };
  }

  hear(samples: Int16Array): void {
    this.#channel.receive(samples);
  }

  press(digit: string): void {
    if (this.#isOver) return;
    this.#ladder.callerActed();
    this.#dtmf.press(digit);
    if (this.#dtmf.isGathering) this.interrupt();
  }

  sendKeys(keys: string): Promise<boolean> {
    return this.#channel.sendKeys(keys);
  }

  type(text: string): void {
    if (this.#isOver) return;
    this.#ladder.callerActed();
    // Read first: `interrupt` takes the oldest kept input, and this text must stay behind the others.
    const { isKeeping } = this.#utterances;
    this.interrupt();
    const knownWords = this.#utterances.addTyped(text, this.#channel.nowMs);
    if (isKeeping) this.#utterances.keep(knownWords);
    else this.#dispatch('input', { knownWords });
  }

  interrupt(): void {
    if (this.#turns.current?.isInterruptible) this.#dispatch('barge_in');
  }

  machineAnswered(greetingEnded: boolean): void {
    if (!this.#isOver) this.#party.machineAnswered(greetingEnded);
  }

  get nowMs(): number {
    return this.#channel.nowMs;
  }

  async sumUp(signal: AbortSignal): Promise<string | null> {
    return (await this.#options.agent.dialogue.sumUp?.(signal)) ?? null;
  }

  stop(): void {
    this.#end({ by: 'stop' });
  }

  /** Fills the frame of a tick with the sound that replaces the agent, or the agent's own; false for silence. */
  #fill(frame: Int16Array, tick: number, isDue: boolean): boolean {
    const isFilledBySteering = this.steering.fill(frame);
    if (isFilledBySteering !== null) return isFilledBySteering;
    const turn = this.#turns.current;
    if (!turn) return false;
    const wasHeard = turn.hasSounded;
    if (!wasHeard && !this.#mayBegin(turn)) return false;
    const isSounding = turn.fill(frame, tick, isDue);
    if (isSounding && !wasHeard) {
      this.#interruptions.agentBegan();
      this.#utterances.agentAnswered();
      this.#dispatch('sounded');
    }
    return isSounding;
  }

  /** The agent does not begin over speech; a prompt or goodbye to a silent caller may begin over a crowd's noise. */
  #mayBegin({ isPrompt }: AgentTurn): boolean {
    const isAsking = isPrompt || this.#progress.state === 'parting';
    const isOccupied = isAsking ? this.#segmenter.mayBeSpeech : this.#segmenter.isSpeaking;
    return !isOccupied && !this.#utterances.isAwaiting;
  }

  /** Passes the hints for the caller's answer to the recogniser and to the DTMF input. */
  #expect(hints: RecognitionHints): void {
    this.#segmenter.expect(hints);
    this.#dtmf.expect(hints);
  }

  /** The last DTMF tone was sent: the agent, which was silent meanwhile, continues unless it pauses for the caller. */
  #keysSent(): void {
    this.#ladder.agentStopped(false);
    if (this.#progress.state !== 'yielding') this.#turns.resume();
  }

  /** Takes the caller's frame of a tick. */
  #hear(frame: Int16Array): void {
    const ended = this.#segmenter.hear(frame);
    const hasFinishedInNoise = this.#progress.state === 'listening' && this.#segmenter.hasFinishedInNoise;
    const utterance = hasFinishedInNoise ? this.#segmenter.cut() : ended;
    this.#party.hear(frame, this.#segmenter.utteranceMs, this.#progress.state === 'listening');
    if (utterance) this.#dispatch('utterance', { utterance });
  }

  /** Called every 20 ms: raises the events that the time causes. */
  #onTick(): void {
    const { mayBeSpeech, isCertainSpeech, pauseMs } = this.#segmenter;
    const { isSendingKeys } = this.#channel;
    if (isCertainSpeech) this.#ladder.callerActed();
    // Once per pause, which grows by 20 ms at each tick.
    if (pauseMs === PAUSE_MS) this.#offerPartialWords({ words: this.#segmenter.words, hasPaused: true });
    const interruption = this.#interruptions.tick(this.#progress.state === 'yielding');
    if (interruption) this.#dispatch(interruption);
    this.#dtmf.tick();
    this.steering.tick();
    const step = this.#ladder.tick(this.#progress.state === 'listening' && !mayBeSpeech && !isSendingKeys);
    if (step !== 'none') this.#dispatch(SILENCE_EVENTS[step]);
    if (this.#progress.state === 'greeted' && this.#party.isTimeForMessage(this.#segmenter.isSpeaking))
      this.#dispatch('beeped');
    if (this.#hangUpSequence.tick(this.#progress.state, isSendingKeys)) this.#dispatch('faded');
    const turn = this.#turns.current;
    if (turn?.isOver && !this.#utterances.isAwaiting) this.#dispatch(TURN_END_EVENTS[turn.next]);
  }

  /** Changes the state by an event, and carries out the action of the transition. */
  #dispatch(event: TalkEvent, input: CallerInput = {}): void {
    const action = this.#progress.takeEvent(event);
    if (action) this.#actions[action](input);
  }

  /** Carries out each action of the table. */
  readonly #actions: Readonly<Record<TalkAction, (input: CallerInput) => void>> = {
    nothing: () => {},
    note: ({ utterance }) => utterance && this.#utterances.transcribeUnanswered(utterance),
    answer: (input) => this.#answer(input),
    weigh: ({ utterance }) => utterance && this.#weighOverlap(utterance),
    keep: ({ knownWords }) => knownWords && this.#utterances.keep(knownWords),
    pause: () => this.#interruptions.pause(),
    resume: () => this.#interruptions.resume(),
    interrupt: () => {
      this.#interruptions.cutAgentTurn();
      this.#options.observer.onInterrupted();
      this.#answerKept();
    },
    listen: () => {
      const keys = this.#turns.close()?.keys ?? '';
      if (keys !== '') void this.#channel.sendKeys(keys);
      this.#utterances.agentAnswered();
      this.#answerKept();
    },
    prompt: () => this.#turns.prompt(this.#ladder.prompts),
    connect: () => {
      const connection = this.#turns.close()?.connection ?? null;
      // A warm transfer and a join are carried out by the steering, a cold transfer here.
      if (connection?.kind !== 'transfer' || connection.warm) return this.steering.connect(connection);
      const { to } = connection;
      const signal = this.#abort.signal;
      void transferCaller(to, { ...this.#options, ...this.#parts, signal }).then((isDone) =>
        isDone ? this.#end({ by: 'transfer', to }) : this.#dispatch('not_connected'),
      );
    },
    say_goodbye: () => {
      this.#hangUpSequence.beginForSilence();
      this.#turns.goodbye();
    },
    apologise: () => this.#turns.transferFailed(),
    return: () => this.#turns.returned(),
    close: () => {
      this.#failure = this.#turns.close()?.failure ?? null;
      this.#hangUpSequence.lastWordPlayed();
    },
    cut: () => this.#interruptions.cutAgentTurn(),
    leave_message: () => this.#turns.leaveMessage(this.#party.message),
    say_waiting_texts: () => this.steering.sayWaitingTexts(),
    hang_up: () =>
      this.#end(
        this.#failure
          ? { by: 'error', error: this.#failure }
          : { by: this.#hangUpSequence.isForSilence ? 'silence' : this.#party.endedBy },
      ),
  };

  /** Answers the oldest input that was kept while the agent could not be interrupted, if there is any. */
  #answerKept(): void {
    const knownWords = this.#utterances.takeKept();
    if (knownWords) this.#dispatch('input', { knownWords });
  }

  /** Takes the recogniser's partial words of the caller's utterance. */
  #handlePartialWords(words: string): void {
    if (this.#isOver) return;
    this.#interruptions.takePartialWords(words);
    this.#offerPartialWords({ words, hasPaused: this.#segmenter.pauseMs >= PAUSE_MS });
    this.#options.observer.onPartial(words);
  }

  /** Offers the words so far to the dialogue manager, which may prepare an answer. */
  #offerPartialWords(soFar: { words: string; hasPaused: boolean }): void {
    if (this.#progress.state !== 'listening' || soFar.words === '') return;
    this.#options.agent.dialogue.note({ kind: 'hearing', ...soFar });
  }

  /** Puts input of the caller into the queue for the agent's answer. */
  #answer({ utterance, knownWords, response = this.#beginResponse(utterance) }: CallerInput): void {
    this.#hangUpSequence.cancel();
    if (knownWords) this.#utterances.answerWith(knownWords, response);
    else if (utterance) this.#utterances.answer(utterance, response);
  }

  /** Takes the words of the caller's whole turn; the agent answers them if the state still allows it. */
  #reply(heard: Transcript, response: ResponseMarks): void {
    this.#ladder.callerActed();
    const language = this.#language.noteUtterance(heard);
    if (language !== null) this.#options.observer.onLanguage?.(language);
    if (this.#progress.state === 'thinking') this.#turns.reply(heard, response);
    else if (this.#progress.state === 'operated') this.#party.reportOverheard(heard);
    else this.#party.takeLastWords(heard);
  }

  /** Decides by its words whether an utterance over the agent was meant to interrupt: then the caller's turn begins. */
  #weighOverlap(utterance: Utterance): void {
    const response = this.#beginResponse(utterance);
    this.#interruptions.awaitWords();
    this.#utterances.transcribeUnanswered(utterance, (heard) => {
      const isMeant = this.#interruptions.takeWords(heard, utterance);
      if (!isMeant || this.#isOver) return this.#party.reportOverheard(heard);
      this.interrupt();
      this.#dispatch('input', { knownWords: heard, response });
    });
  }

  /** Starts the timing of the response to an utterance; undefined for typed words. */
  #beginResponse(utterance: Utterance | undefined): ResponseMarks {
    return beginResponse(utterance, { positionMs: this.#channel.presentMs, clock: this.#parts.clock });
  }

  /** Ends the conversation now; later calls do nothing. */
  #end(end: ConversationEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#party.conversationEnded(!this.#turns.current && this.#progress.isCallersTurn);
    this.#progress.end();
    this.#turns.cut();
    this.#channel.close();
    void this.#wrapUp(end, this.#parts.clock.wallMs());
  }

  /** Waits for the transcription of the last words, and resolves `ended`. */
  async #wrapUp(end: ConversationEnd, endedAt: number): Promise<void> {
    await this.steering.end();
    const { dialogue } = this.#options.agent;
    const [abort, party, dtmf] = [this.#abort, this.#party, this.#dtmf];
    const outcome = await wrapUp({ ...this.#parts, ...this.#listening, abort, dialogue, party, dtmf });
    this.#parts.log.debug({ ended: end.by, lengthMs: this.#channel.nowMs }, 'conversation over');
    this.#resolveEnded({ end, endedAt, outcome, audioQuality: this.#channel.quality });
  }
}
