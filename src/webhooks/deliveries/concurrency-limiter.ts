/** The most concurrent requests of this process. */
export interface ConcurrencyLimits {
  total: number;
  /** For each webhook. */
  each: number;
}

/** Numbers of deliveries of one webhook, or of all. */
interface Count {
  /** Claimed deliveries: those that wait, and those whose request runs. */
  claimed: number;
  /** Running requests. */
  running: number;
}

/**
 * Counts the claimed deliveries by webhook, and lets their requests start up to the limits, in the order in which they
 * wait. A delivery is counted by `countClaimed`, starts after `enter`, and ends with `leave`. Used by `Sender`.
 */
export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits;
  readonly #counts = new Map<string, Count>();
  /** The sums over all webhooks. `claimed` counts only deliveries that take a place; see {@link freePlaces}. */
  readonly #all: Count = { claimed: 0, running: 0 };
  /** The deliveries whose request may not start yet, in the order in which they came. */
  readonly #waiting: { webhookId: string; enter: () => void }[] = [];

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  /** Running requests. */
  get running(): number {
    return this.#all.running;
  }

  /**
   * Free places for further deliveries. A delivery beyond the limit of its webhook takes no place, because it cannot
   * start before a request to the same webhook ends.
   */
  get freePlaces(): number {
    return this.#limits.total - this.#all.claimed;
  }

  /** Claimed deliveries by webhook; webhooks without any are absent. */
  get claimedByWebhook(): Record<string, number> {
    return Object.fromEntries([...this.#counts].map(([webhookId, { claimed }]) => [webhookId, claimed]));
  }

  /** True if there is no free place at all. */
  get isFull(): boolean {
    return this.freePlaces <= 0;
  }

  /** The webhooks with claimed deliveries that have no free place for another one. */
  get fullWebhooks(): string[] {
    return [...this.#counts.keys()].filter((webhookId) => this.isFullFor(webhookId));
  }

  /** True if there is no free place for a webhook. */
  isFullFor(webhookId: string): boolean {
    return this.isFull || this.#countOf(webhookId).claimed >= this.#limits.each;
  }

  /** Counts a claimed delivery until {@link leave}. */
  countClaimed(webhookId: string): void {
    const count = this.#countOf(webhookId);
    this.#counts.set(webhookId, count);
    // A delivery beyond the limit of its webhook takes no place.
    if (count.claimed < this.#limits.each) this.#all.claimed += 1;
    count.claimed += 1;
  }

  /** Resolves when the request of a claimed delivery may start; the request counts as running from then on. */
  async enter(webhookId: string): Promise<void> {
    if (this.#mayStart(webhookId)) this.#countStart(webhookId);
    else await new Promise<void>((enter) => this.#waiting.push({ webhookId, enter }));
  }

  /** Ends a delivery that has entered, and admits the next waiting delivery for which there is a place. */
  leave(webhookId: string): void {
    const count = this.#countOf(webhookId);
    for (const counter of [count, this.#all]) counter.running -= 1;
    count.claimed -= 1;
    // As long as there are deliveries beyond the limit of the webhook, one of them inherits the place.
    if (count.claimed < this.#limits.each) this.#all.claimed -= 1;
    if (count.claimed === 0) this.#counts.delete(webhookId);
    const index = this.#waiting.findIndex((delivery) => this.#mayStart(delivery.webhookId));
    if (index < 0) return;
    const [next] = this.#waiting.splice(index, 1);
    this.#countStart(next!.webhookId);
    next!.enter();
  }

  #mayStart(webhookId: string): boolean {
    return this.#all.running < this.#limits.total && this.#countOf(webhookId).running < this.#limits.each;
  }

  #countStart(webhookId: string): void {
    this.#countOf(webhookId).running += 1;
    this.#all.running += 1;
  }

  #countOf(webhookId: string): Count {
    return this.#counts.get(webhookId) ?? { claimed: 0, running: 0 };
  }
}
