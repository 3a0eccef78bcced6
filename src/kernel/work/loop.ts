import type { Clock } from '#kernel/time/clock.js';
import { isUnavailable } from '#kernel/errors/errors.js';
import type { Log } from '#kernel/log/log.js';
import { FailureLog } from '#kernel/log/failure-log.js';

/** A kind of work that waits in durable rows: how to take some of it, and how to do one piece. */
export interface Work<Item> {
  name: string;
  /** How many pieces may be in hand at once. */
  concurrency: number;
  /** Takes at most `limit` due pieces; a taken piece is nobody else's until its lease ends. */
  claim(limit: number): Promise<Item[]>;
  /** Does one piece and records its outcome. A throw is logged; the lease gives the piece back later. */
  perform(item: Item): Promise<void>;
  /** When the next piece is due (epoch milliseconds), or null when none is waiting. */
  nextDueAt(): Promise<number | null>;
}

/** The longest a loop sleeps: bounds the harm of a missed nudge or of a clock that jumps. */
const LONGEST_SLEEP_MS = 1_000;
/** The shortest sleep between two claims that found nothing: many things due at once become one claim. */
const SHORTEST_SLEEP_MS = 20;

/**
 * The loop that all rooms share: claim, perform, sleep until something is due or somebody nudges. Starting twice and
 * stopping twice are harmless; `stop` resolves when the work in hand is finished.
 */
export class Loop<Item> {
  readonly #work: Work<Item>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #failures: FailureLog;
  readonly #inHand = new Set<Promise<void>>();
  #running: Promise<void> | null = null;
  #stopping = false;
  #nudged = false;
  #wake: () => void = () => {};

  constructor(work: Work<Item>, parts: { clock: Clock; log: Log }) {
    this.#work = work;
    this.#clock = parts.clock;
    this.#log = parts.log.child({ loop: work.name });
    const messages = { failed: 'loop turn failed', recovered: 'loop turns again' };
    this.#failures = new FailureLog(messages, { clock: parts.clock, log: this.#log });
  }

  start(): void {
    if (this.#running) return;
    this.#stopping = false;
    this.#running = this.#run();
  }

  /**
   * Says that there may be work now, or will be at an instant.
   * @param dueAt epoch milliseconds; what is due after the longest sleep is found without being woken for it
   */
  nudge(dueAt?: number): void {
    if (dueAt !== undefined && dueAt - this.#clock.wallMs() > LONGEST_SLEEP_MS) return;
    this.#nudged = true;
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake();
    await this.#running;
    this.#running = null;
    await Promise.all(this.#inHand);
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      this.#nudged = false;
      const sleepMs = await this.#turn().then(
        (untilDueMs) => {
          this.#failures.worked();
          return untilDueMs;
        },
        (error: unknown) => {
          this.#failures.failed(error);
          return LONGEST_SLEEP_MS;
        },
      );
      if (sleepMs > 0 && !this.#nudged && !this.#stopping) await this.#sleep(sleepMs);
    }
  }

  /** One claim; returns how long to sleep afterwards. */
  async #turn(): Promise<number> {
    const room = this.#work.concurrency - this.#inHand.size;
    if (room <= 0) return LONGEST_SLEEP_MS;
    const items = await this.#work.claim(room);
    for (const item of items) this.#take(item);
    // After a nudge the next claim follows at once, so when to wake is not asked.
    if (items.length === room || this.#nudged) return 0;
    const dueAt = await this.#work.nextDueAt();
    if (dueAt === null) return LONGEST_SLEEP_MS;
    return Math.min(Math.max(dueAt - this.#clock.wallMs(), SHORTEST_SLEEP_MS), LONGEST_SLEEP_MS);
  }

  #take(item: Item): void {
    const task = this.#work
      .perform(item)
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        const wasFull = this.#inHand.size >= this.#work.concurrency;
        this.#inHand.delete(task);
        if (wasFull) this.nudge();
      });
    this.#inHand.add(task);
  }

  /** While the database is away every piece fails in the same way: that is told like a turn that failed. */
  #failed(error: unknown): void {
    if (isUnavailable(error)) this.#failures.failed(error);
    else this.#log.error({ err: error }, 'piece of work failed');
  }

  #sleep(sleepMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(sleepMs, () => this.#wake());
      this.#wake = () => {
        cancel();
        this.#wake = () => {};
        resolve();
      };
    });
  }
}
