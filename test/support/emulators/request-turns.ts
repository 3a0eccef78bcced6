import { sleep, type Clock } from '#kernel/time/clock.js';
import type { EmulatorLog } from './emulator-log.js';
import type { CallbackTravel, Faults } from './faults.js';
import type { PendingWork } from './pending-work.js';

/** What sending requests to the service needs. */
export interface RequestParts {
  clock: Clock;
  log: EmulatorLog;
  pending: PendingWork;
  faults: Faults;
  /** Aborted when the carrier closes: requests in progress are dropped. */
  closing: AbortSignal;
}

/**
 * The requests to the service for one call, one after the other: without faults they arrive in order. A delayed one
 * does not block the others.
 */
export class RequestTurns {
  readonly #parts: RequestParts;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: RequestParts) {
    this.#parts = parts;
  }

  /**
   * Sends every copy of a request after earlier ones were answered. Resolves with the last answer; null if there is
   * none.
   */
  take<Answer>(
    { copies, delayMs }: Required<CallbackTravel>,
    exchange: () => Promise<Answer | null>,
  ): Promise<Answer | null> {
    const { clock, pending, closing } = this.#parts;
    const deliver = () => this.#deliver(copies, exchange);
    if (delayMs > 0) return sleep(clock, delayMs, closing).then(() => pending.during(deliver()));
    const answer = pending.during(this.#last.then(deliver));
    this.#last = answer;
    return answer;
  }

  /** The same at once, independent of the others. */
  skip<Answer>({ copies }: CallbackTravel, exchange: () => Promise<Answer | null>): Promise<Answer | null> {
    return this.#parts.pending.during(this.#deliver(copies ?? 1, exchange));
  }

  async #deliver<Answer>(copies: number, exchange: () => Promise<Answer | null>): Promise<Answer | null> {
    let answer: Answer | null = null;
    for (let copy = 0; copy < copies && !this.#parts.closing.aborted; copy++) answer = await exchange();
    return answer;
  }
}
