import type { Clock } from '#kernel/time/clock.js';
import { isUnavailable } from '#kernel/errors/errors.js';
import type { Log } from '#kernel/log/log.js';
import { FailureLog } from '#kernel/log/failure-log.js';

/** Work that waits in durable rows: how to claim items, and how to perform an item. */
export interface Work<Item> {
  name: string;
  /** The most items in progress at once. */
  concurrency: number;
  /** Claims at most `limit` due items; a claimed item belongs to this process until its lease ends. */
  claim(limit: number): Promise<Item[]>;
  /** Performs one item and records its outcome. If it rejects, the error is logged; a lease then ends by itself. */
  perform(item: Item): Promise<void>;
  /** When the next item is due (epoch milliseconds), or null when none waits. */
  nextDueAt(): Promise<number | null>;
}

/** The longest sleep, which bounds the delay after a missed wake or a jump of the clock. */
const MAX_SLEEP_MS = 1_000;
/** The shortest sleep before the next due item: items that are due close together are claimed together. */
const MIN_SLEEP_MS = 20;
/**
 * After a claim that has filled all places, the next claim waits until this share of the places is free; after
 * {@link MIN_SLEEP_MS}, one free place is enough. A claim costs as much for one item as for many, and more with every
 * process that claims.
 */
const GATHERED_SHARE = 0.25;

/**
 * The loop of background work, such as dialling or webhook deliveries: claims and performs items, and sleeps until the
 * next item is due or `wake` is called. `start` and `stop` are idempotent; `stop` resolves when the items in progress
 * are finished.
 */
export class Loop<Item> {
  readonly #work: Work<Item>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #failures: FailureLog;
  readonly #inProgress = new Set<Promise<void>>();
  #running: Promise<void> | null = null;
  #stopping = false;
  /** True if `wake` was called since the last claim began: the loop then does not sleep. */
  #woken = false;
  /** Ends the sleep, if the loop sleeps. */
  #wake: () => void = () => {};
  /** True after a claim that has filled all places: more items may be due. */
  #isFull = false;
  /** Called whenever a place becomes free; lets a claim go on that waits for places. */
  #onFreePlace: () => void = () => {};

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
   * Wakes the loop, because there may be work now.
   * @param dueAt when the work is due (epoch milliseconds); beyond the longest sleep the loop need not be woken
   */
  wake(dueAt?: number): void {
    if (dueAt !== undefined && dueAt - this.#clock.wallMs() > MAX_SLEEP_MS) return;
    this.#woken = true;
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake();
    this.#onFreePlace();
    await this.#running;
    this.#running = null;
    await Promise.all(this.#inProgress);
  }

  /** Takes turns until the loop is stopped, and sleeps while nothing is due. */
  async #run(): Promise<void> {
    while (!this.#stopping) {
      this.#woken = false;
      const sleepMs = await this.#turn().then(
        (untilDueMs) => {
          this.#failures.succeeded();
          return untilDueMs;
        },
        (error: unknown) => {
          this.#failures.failed(error);
          return MAX_SLEEP_MS;
        },
      );
      if (sleepMs > 0 && !this.#woken && !this.#stopping) await this.#sleep(sleepMs);
    }
  }

  /** Claims once and begins the claimed items; returns how long to sleep afterwards. */
  async #turn(): Promise<number> {
    if (this.#isFull) await this.#gatherPlaces();
    if (this.#stopping) return 0;
    const freePlaces = this.#freePlaces;
    const items = await this.#work.claim(freePlaces);
    for (const item of items) this.#perform(item);
    this.#isFull = items.length === freePlaces;
    // After a wake the next claim follows at once.
    if (this.#isFull || this.#woken) return 0;
    const dueAt = await this.#work.nextDueAt();
    if (dueAt === null) return MAX_SLEEP_MS;
    return Math.min(Math.max(dueAt - this.#clock.wallMs(), MIN_SLEEP_MS), MAX_SLEEP_MS);
  }

  /** Performs an item without waiting for it. */
  #perform(item: Item): void {
    const task = this.#work
      .perform(item)
      .catch((error: unknown) => this.#logFailure(error))
      .finally(() => {
        this.#inProgress.delete(task);
        this.#onFreePlace();
      });
    this.#inProgress.add(task);
  }

  /** How many items may begin. */
  get #freePlaces(): number {
    return this.#work.concurrency - this.#inProgress.size;
  }

  /** Waits until {@link GATHERED_SHARE} of the places are free; after a while, until one is. */
  #gatherPlaces(): Promise<void> {
    return new Promise((resolve) => {
      let wanted = Math.ceil(this.#work.concurrency * GATHERED_SHARE);
      const cancel = this.#clock.after(MIN_SLEEP_MS, () => {
        wanted = 1;
        this.#onFreePlace();
      });
      this.#onFreePlace = () => {
        if (this.#freePlaces < wanted && !this.#stopping) return;
        cancel();
        this.#onFreePlace = () => {};
        resolve();
      };
      this.#onFreePlace();
    });
  }

  /**
   * Logs the error of an item. An unavailable database, which fails every item, is logged as rarely as a failed claim.
   */
  #logFailure(error: unknown): void {
    if (isUnavailable(error)) this.#failures.failed(error);
    else this.#log.error({ err: error }, 'piece of work failed');
  }

  /** Sleeps for some time, or until the loop is woken. */
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
