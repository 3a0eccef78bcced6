import { frameSamples } from '#media/samples/audio.js';
import { HoldLoop } from '#conversation/line/hold-loop.js';
import { RelayedSound, type PersonOnLine } from '#conversation/line/relayed-sound.js';
import type {
  Connection,
  ConversationOptions,
  Steering,
  SteeringMode,
} from '#conversation/talk/conversation.js';
import type { ConversationParts } from '#conversation/talk/conversation-parts.js';
import type { TalkEvent, TalkState } from '#conversation/talk/talk-machine.js';
import type { WarmTransfer } from '#dialogue/dialogue-manager.js';
import { Operator } from './operator.js';
import { Whisper } from './whisper.js';

/** The dependencies of {@link TalkSteering}. */
export interface SteeringParts {
  options: ConversationOptions;
  conversationParts: ConversationParts;
  state(): TalkState;
  /** Milliseconds of the stream. */
  nowMs(): number;
  /** True while there is no speech that may be meant for the agent. */
  isQuiet(): boolean;
  dispatch(event: TalkEvent): void;
  /** Resets the recognition hints: the caller's next words are no answer to the agent's question. */
  expectAnything(): void;
  /** Cuts the agent's turn if it is interruptible. */
  interrupt(): void;
  /** Clears the peer's playout buffer. */
  clearPlayout(): void;
  /** Makes the agent say an operator's text. */
  say(text: string): void;
  /** The caller was transferred: the conversation is over. */
  transferred(to: string): void;
}

/** States in which nothing can be steered: the call is being transferred, has reached a machine, or is ending. */
const UNSTEERABLE_STATES: ReadonlySet<TalkState> = new Set([
  'connecting',
  'greeted',
  'leaving',
  'closing',
  'ended',
]);
/** Most texts that wait for the agent to say them. */
const MOST_WAITING_TEXTS = 20;
/** Longest hold if no other limit is set. */
const DEFAULT_HOLD_LIMIT_MS = 300_000;
/**
 * Time limit for the called person of a warm transfer to hear the offer and accept it, after the ringing: well above
 * the usual length.
 */
const OFFER_LIMIT_MS = 120_000;
const NO_SOUND = new Int16Array(0);

/** An attempt to connect the caller with another line. */
interface Connecting {
  abort: AbortController;
  /** True if the agent requested the connection, so that it must say when that fails; false for a console request. */
  isByAgent: boolean;
}

/**
 * Lets a person of the console or the API steer a `LiveConversation`: make the agent say a text, mute it, speak in its
 * place, put the caller on hold, or join the caller with a person on another line. Also keeps the hold and the joined
 * line of the agent's own warm transfers. {@link Steering} describes the methods without a comment here.
 */
export class TalkSteering implements Steering {
  readonly #parts: SteeringParts;
  /** Texts that the agent will say at the next silence. */
  readonly #waitingTexts: string[] = [];
  /** The person whom the caller hears in the agent's place; null if there is none. */
  #person: { mode: 'operator' | 'joined'; voice: PersonOnLine } | null = null;
  /** The hold sound; null unless the caller is on hold. */
  #hold: HoldLoop | null = null;
  /** The connection in progress; null if there is none. */
  #connecting: Connecting | null = null;
  readonly #whisper: Whisper;
  /** True if an operator cancelled a transfer that the agent requested: the agent says so when it talks again. */
  #mustReportFailedTransfer = false;
  #reportedMode: SteeringMode = 'agent';

  constructor(parts: SteeringParts) {
    this.#parts = parts;
    this.#whisper = new Whisper(this.#frameSamples);
  }

  /** False while the call is being transferred, has reached a machine, or is ending. */
  get canBeSteered(): boolean {
    return !UNSTEERABLE_STATES.has(this.#parts.state());
  }

  get mode(): SteeringMode {
    if (this.#person) return this.#person.mode;
    if (this.#hold) return 'held';
    return this.#parts.state() === 'operated' ? 'muted' : 'agent';
  }

  say(text: string, { interrupt }: { interrupt: boolean }): boolean {
    if (!this.canBeSteered || this.mode !== 'agent' || this.#waitingTexts.length >= MOST_WAITING_TEXTS)
      return false;
    this.#waitingTexts.push(text);
    if (interrupt) this.#parts.interrupt();
    return true;
  }

  advise(text: string): boolean {
    const { dialogue } = this.#parts.options.agent;
    if (!dialogue.takesAdvice || !this.canBeSteered) return false;
    dialogue.note({ kind: 'advised', text });
    return true;
  }

  mute(): boolean {
    if (!this.canBeSteered || (this.mode !== 'agent' && this.mode !== 'muted')) return false;
    this.#parts.dispatch('taken_over');
    return true;
  }

  unmute(): boolean {
    if (!this.canBeSteered || (this.mode !== 'agent' && this.mode !== 'muted')) return false;
    this.#parts.dispatch('handed_back');
    return true;
  }

  takeOver(): boolean {
    // A caller on hold during a warm transfer may be taken over, although the state is `connecting`.
    if (this.mode === 'joined' || !(this.canBeSteered || this.#hold)) return false;
    const { options, conversationParts, nowMs, dispatch } = this.#parts;
    this.#mustReportFailedTransfer ||= this.#connecting?.isByAgent ?? false;
    this.#endHold();
    dispatch('taken_over');
    this.#person ??= { mode: 'operator', voice: new Operator(options, conversationParts, nowMs()) };
    return true;
  }

  handBack(): boolean {
    if (this.#person?.mode !== 'operator') return false;
    this.#removePerson();
    this.#parts.dispatch(this.#mustReportFailedTransfer ? 'not_connected' : 'handed_back');
    this.#mustReportFailedTransfer = false;
    return true;
  }

  speak(samples: Int16Array): void {
    this.#person?.voice.hear(samples);
  }

  whisper(samples: Int16Array): void {
    if (this.mode === 'joined') this.#whisper.hear(samples);
  }

  hold(): boolean {
    if (!this.canBeSteered || (this.mode !== 'agent' && this.mode !== 'muted')) return false;
    this.#parts.dispatch('taken_over');
    this.#beginHold(this.#parts.conversationParts.hold?.limitMs ?? DEFAULT_HOLD_LIMIT_MS);
    return true;
  }

  resume(): boolean {
    if (this.mode !== 'held') return false;
    const wasConnecting = this.#connecting !== null;
    this.#endHold();
    this.#parts.dispatch(wasConnecting ? 'not_connected' : 'resumed');
    return true;
  }

  async transfer(to: string): Promise<boolean> {
    const { options, dispatch, transferred } = this.#parts;
    if (!options.transfer || !this.canBeSteered || this.mode === 'joined' || this.#connecting) return false;
    const wasSteered = this.mode !== 'agent';
    dispatch('taken_over');
    const isDone = await options.transfer(to).catch(() => false);
    if (isDone) transferred(to);
    // An agent that was silent before stays so.
    else if (!wasSteered) dispatch('handed_back');
    return isDone;
  }

  transferWarmly(to: string, warm: WarmTransfer): boolean {
    const { options, dispatch } = this.#parts;
    if (!options.joining || !this.canBeSteered || this.mode === 'joined' || this.#connecting) return false;
    this.#removePerson();
    dispatch('taken_over');
    this.connect({ kind: 'transfer', to, warm }, { isByAgent: false });
    return true;
  }

  /**
   * Connects this line with another one by a warm transfer or a join. If that succeeds, the calls module calls
   * {@link join}. After a failure the conversation gets the event `not_connected`, unless the connection was cancelled.
   * @param connection null, or without `joining` in the options: fails at once
   */
  connect(connection: Connection | null, { isByAgent } = { isByAgent: true }): void {
    const { joining } = this.#parts.options;
    const connecting = { abort: new AbortController(), isByAgent };
    const { signal } = connecting.abort;
    this.#connecting = connecting;
    let outcome = Promise.resolve(false);
    if (connection?.kind === 'join' && joining) outcome = joining.accept();
    if (connection?.kind === 'transfer' && connection.warm && joining) {
      this.#beginHold(connection.warm.ringSeconds * 1000 + OFFER_LIMIT_MS);
      outcome = joining.call(connection.to, connection.warm, signal);
    }
    const logFailure = (error: unknown) => {
      this.#parts.conversationParts.log.warn({ err: error }, 'two lines were not joined');
      return false;
    };
    void outcome.catch(logFailure).then((isDone) => {
      // A connection that was cancelled has been replaced or removed.
      if (isDone || this.#connecting !== connecting) return;
      this.#endHold();
      this.#mustReportFailedTransfer = false;
      this.#parts.dispatch('not_connected');
    });
  }

  join(): boolean {
    if (!this.#connecting) return false;
    const { dispatch, expectAnything } = this.#parts;
    this.#connecting = null;
    this.#endHold();
    dispatch('joined');
    expectAnything();
    this.#person = { mode: 'joined', voice: new RelayedSound(this.#frameSamples) };
    return true;
  }

  quote(text: string): void {
    if (text !== '') this.#parts.options.agent.dialogue.note({ kind: 'said_for_agent', text });
  }

  personLeft(): void {
    if (this.#person?.mode !== 'joined') return;
    this.#removePerson();
    this.#parts.dispatch('returned');
  }

  /** Fills the frame of a tick in the agent's place; false for silence, null while the agent itself speaks. */
  fill(frame: Int16Array): boolean | null {
    const state = this.#parts.state();
    if (state !== 'operated' && (state !== 'connecting' || !this.#hold)) return null;
    const isFilled = this.#person?.voice.fill(frame) ?? this.#hold?.fill(frame) ?? false;
    return this.#whisper.mixInto(frame, isFilled);
  }

  /** Called every 20 ms: makes the agent say waiting texts at a silence, ends a hold at its limit, reports the mode. */
  tick(): void {
    this.#person?.voice.tick();
    this.#hold?.tick();
    if (this.#hold?.isOver) this.resume();
    this.#reportMode();
    if (this.#waitingTexts.length === 0 || this.#parts.state() !== 'listening' || !this.#parts.isQuiet())
      return;
    this.#parts.dispatch('text_waiting');
  }

  /** Makes the agent say the waiting texts, as one text. */
  sayWaitingTexts(): void {
    this.#parts.say(this.#waitingTexts.splice(0).join(' '));
  }

  /** The conversation is over; resolves when the last words of a person in the agent's place are transcribed. */
  async end(): Promise<void> {
    const person = this.#person;
    this.#endHold();
    this.#person = null;
    await person?.voice.end();
  }

  get #frameSamples(): number {
    return frameSamples(this.#parts.options.line.sampleRateHz);
  }

  #beginHold(limitMs: number): void {
    const { options, conversationParts } = this.#parts;
    const sound = conversationParts.hold?.sound.at(options.line.sampleRateHz) ?? NO_SOUND;
    this.#hold = new HoldLoop(sound, limitMs);
  }

  /** Ends the hold, and cancels a connection in progress. */
  #endHold(): void {
    const connecting = this.#connecting;
    this.#connecting = null;
    connecting?.abort.abort();
    if (!this.#hold) return;
    this.#hold = null;
    this.#parts.clearPlayout();
  }

  #reportMode(): void {
    const { mode } = this;
    if (mode === this.#reportedMode) return;
    this.#reportedMode = mode;
    this.#parts.options.observer.onMode?.(mode);
  }

  /** The person in the agent's place has left; last words are still transcribed. */
  #removePerson(): void {
    const person = this.#person;
    this.#person = null;
    void person?.voice.end();
  }
}
