import { AgentTurn, type AgentTurnParts, type Think, type TurnPurpose } from './agent-turn.js';
import type { ConversationObserver, Line } from './conversation.js';

export interface AgentTurnsParts extends Omit<AgentTurnParts, keyof TurnPurpose> {
  line: Pick<Line, 'clear' | 'lagMs'>;
  observer: Pick<ConversationObserver, 'onEntry' | 'onTurn'>;
}

/** The agent's turns, one at a time, and what is told of each when it is over. */
export class AgentTurns {
  readonly #parts: AgentTurnsParts;
  #current: AgentTurn | null = null;
  #timed = 0;
  /** How much of what was sent before the agent fell silent was never played; null while it has not been silenced. */
  #unheardMs: number | null = null;

  constructor(parts: AgentTurnsParts) {
    this.#parts = parts;
  }

  /** The turn that is being thought, spoken or played. */
  get current(): AgentTurn | null {
    return this.#current;
  }

  begin(think: Think, purpose: TurnPurpose): void {
    this.#current = new AgentTurn(think, { ...this.#parts, ...purpose });
  }

  /** Falls silent in mid-sentence, at once also where the peer plays with a delay. */
  pause(): void {
    this.#silence();
    this.#current?.pause();
  }

  /** Goes on from before the word that was cut. */
  resume(): void {
    this.#current?.resume(this.#unheardMs ?? 0);
    this.#unheardMs = null;
  }

  /** Forgets a turn that nobody has heard anything of. */
  drop(): void {
    this.#current?.drop();
    this.#current = null;
    this.#unheardMs = null;
  }

  /** The turn was played to its end. Tells what was said and how long it took; null when there is none. */
  close(): AgentTurn | null {
    return this.#close(false, 0)?.turn ?? null;
  }

  /** Ends the turn here and now. Tells as `close` does, but of what could be heard, which is `heard`, too. */
  cut(): { turn: AgentTurn; heard: string } | null {
    if (this.#current?.hasSounded) this.#silence();
    return this.#close(true, this.#unheardMs ?? 0);
  }

  #silence(): void {
    if (this.#unheardMs !== null) return;
    const { line } = this.#parts;
    const lagMs = line.lagMs ?? 0;
    this.#unheardMs = line.clear() ? lagMs : 0;
  }

  #close(interrupted: boolean, unheardMs: number): { turn: AgentTurn; heard: string } | null {
    const turn = this.#current;
    if (!turn) return null;
    this.drop();
    const { observer } = this.#parts;
    const entry = turn.entry(interrupted, unheardMs);
    if (entry) observer.onEntry(entry);
    const timing = turn.timing(this.#timed + 1, interrupted);
    if (timing) {
      this.#timed += 1;
      observer.onTurn(timing);
    }
    return { turn, heard: entry?.text ?? '' };
  }
}
