import type { ToolCall, ToolEffect } from '#dialogue/tools/toolbox.js';
import type { RealtimeEvent } from '#speech/realtime.js';
import { AnsweringParty } from '#conversation/answering/answering-party.js';
import { DtmfInput } from '#conversation/hearing/dtmf-input.js';
import { turnTiming } from '#conversation/hearing/turn-timing.js';
import { Channel } from '#conversation/line/channel.js';
import { transferCaller } from '#conversation/line/blind-transfer.js';
import type {
  Conversation,
  ConversationEnd,
  ConversationOptions,
  ConversationResult,
  RealtimePorts,
} from '#conversation/talk/conversation.js';
import type { ConversationParts } from '#conversation/talk/conversation-parts.js';
import { SilenceLadder } from '#conversation/turns/silence-ladder.js';
import { AgentVoice } from './agent-voice.js';
import { CallerVoice } from './caller-voice.js';
import { LastWords } from './last-words.js';
import { SessionLink } from './session-link.js';
import { SessionSteering } from './session-steering.js';

/** The state as observers see it. */
type State = 'listening' | 'thinking' | 'speaking';

/**
 * A conversation whose agent is a speech-to-speech session: a model that hears and speaks by itself. The session
 * decides turns and words. This class handles the line, the recording, DTMF, silence, answering machines, the end of
 * the call and the transcript of heard words. Made by `startConversation`; `Conversation` describes the methods without
 * a comment here.
 */
export class RealtimeConversation implements Conversation {
  readonly ended: Promise<ConversationResult>;
  readonly steering: SessionSteering;
  readonly #options: ConversationOptions<RealtimePorts>;
  readonly #parts: ConversationParts;
  readonly #abort = new AbortController();
  readonly #link: SessionLink;
  readonly #channel: Channel;
  /** The times of the caller's speech. */
  readonly #caller: CallerVoice;
  /** The other party of the call, which may be an answering machine. */
  readonly #party: AnsweringParty;
  /** Prompts a silent caller, and ends the call after a longer silence. */
  readonly #ladder: SilenceLadder;
  readonly #lastWords = new LastWords();
  readonly #dtmf = new DtmfInput((keys) => this.type(keys));
  #resolveEnded!: (result: ConversationResult) => void;
  /** The agent's turn in progress; null while there is none. */
  #voice: AgentVoice | null = null;
  /** Null until the first state is reported. */
  #state: State | null = null;
  /** Stream position up to which the caller's speech was answered. */
  #answeredMs = 0;
  /** When the first sound of the agent's turn arrived (monotonic). */
  #firstSoundAtMs: number | null = null;
  /** Number of responses whose timing was reported. */
  #timedTurns = 0;
  /** Effects of tool calls that wait, such as a transfer; each takes place when everything said before was heard. */
  readonly #effects: ToolEffect[] = [];
  #runningTools = 0;
  /** True if the session spoke in the turn in which it called the tool that ends the call. */
  #hasGoodbye = false;
  /** True while the session's output is dropped: a machine has answered, and its greeting is not over. */
  #isMuted = false;
  #isOver = false;

  constructor(options: ConversationOptions<RealtimePorts>, parts: ConversationParts) {
    this.#options = options;
    this.#parts = parts;
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    const { agent, line, limits } = options;
    const { realtime, dialogue, voice, language } = agent;
    const { sampleRateHz } = line;
    this.#caller = new CallerVoice(parts.voiceActivity, sampleRateHz);
    this.#ladder = new SilenceLadder(limits);
    // The session hears screening services and overheard speech itself.
    const note = () => {};
    this.#party = new AnsweringParty({ ...options, language, note }, (action) =>
      action === 'hang_up' ? this.#end({ by: 'machine' }) : this.#muteForMachine(),
    );
    this.#dtmf.expect({ kind: 'anything' });
    this.#channel = new Channel({
      ...parts,
      line,
      speak: (frame, tick, isDue) => this.#fill(frame, tick, isDue),
      hear: (frame) => this.#hear(frame),
      afterTick: () => this.#onTick(),
      onKeysSent: () => this.#ladder.agentStopped(false),
      onFailure: (error) => this.#fail(error),
    });
    const { instructions, tools, initialMessage } = dialogue;
    this.#link = new SessionLink({
      clock: parts.clock,
      realtime,
      brief: { instructions, voice, language: language.tag, sampleRateHz, tools },
      signal: this.#abort.signal,
      onEvent: (event) => this.#handleEvent(event),
    });
    this.steering = new SessionSteering({
      isOver: () => this.#isOver || this.#lastWords.isEnding,
      say: (text) => this.#link.request((session) => session.say(text)),
      interrupt: () => this.interrupt(),
      transfer: (to) => this.#transfer(to),
    });
    if (initialMessage !== '') this.#link.request((session) => session.say(initialMessage));
  }

  get nowMs(): number {
    return this.#channel.nowMs;
  }

  hear(samples: Int16Array): void {
    this.#channel.receive(samples);
  }

  press(digit: string): void {
    if (this.#isOver) return;
    this.#ladder.callerActed();
    this.#dtmf.press(digit);
  }

  sendKeys(keys: string): Promise<boolean> {
    return this.#channel.sendKeys(keys);
  }

  type(text: string): void {
    if (this.#isOver) return;
    this.#ladder.callerActed();
    this.interrupt();
    const atMs = this.#channel.nowMs;
    const { observer, agent } = this.#options;
    observer.onEntry({
      speaker: 'customer',
      text,
      confidence: 1,
      startMs: atMs,
      endMs: atMs,
      interrupted: false,
    });
    agent.dialogue.hear({ text, confidence: 1 });
    this.#setState('thinking');
    this.#link.request((session) => session.type(text));
  }

  interrupt(): void {
    if (!this.#lastWords.isEnding) this.#cutTurn();
  }

  machineAnswered(greetingEnded: boolean): void {
    if (!this.#isOver) this.#party.machineAnswered(greetingEnded);
  }

  stop(): void {
    this.#end({ by: 'stop' });
  }

  /** Handles an event of the session. */
  #handleEvent(event: RealtimeEvent): void {
    switch (event.kind) {
      case 'audio':
        if (this.#isMuted) return;
        this.#firstSoundAtMs ??= this.#parts.clock.monotonicMs();
        this.#turn().add(event.samples);
        return this.#channel.sendNow();
      case 'agent_text':
        if (!this.#isMuted) this.#turn().addText(event.text);
        return;
      case 'turn_done':
        return this.#voice?.finish();
      case 'interrupted':
        return this.interrupt();
      case 'caller_text':
        return this.#takeCallerText(event);
      case 'tool_call':
        return void this.#runTool(event);
      case 'end':
        return this.#lastWords.begin({ by: 'agent' }, { haveBegun: true });
      case 'error':
        return this.#fail(event.error);
    }
  }

  /** The turn to which the session's output belongs: the present one, or a new one if that has all its output. */
  #turn(): AgentVoice {
    if (this.#voice?.isDone) this.#closeTurn();
    return (this.#voice ??= new AgentVoice(this.#options.line.sampleRateHz));
  }

  /**
   * Takes words of the caller that the session has recognised: partial words go to the observer only, final words into
   * the transcript, with times from our own voice detection.
   */
  #takeCallerText({ transcript, isFinal }: Extract<RealtimeEvent, { kind: 'caller_text' }>): void {
    const { observer, agent } = this.#options;
    if (transcript.text === '') return;
    this.#ladder.callerActed();
    if (!isFinal) return observer.onPartial(transcript.text);
    const { text, confidence } = transcript;
    const span = this.#caller.takeSpan();
    observer.onEntry({ speaker: 'customer', text, confidence, ...span, interrupted: false });
    agent.dialogue.hear(transcript);
    this.#party.takeTranscript({ text, ...span });
  }

  /**
   * Runs a tool, and returns its result to the session unless the call ends with it. The tool's effect waits until
   * everything said before was heard.
   */
  async #runTool({ id, name, arguments: written }: ToolCall): Promise<void> {
    this.#runningTools += 1;
    const result = await this.#options.agent.dialogue.run({ id, name, arguments: written });
    this.#runningTools -= 1;
    if (this.#isOver) return;
    const { effect, text } = result;
    if (effect) this.#effects.push(effect);
    if (effect?.kind !== 'end') return this.#link.request((session) => session.toolResult(id, text));
    // If the session hangs up without a word, it is made to say a goodbye.
    this.#hasGoodbye = this.#voice?.hasBegun ?? false;
    if (!this.#hasGoodbye) this.#say(effect.goodbye);
  }

  #say(sentence: Parameters<RealtimePorts['dialogue']['sentence']>[0]): void {
    const text = this.#options.agent.dialogue.sentence(sentence);
    this.#link.request((session) => session.say(text));
  }

  /** Fills the agent's frame of a tick; the first sound of a turn begins the state `speaking`. */
  #fill(frame: Int16Array, tick: number, isDue: boolean): boolean {
    const voice = this.#voice;
    if (!voice?.fill(frame, tick, isDue)) return false;
    if (this.#state !== 'speaking') {
      this.#setState('speaking');
      this.#reportTiming();
    }
    return true;
  }

  #hear(frame: Int16Array): void {
    this.#link.push(frame);
    const hasEnded = this.#caller.hear(frame);
    if (hasEnded && !this.#voice) this.#setState('thinking');
    this.#party.hear(frame, this.#caller.utteranceMs, this.#state === 'listening');
  }

  /** Called every 20 ms: starts everything that is due by now. */
  #onTick(): void {
    const { isSendingKeys } = this.#channel;
    const { isSpeaking } = this.#caller;
    if (isSpeaking) this.#ladder.callerActed();
    this.#dtmf.tick();
    if (this.#isTurnPlayed) this.#closeTurn();
    const isQuiet = !this.#voice && !isSpeaking && !isSendingKeys && this.#runningTools === 0;
    const step = this.#ladder.tick(isQuiet && !this.#lastWords.isEnding && !this.#isMuted);
    if (step === 'prompt') this.#say(this.#ladder.prompts <= 1 ? 'still_there' : 'cannot_hear');
    if (step === 'hang_up') this.#sayLastWords({ by: 'silence' }, 'nobody_there');
    if (this.#isMuted && this.#party.isTimeForMessage(isSpeaking)) this.#leaveMessage();
    if (!this.#voice && !isSendingKeys) this.#runNextEffect();
    const end = this.#lastWords.tick(this.#voice !== null || isSendingKeys);
    if (end) this.#end(end);
  }

  /** True when the agent's whole turn was received, sent and played by the peer. */
  get #isTurnPlayed(): boolean {
    const voice = this.#voice;
    return voice !== null && voice.isSent && (!voice.hasSounded || this.#channel.awaitedMs >= voice.endMs);
  }

  /** Starts the oldest waiting effect of a tool call. */
  #runNextEffect(): void {
    const effect = this.#effects.shift();
    if (!effect) return;
    switch (effect.kind) {
      case 'press':
        return void this.#channel.sendKeys(effect.keys);
      case 'end':
        return this.#lastWords.begin({ by: this.#party.endedBy }, { haveBegun: this.#hasGoodbye });
      case 'transfer':
        return this.#transferForAgent(effect.to);
      // Only a playbook acts on a read-back.
      case 'read_back':
    }
  }

  /** Transfers the caller as the agent requested; after a failure the agent says so. */
  #transferForAgent(to: string): void {
    void this.#transfer(to).then((isDone) => {
      if (!isDone && !this.#isOver) this.#say('not_connected');
    });
  }

  /** Transfers the caller, and ends the conversation if that succeeds. */
  async #transfer(to: string): Promise<boolean> {
    const signal = this.#abort.signal;
    const isDone = await transferCaller(to, { ...this.#options, ...this.#parts, signal });
    if (isDone) this.#end({ by: 'transfer', to });
    return isDone;
  }

  /** Makes the session say last words, and ends the conversation after them. */
  #sayLastWords(end: ConversationEnd, sentence: 'nobody_there'): void {
    this.#say(sentence);
    this.#lastWords.begin(end);
  }

  /** Silences the session until the machine's greeting is over. */
  #muteForMachine(): void {
    this.#cutTurn();
    this.#isMuted = true;
  }

  /** Makes the session say the message to the machine, and ends the conversation after it. */
  #leaveMessage(): void {
    const { message } = this.#party;
    this.#isMuted = false;
    this.#link.request((session) => session.say(message));
    this.#lastWords.begin({ by: this.#party.endedBy });
  }

  /**
   * Reports the response time of the turn that begins now, unless it answers no new speech. Of its parts only the total
   * is known: the session does not say when it took the caller's turn for over.
   */
  #reportTiming(): void {
    const nowMs = this.#parts.clock.monotonicMs();
    const firstSoundAtMs = this.#firstSoundAtMs ?? nowMs;
    const lastVoicedMs = this.#caller.lastVoicedMs;
    if (lastVoicedMs <= this.#answeredMs) return;
    this.#answeredMs = lastVoicedMs;
    const turnOverAtMs = nowMs - (this.#channel.presentMs - lastVoicedMs);
    const timing = turnTiming(
      this.#timedTurns + 1,
      { endOfTurnMs: 0, turnOverAtMs, wordsAtMs: turnOverAtMs },
      {
        startMs: this.#channel.presentMs,
        firstSentenceAtMs: firstSoundAtMs,
        firstSoundAtMs,
        sentAtMs: nowMs,
      },
      false,
    );
    if (!timing) return;
    this.#timedTurns += 1;
    this.#options.observer.onTurn(timing);
  }

  /** Silences the agent in mid-sentence: transcript and session keep only the words heard. */
  #cutTurn(): void {
    const voice = this.#voice;
    if (!voice) return;
    this.#voice = null;
    const untilMs = voice.hasSounded ? this.#channel.clearPlayout({ isOver: this.#isOver }) : Infinity;
    const entry = voice.entry(true, untilMs);
    const heardMs = Math.round(voice.heardMs(untilMs));
    this.#link.request((session) => session.interrupt(heardMs));
    if (entry) this.#options.observer.onEntry(entry);
    if (!this.#isOver && voice.hasSounded) this.#options.observer.onInterrupted();
    this.#agentStopped();
  }

  /** Ends the agent's turn after it was played, and writes its transcript entry. */
  #closeTurn(): void {
    const entry = this.#voice?.entry(false) ?? null;
    this.#voice = null;
    if (entry) this.#options.observer.onEntry(entry);
    this.#agentStopped();
  }

  /** The agent's turn is over: the silence of the caller counts from now on. */
  #agentStopped(): void {
    this.#ladder.agentStopped(false);
    this.#firstSoundAtMs = null;
    if (!this.#isOver) this.#setState('listening');
  }

  #setState(state: State): void {
    if (state !== this.#state) this.#options.observer.onState(state);
    this.#state = state;
  }

  #fail(error: unknown): void {
    this.#end({ by: 'error', error: error instanceof Error ? error : new Error(String(error)) });
  }

  /** Ends the conversation now; later calls do nothing. */
  #end(end: ConversationEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const endedAt = this.#parts.clock.wallMs();
    if (this.#isTurnPlayed) this.#closeTurn();
    else this.#cutTurn();
    this.#channel.close();
    this.#link.close();
    this.#abort.abort();
    this.#caller.close();
    this.#parts.log.debug({ ended: end.by, lengthMs: this.#channel.nowMs }, 'conversation over');
    const outcome = this.#options.agent.dialogue.outcome();
    this.#resolveEnded({ end, endedAt, outcome, audioQuality: this.#channel.quality });
  }
}
