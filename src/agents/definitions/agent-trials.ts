import type { Clock } from '#kernel/time/clock.js';
import type { AgentRow } from './agent.js';

/**
 * How long a trial can be called. Only clients of the API need the time; the console creates a trial for each call and
 * begins the call at once.
 */
const TRIAL_MS = 15 * 60_000;
/** The most trials of a workspace at once; a further trial replaces the oldest. */
const MAX_PER_WORKSPACE = 20;

/** An agent that can be called before it is saved. */
interface Trial {
  agent: AgentRow;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/**
 * Agents that can be called before they are saved (`POST /api/agents/trials`), held in the memory of this process for a
 * short time. `Agents.createTrial` adds them; `AudioStreams` looks them up when a client opens an audio
 * socket with the id of a trial.
 */
export class AgentTrials {
  readonly #clock: Clock;
  /** Oldest first. */
  readonly #trials = new Map<string, Trial>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True if an agent id is that of a trial. */
  static isTrial(id: string): boolean {
    return id.startsWith('trial_');
  }

  /** Holds an agent as a trial. Returns the instant of its expiry (epoch milliseconds). */
  add(id: string, agent: AgentRow): number {
    const now = this.#clock.wallMs();
    for (const [key, { expiresAt }] of this.#trials) if (expiresAt <= now) this.#trials.delete(key);
    const trialsOfWorkspace = [...this.#trials].filter(
      ([, trial]) => trial.agent.workspace === agent.workspace,
    );
    if (trialsOfWorkspace.length >= MAX_PER_WORKSPACE) this.#trials.delete(trialsOfWorkspace[0]![0]);
    const expiresAt = now + TRIAL_MS;
    this.#trials.set(id, { agent, expiresAt });
    return expiresAt;
  }

  /** The agent of a trial; null for a trial that has expired, or is of another workspace or process. */
  find(workspace: string, id: string): AgentRow | null {
    const trial = this.#trials.get(id);
    const isCurrent = trial?.agent.workspace === workspace && trial.expiresAt > this.#clock.wallMs();
    return isCurrent ? trial.agent : null;
  }
}
