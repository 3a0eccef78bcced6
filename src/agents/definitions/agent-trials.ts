import type { Clock } from '#kernel/time/clock.js';
import type { AgentRow } from './agent.js';

/** Time enough to read a long playbook before the call begins; a page asks for a new trial with every call. */
const KEPT_MS = 15 * 60_000;
/** Trials that a workspace holds at once; a further one takes the place of the oldest. */
const MOST_PER_WORKSPACE = 20;

interface Trial {
  agent: AgentRow;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Agents that are talked with before they are saved. They are held by this process, in memory and not for long. */
export class AgentTrials {
  readonly #clock: Clock;
  /** Oldest first. */
  readonly #trials = new Map<string, Trial>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether an id where agents are named is that of a trial. */
  static isTrial(id: string): boolean {
    return id.startsWith('trial_');
  }

  /** @returns until when it can be called (epoch milliseconds) */
  hold(id: string, agent: AgentRow): number {
    const now = this.#clock.wallMs();
    for (const [key, { expiresAt }] of this.#trials) if (expiresAt <= now) this.#trials.delete(key);
    const own = [...this.#trials].filter(([, trial]) => trial.agent.workspace === agent.workspace);
    if (own.length >= MOST_PER_WORKSPACE) this.#trials.delete(own[0]![0]);
    const expiresAt = now + KEPT_MS;
    this.#trials.set(id, { agent, expiresAt });
    return expiresAt;
  }

  /** The agent of a trial; null for one that is over, of another workspace, or of another process. */
  find(workspace: string, id: string): AgentRow | null {
    const trial = this.#trials.get(id);
    const isGood = trial?.agent.workspace === workspace && trial.expiresAt > this.#clock.wallMs();
    return isGood ? trial.agent : null;
  }
}
