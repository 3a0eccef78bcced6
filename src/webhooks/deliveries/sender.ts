import type { ModuleContext } from '#store/module-context.js';
import { Coalescer } from '#kernel/work/coalescer.js';
import { Loop, type Work } from '#kernel/work/loop.js';
import type { AttemptEnd } from './attempt-end.js';
import type { DeliveryAttempter } from './delivery-attempter.js';
import type { ClaimedDelivery } from './claimed-delivery.js';
import { deliveryTransactions } from './delivery-store.js';
import { ConcurrencyLimiter, type ConcurrencyLimits } from './concurrency-limiter.js';

/** Concurrent requests of this process. */
const IN_FLIGHT: ConcurrencyLimits = { total: 100, each: 10 };
/** Claimed deliveries: those that wait for a place, or whose outcome waits for the database, hold no request open. */
const IN_HAND = 4 * IN_FLIGHT.total;
/** Deliveries claimed ahead for a webhook that answers quickly, so that it does not wait for the next claim. */
const AHEAD = IN_FLIGHT.each;
const QUICK_MS = 1_000;
/** A claimed delivery that waited longer is released: its endpoint may have changed. */
const LONGEST_WAIT_MS = 1_000;
/** Time for storing the outcome, added to the deadline of an attempt in the lease of its claim. */
const LEASE_SLACK_MS = 5_000;
const REAP_EVERY_MS = 1_000;
/** How long `stop` lets running requests finish. */
const STOP_GRACE_MS = 3_000;

export interface SenderParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  attempter: DeliveryAttempter;
  /** The deadline of an attempt. */
  timeoutMs: number;
}

/** Sends due deliveries. A webhook that does not answer only occupies its own share of requests. */
export class Sender implements Work<ClaimedDelivery> {
  readonly name = 'webhooks';
  readonly concurrency = IN_HAND;
  readonly #parts: SenderParts;
  readonly #limiter = new ConcurrencyLimiter(IN_FLIGHT);
  /** Claimed deliveries that wait for a place. */
  readonly #waiting = new Set<ClaimedDelivery>();
  /** Webhooks that answered quickly since the last claim. */
  readonly #quick = new Set<string>();
  readonly #loop: Loop<ClaimedDelivery>;
  /** Batches outcomes: a transaction for each would cost more than its request. */
  readonly #outcomes: Coalescer<AttemptEnd, boolean>;
  #stop = new AbortController();
  #isStopping = false;
  #hasFound = false;
  #reapAt = 0;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#loop = new Loop<ClaimedDelivery>(this, parts);
    this.#outcomes = new Coalescer(
      (ends) => parts.store.write(deliveryTransactions.finish, { ends }),
      IN_FLIGHT.total,
    );
  }

  /** Running requests. */
  get inFlight(): number {
    return this.#limiter.underWay;
  }

  /** True once a claim has found a delivery. */
  get hasFound(): boolean {
    return this.#hasFound;
  }

  async start(): Promise<void> {
    this.#stop = new AbortController();
    this.#isStopping = false;
    await this.#parts.store.write(deliveryTransactions.recover, {});
    this.#loop.start();
  }

  /** Wakes the loop: there may be a delivery. */
  wake(): void {
    this.#loop.wake();
  }

  /** Releases the waiting deliveries of a webhook that has changed or failed. */
  recall(webhookId: string): void {
    this.#quick.delete(webhookId);
    for (const delivery of this.#waiting)
      if (delivery.webhook_id === webhookId) this.#waiting.delete(delivery);
  }

  /** Starts no further requests; running ones may finish for a while, then they are aborted and released. */
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
      await store.write(deliveryTransactions.reap, { now });
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
    const deliveries = await store.write(deliveryTransactions.claim, {
      now,
      leaseUntil: this.leaseUntil(now),
      capacity,
    });
    for (const delivery of deliveries) this.#limiter.take(delivery.webhook_id);
    this.#hasFound ||= deliveries.length > 0;
    return deliveries;
  }

  /** The end of the lease of a claim made at `now` (epoch milliseconds). */
  leaseUntil(now: number): number {
    return now + this.#parts.timeoutMs + LEASE_SLACK_MS;
  }

  async nextDueAt(): Promise<number | null> {
    // Without a free place, the next request that ends wakes the loop.
    if (this.#limiter.isFull) return null;
    return this.#parts.store.read(deliveryTransactions.nextDueAt, { full: this.#limiter.full });
  }

  async perform(delivery: ClaimedDelivery): Promise<void> {
    const { webhook_id: webhookId, lease_until: leaseUntil, id } = delivery;
    const end = await this.#attempt(delivery).finally(() => this.#leave(webhookId));
    if (end) await this.#outcomes.do(end);
    else await this.#parts.store.write(deliveryTransactions.release, { id, leaseUntil });
  }

  async #attempt(delivery: ClaimedDelivery): Promise<AttemptEnd | null> {
    const { webhook_id: webhookId } = delivery;
    if (!(await this.#enter(delivery))) return null;
    const end = await this.#parts.attempter.attempt(delivery, this.#stop.signal);
    if (end?.status !== 'delivered') this.recall(webhookId);
    else if (end.durationMs < QUICK_MS) this.#quick.add(webhookId);
    return end;
  }

  /** Waits for a place; returns whether the delivery may still be sent. */
  async #enter(delivery: ClaimedDelivery): Promise<boolean> {
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
    if (wasFull) this.#loop.wake();
  }
}
