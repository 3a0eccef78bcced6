import type { ConversationOptions, Steering } from '#conversation/talk/conversation.js';
import type { ConversationParts } from '#conversation/talk/conversation-parts.js';
import type { TalkEvent, TalkState } from '#conversation/talk/talk-machine.js';
import { Operator } from './operator.js';

/** What an operator's wishes are carried out with. */
export interface SteeringParts {
  options: ConversationOptions;
  parts: ConversationParts;
  state(): TalkState;
  /** Milliseconds of the stream. */
  nowMs(): number;
  /** Nobody is speaking who might be talking to us. */
  isQuiet(): boolean;
  dispatch(event: TalkEvent): void;
  /** Cuts what the agent says, where that may be interrupted. */
  interrupt(): void;
  /** The agent says something that its dialogue manager has not decided. */
  say(text: string): void;
  transferred(to: string): void;
}

/** States in which a talk is not the agent's to be taken from. */
const BEYOND: ReadonlySet<TalkState> = new Set(['connecting', 'greeted', 'leaving', 'closing', 'ended']);
/** More wishes than this are not remembered. */
const MOST_WAITING = 20;

/** A person steers the talk: has the agent say something, silences it, or speaks in its place. */
export class TalkSteering implements Steering {
  readonly #parts: SteeringParts;
  readonly #wanted: string[] = [];
  #operator: Operator | null = null;

  constructor(parts: SteeringParts) {
    this.#parts = parts;
  }

  get canBeSteered(): boolean {
    return !BEYOND.has(this.#parts.state());
  }

  get mode(): Steering['mode'] {
    if (this.#operator) return 'operator';
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
    if (!this.canBeSteered || this.mode === 'operator') return false;
    this.#parts.dispatch('taken_over');
    return true;
  }

  unmute(): boolean {
    if (this.mode === 'operator' || !this.canBeSteered) return false;
    this.#parts.dispatch('handed_back');
    return true;
  }

  takeOver(): boolean {
    if (!this.canBeSteered) return false;
    this.#parts.dispatch('taken_over');
    const { options, parts, nowMs } = this.#parts;
    this.#operator ??= new Operator(options, parts, nowMs());
    return true;
  }

  handBack(): boolean {
    const operator = this.#operator;
    if (!operator) return false;
    this.#operator = null;
    void operator.end();
    this.#parts.dispatch('handed_back');
    return true;
  }

  speak(samples: Int16Array): void {
    this.#operator?.hear(samples);
  }

  async transfer(to: string): Promise<boolean> {
    const { options, dispatch, transferred } = this.#parts;
    if (!options.transfer || !this.canBeSteered) return false;
    const isOperated = this.mode !== 'agent';
    dispatch('taken_over');
    const isDone = await options.transfer(to).catch(() => false);
    if (isDone) transferred(to);
    else if (!isOperated) dispatch('handed_back');
    return isDone;
  }

  /** The operator's frame of a tick; null where the agent speaks for itself. */
  fill(frame: Int16Array): boolean | null {
    if (this.#parts.state() !== 'operated') return null;
    return this.#operator?.fill(frame) ?? false;
  }

  /** 20 ms later: has the time come to say what is wanted? */
  tick(): void {
    this.#operator?.tick();
    if (this.#wanted.length === 0 || this.#parts.state() !== 'listening' || !this.#parts.isQuiet()) return;
    this.#parts.dispatch('told');
  }

  /** Says what waits. */
  sayWanted(): void {
    this.#parts.say(this.#wanted.splice(0).join(' '));
  }

  /** The talk is over; resolves when the operator's last words are understood. */
  async end(): Promise<void> {
    await this.#operator?.end();
    this.#operator = null;
  }
}
