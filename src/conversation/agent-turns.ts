import { AgentTurn, type AgentTurnParts, type Think, type TurnPurpose } from './agent-turn.js';
import type { ConversationObserver } from './conversation.js';

export interface AgentTurnsParts extends Omit<AgentTurnParts, keyof TurnPurpose> {
  observer: Pick<ConversationObserver, 'onEntry' | 'onTurn'>;
}

/** The agent's turns, one at a time, and what is told of each when it is over. */
export class AgentTurns {
  readonly #parts: AgentTurnsParts;
  #current: AgentTurn | null = null;
  #timed = 0;

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

  /** Forgets a turn that nobody has heard anything of. */
  drop(): void {
    this.#current?.drop();
    this.#current = null;
  }

  /**
   * Ends the turn and tells what was heard of it and how long it took; null when there is none. `unheardMs` of what was
   * played never reached the caller.
   */
  close(interrupted: boolean, unheardMs = 0): AgentTurn | null {
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
    return turn;
  }
}
