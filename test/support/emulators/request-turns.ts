import { sleep, type Clock } from '#kernel/time/clock.js';
import type { EmulatorLog } from './emulator-log.js';
import type { CallbackTravel, Faults } from './faults.js';
import type { PendingWork } from './pending-work.js';

/** What whoever makes requests of the service needs of its carrier. */
export interface RequestParts {
  clock: Clock;
  log: EmulatorLog;
  pending: PendingWork;
  faults: Faults;
  /** Aborted when the carrier closes: what is on its way does not arrive any more. */
  closing: AbortSignal;
}

/**
 * The requests that are made of the service for one call: one after the other, so that without faults they arrive in
 * the order of what happened. A delayed one steps aside.
 */
export class RequestTurns {
  readonly #parts: RequestParts;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: RequestParts) {
    this.#parts = parts;
  }

  /** Makes every copy of a request when those before it are answered. The last answer; null when there is none. */
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

  /** The same at once: it waits for nobody, and nobody for it. */
  skip<Answer>({ copies }: CallbackTravel, exchange: () => Promise<Answer | null>): Promise<Answer | null> {
    return this.#parts.pending.during(this.#deliver(copies ?? 1, exchange));
  }

  async #deliver<Answer>(copies: number, exchange: () => Promise<Answer | null>): Promise<Answer | null> {
    let answer: Answer | null = null;
    for (let copy = 0; copy < copies && !this.#parts.closing.aborted; copy++) answer = await exchange();
    return answer;
  }
}
