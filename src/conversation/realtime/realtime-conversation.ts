import type { ToolCall, ToolEffect } from '#dialogue/tools/toolbox.js';
import type { RealtimeEvent } from '#speech/realtime.js';
import { AnsweringParty } from '#conversation/answering/answering-party.js';
import { DtmfInput } from '#conversation/hearing/dtmf-input.js';
import { turnTiming } from '#conversation/hearing/turn-timing.js';
import { Channel } from '#conversation/line/channel.js';
import { connect } from '#conversation/line/connecting.js';
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

type State = 'listening' | 'thinking' | 'speaking';

/**
 * One conversation by a speech-to-speech session. The session decides turns and words. The line, the recording, DTMF,
 * silence, answering machines, the end of the call and the transcript of heard words are handled here, as in every
 * conversation.
 */
export class RealtimeConversation implements Conversation {
  readonly ended: Promise<ConversationResult>;
  readonly steering: SessionSteering;
  readonly #options: ConversationOptions<RealtimePorts>;
  readonly #parts: ConversationParts;
  readonly #abort = new AbortController();
  readonly #link: SessionLink;
  readonly #channel: Channel;
  readonly #caller: CallerVoice;
  readonly #party: AnsweringParty;
  readonly #ladder: SilenceLadder;
  readonly #lastWords = new LastWords();
  readonly #dtmf = new DtmfInput((keys) => this.type(keys));
  #resolveEnded!: (result: ConversationResult) => void;
  #voice: AgentVoice | null = null;
  #state: State | null = null;
  /** The caller's voice up to this moment of the stream has been answered. */
  #answeredMs = 0;
  /** When the first sound of the agent's turn arrived (monotonic). */
  #voiceAtMs: number | null = null;
  #timed = 0;
  /** Effects of tool calls, carried out when everything said before was heard. */
  readonly #effects: ToolEffect[] = [];
  #runningTools = 0;
  /** The session said goodbye before it called the tool that ends the call. */
  #hasGoodbye = false;
  /** A machine has answered: the session's output is dropped until a message is left. */
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
    const note = () => {};
    this.#party = new AnsweringParty({ ...options, language, note }, (action) =>
      action === 'hang_up' ? this.#end({ by: 'machine' }) : this.#mute(),
    );
    this.#dtmf.expect({ kind: 'anything' });
    this.#channel = new Channel({
      ...parts,
      line,
      speak: (frame, tick, isDue) => this.#fill(frame, tick, isDue),
      hear: (frame) => this.#hear(frame),
      afterTick: () => this.#lookAround(),
      onPressed: () => this.#ladder.agentStopped(false),
      onFailure: (error) => this.#fail(error),
    });
    const { instructions, tools, initialMessage } = dialogue;
    this.#link = new SessionLink({
      clock: parts.clock,
      realtime,
      brief: { instructions, voice, language: language.tag, sampleRateHz, tools },
      signal: this.#abort.signal,
      onEvent: (event) => this.#take(event),
    });
    this.steering = new SessionSteering({
      isOver: () => this.#isOver || this.#lastWords.areSaid,
      say: (text) => this.#link.ask((session) => session.say(text)),
      interrupt: () => this.interrupt(),
      transfer: (to) => this.#handOver(to),
    });
    if (initialMessage !== '') this.#link.ask((session) => session.say(initialMessage));
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
    return this.#channel.press(keys);
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
    this.#show('thinking');
    this.#link.ask((session) => session.type(text));
  }

  interrupt(): void {
    if (!this.#lastWords.areSaid) this.#cut();
  }

  machineAnswered(greetingEnded: boolean): void {
    if (!this.#isOver) this.#party.machineAnswered(greetingEnded);
  }

  stop(): void {
    this.#end({ by: 'stop' });
  }

  #take(event: RealtimeEvent): void {
    switch (event.kind) {
      case 'audio':
        if (this.#isMuted) return;
        this.#voiceAtMs ??= this.#parts.clock.monotonicMs();
        this.#turn().add(event.samples);
        return this.#channel.hurry();
      case 'agent_text':
        if (!this.#isMuted) this.#turn().addText(event.text);
        return;
      case 'turn_done':
        return this.#voice?.finish();
      case 'interrupted':
        return this.interrupt();
      case 'caller_text':
        return this.#understand(event);
      case 'tool_call':
        return void this.#run(event);
      case 'end':
        return this.#lastWords.begin({ by: 'agent' }, { areKnown: true });
      case 'error':
        return this.#fail(event.error);
    }
  }

  /** The agent's present turn; output after the end of one turn belongs to a new turn. */
  #turn(): AgentVoice {
    if (this.#voice?.isDone) this.#closeTurn();
    return (this.#voice ??= new AgentVoice(this.#options.line.sampleRateHz));
  }

  #understand({ transcript, isFinal }: Extract<RealtimeEvent, { kind: 'caller_text' }>): void {
    const { observer, agent } = this.#options;
    if (transcript.text === '') return;
    this.#ladder.callerActed();
    if (!isFinal) return observer.onPartial(transcript.text);
    const { text, confidence } = transcript;
    const span = this.#caller.spanOfWords();
    observer.onEntry({ speaker: 'customer', text, confidence, ...span, interrupted: false });
    agent.dialogue.hear(transcript);
    this.#party.understand({ text, ...span });
  }

  /**
   * Runs a tool, and returns its result to the session unless the call ends with it. The tool's effect waits until
   * everything said before was heard.
   */
  async #run({ id, name, arguments: written }: ToolCall): Promise<void> {
    this.#runningTools += 1;
    const result = await this.#options.agent.dialogue.run({ id, name, arguments: written });
    this.#runningTools -= 1;
    if (this.#isOver) return;
    const { effect, text } = result;
    if (effect) this.#effects.push(effect);
    if (effect?.kind !== 'end') return this.#link.ask((session) => session.toolResult(id, text));
    // If the session hangs up without a word, it is made to say a goodbye.
    this.#hasGoodbye = this.#voice?.hasBegun ?? false;
    if (!this.#hasGoodbye) this.#say(effect.goodbye);
  }

  #say(sentence: Parameters<RealtimePorts['dialogue']['sentence']>[0]): void {
    const text = this.#options.agent.dialogue.sentence(sentence);
    this.#link.ask((session) => session.say(text));
  }

  #fill(frame: Int16Array, tick: number, isDue: boolean): boolean {
    const voice = this.#voice;
    if (!voice?.fill(frame, tick, isDue)) return false;
    if (this.#state !== 'speaking') {
      this.#show('speaking');
      this.#tellTiming();
    }
    return true;
  }

  #hear(frame: Int16Array): void {
    this.#link.push(frame);
    const hasEnded = this.#caller.hear(frame);
    if (hasEnded && !this.#voice) this.#show('thinking');
    this.#party.hear(frame, this.#caller.utteranceMs, this.#state === 'listening');
  }

  /** Called every tick: starts what is due. */
  #lookAround(): void {
    const { isPressing } = this.#channel;
    const { isSpeaking } = this.#caller;
    if (isSpeaking) this.#ladder.callerActed();
    this.#dtmf.tick();
    if (this.#isHeard) this.#closeTurn();
    const isQuiet = !this.#voice && !isSpeaking && !isPressing && this.#runningTools === 0;
    const step = this.#ladder.tick(isQuiet && !this.#lastWords.areSaid && !this.#isMuted);
    if (step === 'prompt') this.#say(this.#ladder.prompts <= 1 ? 'still_there' : 'cannot_hear');
    if (step === 'hang_up') this.#leave({ by: 'silence' }, 'nobody_there');
    if (this.#isMuted && this.#party.listensNow(isSpeaking)) this.#leaveMessage();
    if (!this.#voice && !isPressing) this.#carryOut();
    const end = this.#lastWords.tick(this.#voice !== null || isPressing);
    if (end) this.#end(end);
  }

  /** True when the agent's whole turn was received, sent and played. */
  get #isHeard(): boolean {
    const voice = this.#voice;
    return voice !== null && voice.isSent && (!voice.hasSounded || this.#channel.awaitedMs >= voice.endMs);
  }

  #carryOut(): void {
    const effect = this.#effects.shift();
    if (!effect) return;
    switch (effect.kind) {
      case 'press':
        return void this.#channel.press(effect.keys);
      case 'end':
        return this.#lastWords.begin({ by: this.#party.endedBy }, { areKnown: this.#hasGoodbye });
      case 'transfer':
        return this.#connect(effect.to);
      case 'read_back':
    }
  }

  #connect(to: string): void {
    void this.#handOver(to).then((isDone) => {
      if (!isDone && !this.#isOver) this.#say('not_connected');
    });
  }

  async #handOver(to: string): Promise<boolean> {
    const signal = this.#abort.signal;
    const isDone = await connect(to, { ...this.#options, ...this.#parts, signal });
    if (isDone) this.#end({ by: 'transfer', to });
    return isDone;
  }

  /** Says last words, and ends the conversation after them. */
  #leave(end: ConversationEnd, sentence: 'nobody_there'): void {
    this.#say(sentence);
    this.#lastWords.begin(end);
  }

  #mute(): void {
    this.#cut();
    this.#isMuted = true;
  }

  #leaveMessage(): void {
    const { message } = this.#party;
    this.#isMuted = false;
    this.#link.ask((session) => session.say(message));
    this.#lastWords.begin({ by: this.#party.endedBy });
  }

  /** Reports the response time of the turn that begins now; a session reports no parts of it. */
  #tellTiming(): void {
    const nowMs = this.#parts.clock.monotonicMs();
    const voiceAtMs = this.#voiceAtMs ?? nowMs;
    const lastVoicedMs = this.#caller.lastVoicedMs;
    if (lastVoicedMs <= this.#answeredMs) return;
    this.#answeredMs = lastVoicedMs;
    const turnOverAtMs = nowMs - (this.#channel.presentMs - lastVoicedMs);
    const timing = turnTiming(
      this.#timed + 1,
      { endOfTurnMs: 0, turnOverAtMs, wordsAtMs: turnOverAtMs },
      { startMs: this.#channel.presentMs, thoughtAtMs: voiceAtMs, voiceAtMs, soundedAtMs: nowMs },
      false,
    );
    if (!timing) return;
    this.#timed += 1;
    this.#options.observer.onTurn(timing);
  }

  /** Silences the agent in mid-sentence: transcript and session keep what was heard. */
  #cut(): void {
    const voice = this.#voice;
    if (!voice) return;
    this.#voice = null;
    const untilMs = voice.hasSounded ? this.#channel.clearPlayout({ isOver: this.#isOver }) : Infinity;
    const entry = voice.entry(true, untilMs);
    const heardMs = Math.round(voice.heardMs(untilMs));
    this.#link.ask((session) => session.interrupt(heardMs));
    if (entry) this.#options.observer.onEntry(entry);
    if (!this.#isOver && voice.hasSounded) this.#options.observer.onInterrupted();
    this.#stopped();
  }

  #closeTurn(): void {
    const entry = this.#voice?.entry(false) ?? null;
    this.#voice = null;
    if (entry) this.#options.observer.onEntry(entry);
    this.#stopped();
  }

  #stopped(): void {
    this.#ladder.agentStopped(false);
    this.#voiceAtMs = null;
    if (!this.#isOver) this.#show('listening');
  }

  #show(state: State): void {
    if (state !== this.#state) this.#options.observer.onState(state);
    this.#state = state;
  }

  #fail(error: unknown): void {
    this.#end({ by: 'error', error: error instanceof Error ? error : new Error(String(error)) });
  }

  #end(end: ConversationEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const endedAt = this.#parts.clock.wallMs();
    if (this.#isHeard) this.#closeTurn();
    else this.#cut();
    this.#channel.close();
    this.#link.close();
    this.#abort.abort();
    this.#caller.close();
    this.#parts.log.debug({ ended: end.by, lengthMs: this.#channel.nowMs }, 'conversation over');
    const outcome = this.#options.agent.dialogue.outcome();
    this.#resolveEnded({ end, endedAt, outcome, audioQuality: this.#channel.quality });
  }
}
