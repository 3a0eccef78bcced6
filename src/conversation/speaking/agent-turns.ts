import { AgentTurn, type AgentTurnParts, type Think, type TurnPurpose } from './agent-turn.js';
import type { Heard } from '#speech/stt.js';
import type { ThinkingSession, Thought } from '#dialogue/dialogue-manager.js';
import type { ConversationObserver } from '#conversation/talk/conversation.js';
import type { ResponseMarks } from '#conversation/hearing/turn-timing.js';

export interface AgentTurnsParts extends Omit<AgentTurnParts, keyof TurnPurpose> {
  /** Falls silent at once; up to which moment of the stream it was heard, which is not before `settledMs`. */
  clearPlayout(settledMs: number): number;
  /** A turn is over, or was cut. */
  onStopped(isPrompt: boolean): void;
  session: ThinkingSession;
  observer: Pick<ConversationObserver, 'onEntry' | 'onTurn'>;
}

const UNASKED: TurnPurpose = { isPrompt: false, response: null };

/** The agent's turns, one at a time, and what is told of each when it is over. */
export class AgentTurns {
  readonly #parts: AgentTurnsParts;
  #current: AgentTurn | null = null;
  #timed = 0;
  /** The end of what was told as heard. */
  #toldMs = 0;
  /**
   * Up to which moment the agent was heard when it fell silent; null while it has not been silenced, and without end
   * while what was sent could not be thrown away.
   */
  #heardUpToMs: number | null = null;

  constructor(parts: AgentTurnsParts) {
    this.#parts = parts;
  }

  /** The turn that is being thought, spoken or played; it is over, or cut, before another begins. */
  get current(): AgentTurn | null {
    return this.#current;
  }

  /** The agent opens the talk. */
  open(): void {
    this.#begin((signal) => this.#parts.session.begin(signal), UNASKED);
  }

  /**
   * It answers the caller. An answer that was still being thought of was to half a sentence, and nobody heard of it.
   */
  reply(heard: Heard, response: ResponseMarks): void {
    const { session, clock } = this.#parts;
    if (this.#current) {
      session.interrupted?.('');
      session.takeBack?.();
    }
    this.#drop();
    response.wordsAtMs = clock.monotonicMs();
    this.#begin((signal) => session.reply(heard, signal), { isPrompt: false, response });
  }

  /** It speaks to a caller who says nothing, so often in a row. */
  prompt(prompts: number): void {
    this.#begin((signal) => this.#parts.session.nudge(prompts, signal), { isPrompt: true, response: null });
  }

  /** It goes on after a transfer that could not be made; false when it has nothing to say to that. */
  regret(): boolean {
    const { session } = this.#parts;
    if (!session.notTransferred) return false;
    this.#begin((signal) => session.notTransferred!(signal), UNASKED);
    return true;
  }

  /** It takes its leave of a caller who says nothing; false when it has nothing to say to that. */
  part(): boolean {
    const { session } = this.#parts;
    if (!session.part) return false;
    this.#begin((signal) => session.part!(signal), UNASKED);
    return true;
  }

  /** It says something of its own to the end, and hangs up. */
  leaveMessage(text: string): void {
    this.#begin(() => messageOf(text), UNASKED);
  }

  /** Falls silent in mid-sentence, at once also where the peer plays with a delay. */
  pause(): void {
    this.#silence();
    this.#current?.pause();
  }

  /** Goes on from before the word that was cut. */
  resume(): void {
    const heardMs = this.#heardUpToMs ?? Infinity;
    this.#heardUpToMs = null;
    this.#current?.resume(heardMs);
  }

  /** Forgets a turn that nobody has heard anything of. */
  #drop(): void {
    this.#current?.drop();
    this.#current = null;
    this.#heardUpToMs = null;
  }

  /** The turn is over, and told; null when there is none. What is not waited for any longer is thrown away. */
  close(): AgentTurn | null {
    const turn = this.#current;
    if (turn?.hasSounded && this.#parts.heardMs() < turn.endMs) this.cut();
    else if (this.#finish()) this.#tell(turn!, { heardMs: Infinity, interrupted: false });
    return turn;
  }

  /** Ends the turn here and now. What could be heard of it is told, also to the thinking. */
  cut(): void {
    if (this.#current?.hasSounded) this.#silence();
    const heardMs = this.#heardUpToMs ?? Infinity;
    const turn = this.#finish();
    if (turn) this.#tell(turn, { heardMs, interrupted: true });
  }

  #begin(think: Think, purpose: TurnPurpose): void {
    const heardMs = () => this.#heardUpToMs ?? this.#parts.heardMs();
    this.#current = new AgentTurn(think, { ...this.#parts, ...purpose, heardMs });
  }

  #silence(): void {
    if ((this.#heardUpToMs ?? Infinity) < Infinity) return;
    this.#heardUpToMs = this.#parts.clearPlayout(Math.max(this.#toldMs, this.#current?.settledMs ?? 0));
  }

  #finish(): AgentTurn | null {
    const turn = this.#current;
    this.#drop();
    if (turn) this.#parts.onStopped(turn.isPrompt);
    return turn;
  }

  #tell(turn: AgentTurn, { heardMs, interrupted }: { heardMs: number; interrupted: boolean }): void {
    const { observer, session } = this.#parts;
    const entry = turn.entry(interrupted, heardMs);
    if (entry) {
      this.#toldMs = entry.endMs;
      observer.onEntry(entry);
    }
    const timing = turn.timing(this.#timed + 1, interrupted);
    if (timing) {
      this.#timed += 1;
      observer.onTurn(timing);
    }
    if (interrupted) session.interrupted?.(entry?.text ?? '');
  }
}

async function* messageOf(text: string): AsyncGenerator<Thought> {
  yield { kind: 'say', text, interruptible: false };
  yield { kind: 'end' };
}
