import type { ModuleContext } from '#store/module-context.js';
import { Coalescer } from '#kernel/work/coalescer.js';
import { Loop, type Work } from '#kernel/work/loop.js';
import type { AttemptEnd } from './attempt-end.js';
import type { DeliveryAttempter } from './delivery-attempter.js';
import type { ClaimedDelivery } from './claimed-delivery.js';
import { deliveryTransactions } from './delivery-store.js';
import { ConcurrencyLimiter, type ConcurrencyLimits } from './concurrency-limiter.js';

/** The most concurrent requests of this process. */
const REQUEST_LIMITS: ConcurrencyLimits = { total: 100, each: 10 };
/** The most claimed deliveries: more than requests, because some wait for a place or for the database. */
const MOST_CLAIMED = 4 * REQUEST_LIMITS.total;
/**
 * Deliveries claimed beyond the limit of a webhook that answers within {@link QUICK_MS}: its next requests need not
 * wait for the next claim.
 */
const MOST_CLAIMED_AHEAD = REQUEST_LIMITS.each;
/** See {@link MOST_CLAIMED_AHEAD}. */
const QUICK_MS = 1_000;
/** A claimed delivery that has waited longer for a place is released: its endpoint may have changed. */
const LONGEST_WAIT_MS = 1_000;
/** The lease of a claim lasts for the deadline of an attempt and this time, for the wait before it and the storing. */
const LEASE_SLACK_MS = 5_000;
/** The least interval between two claims that also release the expired claims of dead processes. */
const REAP_EVERY_MS = 1_000;
/** Time for which `stop` lets running requests finish. */
const STOP_GRACE_MS = 3_000;

/** The dependencies of {@link Sender}. */
export interface SenderParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  attempter: DeliveryAttempter;
  /** The deadline of an attempt, in milliseconds. */
  timeoutMs: number;
}

/**
 * Sends the due deliveries of all webhooks: claims them from the queue, sends each by `DeliveryAttempter`, and stores
 * the outcomes in batches. A webhook that does not answer only occupies its own share of requests. `WebhookService`
 * creates it and starts it with the service.
 */
export class Sender implements Work<ClaimedDelivery> {
  readonly name = 'webhooks';
  readonly concurrency = MOST_CLAIMED;
  readonly #parts: SenderParts;
  readonly #limiter = new ConcurrencyLimiter(REQUEST_LIMITS);
  /** Claimed deliveries that wait for a place. A delivery that `releaseWaiting` removes is not sent. */
  readonly #waiting = new Set<ClaimedDelivery>();
  /** Webhooks that answered quickly since the last claim. */
  readonly #quickWebhooks = new Set<string>();
  readonly #loop: Loop<ClaimedDelivery>;
  /** Batches outcomes: a transaction for each would cost more than its request. */
  readonly #outcomes: Coalescer<AttemptEnd, boolean>;
  #stop = new AbortController();
  #isStopping = false;
  #hasFound = false;
  #nextReapAt = 0;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#loop = new Loop<ClaimedDelivery>(this, parts);
    this.#outcomes = new Coalescer(
      (ends) => parts.store.write(deliveryTransactions.finish, { ends }),
      REQUEST_LIMITS.total,
    );
  }

  /** Running requests. */
  get inFlight(): number {
    return this.#limiter.running;
  }

  /** True once a claim has found a delivery. */
  get hasFound(): boolean {
    return this.#hasFound;
  }

  /** Starts sending, on SQLite after the claims of a dead process were released. */
  async start(): Promise<void> {
    this.#stop = new AbortController();
    this.#isStopping = false;
    await this.#parts.store.write(deliveryTransactions.recover, {});
    this.#loop.start();
  }

  /** Looks for due deliveries now. */
  wake(): void {
    this.#loop.wake();
  }

  /**
   * Withdraws the waiting deliveries of a webhook that has changed or failed: when their turn comes, they are not sent
   * but return to the queue.
   */
  releaseWaiting(webhookId: string): void {
    this.#quickWebhooks.delete(webhookId);
    for (const delivery of this.#waiting)
      if (delivery.webhook_id === webhookId) this.#waiting.delete(delivery);
  }

  /**
   * Starts no further requests. Running requests may finish for a while; then they are aborted and their claims
   * released.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const cancel = this.#parts.clock.after(STOP_GRACE_MS, () => this.#stop.abort());
    await this.#loop.stop();
    cancel();
  }

  /**
   * Claims due deliveries, at most `limit`, and at times first releases expired claims. The loop calls this method,
   * `nextDueAt` and `perform`.
   */
  async claim(limit: number): Promise<ClaimedDelivery[]> {
    const { store, clock } = this.#parts;
    const now = clock.wallMs();
    if (now >= this.#nextReapAt) {
      this.#nextReapAt = now + REAP_EVERY_MS;
      await store.write(deliveryTransactions.reap, { now });
    }
    const quickWebhooks = [...this.#quickWebhooks];
    if (this.#limiter.isFull && quickWebhooks.length === 0) return [];
    this.#quickWebhooks.clear();
    const capacity = {
      places: this.#limiter.freePlaces,
      each: REQUEST_LIMITS.each,
      ahead: { most: MOST_CLAIMED_AHEAD, of: quickWebhooks },
      most: limit,
      claimed: this.#limiter.claimedByWebhook,
    };
    const deliveries = await store.write(deliveryTransactions.claim, {
      now,
      leaseUntil: this.leaseUntil(now),
      capacity,
    });
    for (const delivery of deliveries) this.#limiter.countClaimed(delivery.webhook_id);
    this.#hasFound ||= deliveries.length > 0;
    return deliveries;
  }

  /** The end of the lease of a claim made at `now` (epoch milliseconds). */
  leaseUntil(now: number): number {
    return now + this.#parts.timeoutMs + LEASE_SLACK_MS;
  }

  /** When the next delivery is due (epoch milliseconds); null if none waits, or if all places are taken. */
  async nextDueAt(): Promise<number | null> {
    // Without a free place, the next request that ends wakes the loop.
    if (this.#limiter.isFull) return null;
    return this.#parts.store.read(deliveryTransactions.nextDueAt, { full: this.#limiter.fullWebhooks });
  }

  /** Sends a claimed delivery and stores the outcome, or releases the claim. */
  async perform(delivery: ClaimedDelivery): Promise<void> {
    const { webhook_id: webhookId, lease_until: leaseUntil, id } = delivery;
    const end = await this.#attempt(delivery).finally(() => this.#endDelivery(webhookId));
    if (end) await this.#outcomes.run(end);
    else await this.#parts.store.write(deliveryTransactions.release, { id, leaseUntil });
  }

  /** Sends a delivery when it has a place; null if it was not sent, or was aborted. */
  async #attempt(delivery: ClaimedDelivery): Promise<AttemptEnd | null> {
    const { webhook_id: webhookId } = delivery;
    if (!(await this.#waitForPlace(delivery))) return null;
    const end = await this.#parts.attempter.attempt(delivery, this.#stop.signal);
    if (end?.status !== 'delivered') this.releaseWaiting(webhookId);
    else if (end.durationMs < QUICK_MS) this.#quickWebhooks.add(webhookId);
    return end;
  }

  /** Waits for a place; false if the delivery must not be sent any more. */
  async #waitForPlace(delivery: ClaimedDelivery): Promise<boolean> {
    const { clock } = this.#parts;
    const sinceMs = clock.monotonicMs();
    this.#waiting.add(delivery);
    await this.#limiter.enter(delivery.webhook_id);
    const isUnchanged = this.#waiting.delete(delivery);
    return isUnchanged && !this.#isStopping && clock.monotonicMs() - sinceMs <= LONGEST_WAIT_MS;
  }

  /** Frees the place of a delivery, and wakes the loop if its webhook had no free place. */
  #endDelivery(webhookId: string): void {
    const wasFull = this.#limiter.isFullFor(webhookId);
    this.#limiter.leave(webhookId);
    if (wasFull) this.#loop.wake();
  }
}
