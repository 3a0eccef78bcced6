import type { Clock } from '../kernel/clock.js';
import type { Log } from '../kernel/log.js';
import { Loop, type Work } from '../kernel/loop.js';
import { Coalescer } from '../kernel/coalescer.js';
import type { Store } from '../store/store.js';
import type { AttemptEnd } from './attempt-end.js';
import type { Courier } from './courier.js';
import type { Letter } from './letters.js';
import { deliveryUnits } from './delivery-store.js';
import { Traffic } from './traffic.js';

/** Requests under way at once, of this process. */
export const IN_FLIGHT = { total: 100, each: 10 };
/** Answers that wait for the database hold no request open: of these there may be some more. */
const IN_HAND = 3 * IN_FLIGHT.total;
/** Whose attempt takes longer than its deadline and this has lost its claim. */
const LEASE_SLACK_MS = 5_000;
const REAP_EVERY_MS = 1_000;
/** What is under way may end by itself for so long after the order to stop. */
const STOP_GRACE_MS = 3_000;

export interface SenderParts {
  store: Store;
  clock: Clock;
  log: Log;
  courier: Courier;
  /** Of an attempt. */
  timeoutMs: number;
}

/** Sends what waits. A webhook that does not answer takes its own share of requests and nobody else's. */
export class Sender implements Work<Letter> {
  readonly name = 'webhooks';
  readonly concurrency = IN_HAND;
  readonly #parts: SenderParts;
  readonly #traffic = new Traffic();
  readonly #loop: Loop<Letter>;
  /** Answers come one by one, and a word to the database about each would cost more than the answer. */
  readonly #outcomes: Coalescer<AttemptEnd, boolean>;
  #stop = new AbortController();
  #reapAt = 0;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#loop = new Loop<Letter>(this, parts);
    this.#outcomes = new Coalescer(
      (ends) => parts.store.write(deliveryUnits.finish, { ends }),
      IN_FLIGHT.total,
    );
  }

  /** Requests under way. */
  get inFlight(): number {
    return this.#traffic.total;
  }

  async start(): Promise<void> {
    this.#stop = new AbortController();
    await this.#parts.store.write(deliveryUnits.recover, {});
    this.#loop.start();
  }

  /** There may be something to send. */
  nudge(): void {
    this.#loop.nudge();
  }

  /** Sends nothing new; what is under way is waited for a little, then given back. */
  async stop(): Promise<void> {
    const cancel = this.#parts.clock.after(STOP_GRACE_MS, () => this.#stop.abort());
    await this.#loop.stop();
    cancel();
  }

  async claim(limit: number): Promise<Letter[]> {
    const { store, clock } = this.#parts;
    const now = clock.wallMs();
    if (now >= this.#reapAt) {
      this.#reapAt = now + REAP_EVERY_MS;
      await store.write(deliveryUnits.reap, { now });
    }
    const total = Math.min(limit, IN_FLIGHT.total - this.#traffic.total);
    if (total <= 0) return [];
    const room = { total, each: IN_FLIGHT.each, inHand: this.#traffic.inHand };
    const letters = await store.write(deliveryUnits.claim, { now, leaseUntil: this.leaseUntil(now), room });
    for (const letter of letters) this.#traffic.begin(letter.webhook_id);
    return letters;
  }

  #leave({ webhook_id: webhookId }: Letter): void {
    const wasFull = this.#traffic.total >= IN_FLIGHT.total || this.#traffic.to(webhookId) >= IN_FLIGHT.each;
    this.#traffic.end(webhookId);
    if (wasFull) this.#loop.nudge();
  }

  /** Until when a claim made now holds. */
  leaseUntil(now: number): number {
    return now + this.#parts.timeoutMs + LEASE_SLACK_MS;
  }

  async nextDueAt(): Promise<number | null> {
    // With no room for anybody, the next request that ends will say so.
    if (this.#traffic.total >= IN_FLIGHT.total) return null;
    return this.#parts.store.read(deliveryUnits.nextDueAt, { full: this.#traffic.full(IN_FLIGHT.each) });
  }

  async perform(letter: Letter): Promise<void> {
    const { store, courier } = this.#parts;
    const end = await courier.attempt(letter, this.#stop.signal).finally(() => this.#leave(letter));
    if (end) await this.#outcomes.do(end);
    else await store.write(deliveryUnits.release, { id: letter.id, leaseUntil: letter.lease_until });
  }
}
