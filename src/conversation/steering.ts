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
  parts: ConversationParts;
  state(): TalkState;
  /** Milliseconds of the stream. */
  nowMs(): number;
  /** True while there is no speech that may be meant for the agent. */
  isQuiet(): boolean;
  dispatch(event: TalkEvent): void;
  /** Speech from now on is no answer to a question. */
  expectAnything(): void;
  /** Cuts the agent's turn if it is interruptible. */
  interrupt(): void;
  /** Clears the peer's playout buffer. */
  clearPlayout(): void;
  /** Makes the agent say a text that is not its dialogue manager's. */
  say(text: string): void;
  transferred(to: string): void;
}

/** States in which a person cannot take over the conversation. */
const BEYOND: ReadonlySet<TalkState> = new Set(['connecting', 'greeted', 'leaving', 'closing', 'ended']);
/** Most texts that wait to be said. */
const MOST_WAITING = 20;
/** Longest hold if no other limit is set. */
const USUAL_HOLD_MS = 300_000;
/** Limit of a warm transfer after the ringing, well above the usual length of an offer. */
const OFFER_LIMIT_MS = 120_000;
const NO_SOUND = new Int16Array(0);

/** A connection with another line in progress. */
interface Connecting {
  abort: AbortController;
  /** The agent requested the connection, so its dialogue manager learns of a failure. */
  isOfAgent: boolean;
}

/**
 * Lets a person steer the conversation: have the agent say a text, mute it, speak in its place, put the caller on hold,
 * or join the caller with a person on another line.
 */
export class TalkSteering implements Steering {
  readonly #parts: SteeringParts;
  readonly #wanted: string[] = [];
  #person: { mode: 'operator' | 'joined'; voice: PersonOnLine } | null = null;
  #hold: HoldLoop | null = null;
  #connecting: Connecting | null = null;
  readonly #whisper: Whisper;
  /** A person cancelled a transfer that the agent requested: the agent learns of it when it talks again. */
  #owesApology = false;
  #toldMode: SteeringMode = 'agent';

  constructor(parts: SteeringParts) {
    this.#parts = parts;
    this.#whisper = new Whisper(this.#frameSamples);
  }

  get canBeSteered(): boolean {
    return !BEYOND.has(this.#parts.state());
  }

  get mode(): SteeringMode {
    if (this.#person) return this.#person.mode;
    if (this.#hold) return 'held';
    return this.#parts.state() === 'operated' ? 'muted' : 'agent';
  }

  say(text: string, { interrupt }: { interrupt: boolean }): boolean {
    if (!this.canBeSteered || this.mode !== 'agent' || this.#wanted.length >= MOST_WAITING) return false;
    this.#wanted.push(text);
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
    if (this.mode === 'joined' || !(this.canBeSteered || this.#hold)) return false;
    const { options, parts, nowMs, dispatch } = this.#parts;
    this.#owesApology ||= this.#connecting?.isOfAgent ?? false;
    this.#endHold();
    dispatch('taken_over');
    this.#person ??= { mode: 'operator', voice: new Operator(options, parts, nowMs()) };
    return true;
  }

  handBack(): boolean {
    if (this.#person?.mode !== 'operator') return false;
    this.#leave();
    this.#parts.dispatch(this.#owesApology ? 'not_connected' : 'handed_back');
    this.#owesApology = false;
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
    this.#beginHold(this.#parts.parts.hold?.limitMs ?? USUAL_HOLD_MS);
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
    const isOperated = this.mode !== 'agent';
    dispatch('taken_over');
    const isDone = await options.transfer(to).catch(() => false);
    if (isDone) transferred(to);
    else if (!isOperated) dispatch('handed_back');
    return isDone;
  }

  transferWarmly(to: string, warm: WarmTransfer): boolean {
    const { options, dispatch } = this.#parts;
    if (!options.joining || !this.canBeSteered || this.mode === 'joined' || this.#connecting) return false;
    this.#leave();
    dispatch('taken_over');
    this.connect({ kind: 'transfer', to, warm }, { isOfAgent: false });
    return true;
  }

  /**
   * Connects the line with another one, and reports a failure to the conversation unless the connection was cancelled.
   */
  connect(connection: Connection | null, { isOfAgent } = { isOfAgent: true }): void {
    const { joining } = this.#parts.options;
    const connecting = { abort: new AbortController(), isOfAgent };
    const { signal } = connecting.abort;
    this.#connecting = connecting;
    let asked = Promise.resolve(false);
    if (connection?.kind === 'join' && joining) asked = joining.accept();
    if (connection?.kind === 'transfer' && connection.warm && joining) {
      this.#beginHold(connection.warm.ringSeconds * 1000 + OFFER_LIMIT_MS);
      asked = joining.call(connection.to, connection.warm, signal);
    }
    const failed = (error: unknown) => {
      this.#parts.parts.log.warn({ err: error }, 'two lines were not joined');
      return false;
    };
    void asked.catch(failed).then((isDone) => {
      if (isDone || this.#connecting !== connecting) return;
      this.#endHold();
      this.#owesApology = false;
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

  part(): void {
    if (this.#person?.mode !== 'joined') return;
    this.#leave();
    this.#parts.dispatch('returned');
  }

  /** Fills the frame of a tick in the agent's place; null while the agent itself speaks. */
  fill(frame: Int16Array): boolean | null {
    const state = this.#parts.state();
    if (state !== 'operated' && (state !== 'connecting' || !this.#hold)) return null;
    const isFilled = this.#person?.voice.fill(frame) ?? this.#hold?.fill(frame) ?? false;
    return this.#whisper.mixInto(frame, isFilled);
  }

  /** Called every 20 ms: says waiting texts at the next silence, and ends a hold after its limit. */
  tick(): void {
    this.#person?.voice.tick();
    this.#hold?.tick();
    if (this.#hold?.isOver) this.resume();
    this.#tellMode();
    if (this.#wanted.length === 0 || this.#parts.state() !== 'listening' || !this.#parts.isQuiet()) return;
    this.#parts.dispatch('told');
  }

  /** Says the texts that wait. */
  sayWanted(): void {
    this.#parts.say(this.#wanted.splice(0).join(' '));
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
    const { options, parts } = this.#parts;
    const sound = parts.hold?.sound.at(options.line.sampleRateHz) ?? NO_SOUND;
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

  #tellMode(): void {
    const { mode } = this;
    if (mode === this.#toldMode) return;
    this.#toldMode = mode;
    this.#parts.options.observer.onMode?.(mode);
  }

  #leave(): void {
    const person = this.#person;
    this.#person = null;
    void person?.voice.end();
  }
}
