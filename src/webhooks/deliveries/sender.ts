import type { Clock } from '#kernel/time/clock.js';
import { Coalescer } from '#kernel/work/coalescer.js';
import type { Log } from '#kernel/log/log.js';
import { Loop, type Work } from '#kernel/work/loop.js';
import type { Store } from '#store/store.js';
import type { AttemptEnd } from './attempt-end.js';
import type { DeliveryAttempter } from './delivery-attempter.js';
import type { ClaimedDelivery } from './claimed-delivery.js';
import { deliveryUnits } from './delivery-store.js';
import { ConcurrencyLimiter, type ConcurrencyLimits } from './concurrency-limiter.js';

/** Requests under way at once, of this process. */
const IN_FLIGHT: ConcurrencyLimits = { total: 100, each: 10 };
/** Answers that wait for the database hold no request open, nor do deliveries that wait for their turn. */
const IN_HAND = 4 * IN_FLIGHT.total;
/**
 * So many deliveries more than may be under way are fetched for a receiver that answers at once, so that it need not
 * wait.
 */
const AHEAD = IN_FLIGHT.each;
const ANSWERS_AT_ONCE_MS = 1_000;
/** A delivery that waited longer goes back: what it says of its webhook may be out of date. */
const LONGEST_WAIT_MS = 1_000;
/** Whose attempt takes longer than its deadline and this has lost its claim. */
const LEASE_SLACK_MS = 5_000;
const REAP_EVERY_MS = 1_000;
/** What is under way may end by itself for so long after the order to stop. */
const STOP_GRACE_MS = 3_000;

export interface SenderParts {
  store: Store;
  clock: Clock;
  log: Log;
  attempter: DeliveryAttempter;
  /** Of an attempt. */
  timeoutMs: number;
}

/** Sends what waits. A webhook that does not answer takes its own share of requests and nobody else's. */
export class Sender implements Work<ClaimedDelivery> {
  readonly name = 'webhooks';
  readonly concurrency = IN_HAND;
  readonly #parts: SenderParts;
  readonly #limiter = new ConcurrencyLimiter(IN_FLIGHT);
  /** What waits for its turn. */
  readonly #waiting = new Set<ClaimedDelivery>();
  /** Webhooks that took something at once since the last claim. */
  readonly #quick = new Set<string>();
  readonly #loop: Loop<ClaimedDelivery>;
  /** Answers come one by one, and a word to the database about each would cost more than the answer. */
  readonly #outcomes: Coalescer<AttemptEnd, boolean>;
  #stop = new AbortController();
  #isStopping = false;
  #hasFound = false;
  #reapAt = 0;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#loop = new Loop<ClaimedDelivery>(this, parts);
    this.#outcomes = new Coalescer(
      (ends) => parts.store.write(deliveryUnits.finish, { ends }),
      IN_FLIGHT.total,
    );
  }

  /** Requests under way. */
  get inFlight(): number {
    return this.#limiter.underWay;
  }

  /** Whether there was ever something to send. */
  get hasFound(): boolean {
    return this.#hasFound;
  }

  async start(): Promise<void> {
    this.#stop = new AbortController();
    this.#isStopping = false;
    await this.#parts.store.write(deliveryUnits.recover, {});
    this.#loop.start();
  }

  /** There may be something to send. */
  nudge(): void {
    this.#loop.nudge();
  }

  /** A webhook is no longer what it was, or does not take what it gets: what waits for its turn goes back. */
  recall(webhookId: string): void {
    this.#quick.delete(webhookId);
    for (const delivery of this.#waiting)
      if (delivery.webhook_id === webhookId) this.#waiting.delete(delivery);
  }

  /** Sends nothing new; what is under way is waited for a little, then given back. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const cancel = this.#parts.clock.after(STOP_GRACE_MS, () => this.#stop.abort());
    await this.#loop.stop();
    cancel();
  }

  async claim(limit: number): Promise<ClaimedDelivery[]> {
    const { store, clock } = this.#parts;
    const now = clock.wallMs();
    if (now >= this.#reapAt) {
      this.#reapAt = now + REAP_EVERY_MS;
      await store.write(deliveryUnits.reap, { now });
    }
    const quick = [...this.#quick];
    if (this.#limiter.isFull && quick.length === 0) return [];
    this.#quick.clear();
    const capacity = {
      places: this.#limiter.places,
      each: IN_FLIGHT.each,
      ahead: { most: AHEAD, of: quick },
      most: limit,
      inHand: this.#limiter.inHandOf,
    };
    const deliveries = await store.write(deliveryUnits.claim, {
      now,
      leaseUntil: this.leaseUntil(now),
      capacity,
    });
    for (const delivery of deliveries) this.#limiter.take(delivery.webhook_id);
    this.#hasFound ||= deliveries.length > 0;
    return deliveries;
  }

  /** Until when a claim made now holds. */
  leaseUntil(now: number): number {
    return now + this.#parts.timeoutMs + LEASE_SLACK_MS;
  }

  async nextDueAt(): Promise<number | null> {
    // With no room for anybody, the next request that ends will say so.
    if (this.#limiter.isFull) return null;
    return this.#parts.store.read(deliveryUnits.nextDueAt, { full: this.#limiter.full });
  }

  async perform(delivery: ClaimedDelivery): Promise<void> {
    const { webhook_id: webhookId, lease_until: leaseUntil, id } = delivery;
    const end = await this.#attempt(delivery).finally(() => this.#leave(webhookId));
    if (end) await this.#outcomes.do(end);
    else await this.#parts.store.write(deliveryUnits.release, { id, leaseUntil });
  }

  async #attempt(delivery: ClaimedDelivery): Promise<AttemptEnd | null> {
    const { webhook_id: webhookId } = delivery;
    if (!(await this.#isGoodInTurn(delivery))) return null;
    const end = await this.#parts.attempter.attempt(delivery, this.#stop.signal);
    if (end?.status !== 'delivered') this.recall(webhookId);
    else if (end.durationMs < ANSWERS_AT_ONCE_MS) this.#quick.add(webhookId);
    return end;
  }

  /** Waits for a delivery's turn, and says whether it may still be sent then. */
  async #isGoodInTurn(delivery: ClaimedDelivery): Promise<boolean> {
    const { clock } = this.#parts;
    const sinceMs = clock.monotonicMs();
    this.#waiting.add(delivery);
    await this.#limiter.enter(delivery.webhook_id);
    const isUnchanged = this.#waiting.delete(delivery);
    return isUnchanged && !this.#isStopping && clock.monotonicMs() - sinceMs <= LONGEST_WAIT_MS;
  }

  #leave(webhookId: string): void {
    const wasFull = this.#limiter.isFullFor(webhookId);
    this.#limiter.leave(webhookId);
    if (wasFull) this.#loop.nudge();
  }
}
