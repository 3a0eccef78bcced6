/** The most concurrent requests. */
export interface ConcurrencyLimits {
  total: number;
  /** For each webhook. */
  each: number;
}

interface Count {
  /** Claimed deliveries. */
  inHand: number;
  /** Running requests. */
  underWay: number;
}

/** Counts the claimed deliveries by webhook, and admits their requests up to the limits, first in, first out. */
export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits;
  readonly #counts = new Map<string, Count>();
  /** `inHand` counts only deliveries that take a place; see {@link places}. */
  readonly #all: Count = { inHand: 0, underWay: 0 };
  readonly #waiting: { webhookId: string; enter: () => void }[] = [];

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  /** Running requests. */
  get underWay(): number {
    return this.#all.underWay;
  }

  /**
   * Free places. A delivery beyond the limit of its webhook takes no place: it cannot start before a request to the
   * same webhook ends.
   */
  get places(): number {
    return this.#limits.total - this.#all.inHand;
  }

  /** Claimed deliveries by webhook; webhooks without any are absent. */
  get inHandOf(): Record<string, number> {
    return Object.fromEntries([...this.#counts].map(([webhookId, { inHand }]) => [webhookId, inHand]));
  }

  get isFull(): boolean {
    return this.places <= 0;
  }

  /** The webhooks that have no free place. */
  get full(): string[] {
    return [...this.#counts.keys()].filter((webhookId) => this.isFullFor(webhookId));
  }

  isFullFor(webhookId: string): boolean {
    return this.isFull || this.#countOf(webhookId).inHand >= this.#limits.each;
  }

  /** Counts a claimed delivery until {@link leave}. */
  take(webhookId: string): void {
    const count = this.#countOf(webhookId);
    this.#counts.set(webhookId, count);
    if (count.inHand < this.#limits.each) this.#all.inHand += 1;
    count.inHand += 1;
  }

  /** Resolves when the request of a claimed delivery may start. */
  async enter(webhookId: string): Promise<void> {
    if (this.#hasRoom(webhookId)) this.#begin(webhookId);
    else await new Promise<void>((enter) => this.#waiting.push({ webhookId, enter }));
  }

  /** Ends a delivery, and admits the longest waiting one for which there is a place. */
  leave(webhookId: string): void {
    const count = this.#countOf(webhookId);
    for (const each of [count, this.#all]) each.underWay -= 1;
    count.inHand -= 1;
    if (count.inHand < this.#limits.each) this.#all.inHand -= 1;
    if (count.inHand === 0) this.#counts.delete(webhookId);
    const index = this.#waiting.findIndex((one) => this.#hasRoom(one.webhookId));
    if (index < 0) return;
    const [next] = this.#waiting.splice(index, 1);
    this.#begin(next!.webhookId);
    next!.enter();
  }

  #hasRoom(webhookId: string): boolean {
    return this.#all.underWay < this.#limits.total && this.#countOf(webhookId).underWay < this.#limits.each;
  }

  #begin(webhookId: string): void {
    this.#countOf(webhookId).underWay += 1;
    this.#all.underWay += 1;
  }

  #countOf(webhookId: string): Count {
    return this.#counts.get(webhookId) ?? { inHand: 0, underWay: 0 };
  }
}
