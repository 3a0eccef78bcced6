/** How many requests may be under way at once. */
export interface ConcurrencyLimits {
  total: number;
  /** To one webhook. */
  each: number;
}

interface Count {
  inHand: number;
  underWay: number;
}

/**
 * What is in hand for each webhook and in all: under way, as much as the limits allow, or waiting for its turn, the
 * first come first.
 */
export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits;
  readonly #counts = new Map<string, Count>();
  /** In hand is counted here what takes a place; see {@link places}. */
  readonly #all: Count = { inHand: 0, underWay: 0 };
  readonly #waiting: { webhookId: string; enter: () => void }[] = [];

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  /** Requests under way. */
  get underWay(): number {
    return this.#all.underWay;
  }

  /**
   * How many more may be in hand. What waits behind requests to its own webhook takes nobody's place: it cannot begin
   * before one of those ends.
   */
  get places(): number {
    return this.#limits.total - this.#all.inHand;
  }

  /** What is in hand by webhook; those with nothing are not named. */
  get inHandOf(): Record<string, number> {
    return Object.fromEntries([...this.#counts].map(([webhookId, { inHand }]) => [webhookId, inHand]));
  }

  /** Whether as much is in hand as may be under way at once. */
  get isFull(): boolean {
    return this.places <= 0;
  }

  /** The webhooks for which that is so. */
  get full(): string[] {
    return [...this.#counts.keys()].filter((webhookId) => this.isFullFor(webhookId));
  }

  isFullFor(webhookId: string): boolean {
    return this.isFull || this.#countOf(webhookId).inHand >= this.#limits.each;
  }

  /** Now it is in hand, until it {@link leave}s. */
  take(webhookId: string): void {
    const count = this.#countOf(webhookId);
    this.#counts.set(webhookId, count);
    if (count.inHand < this.#limits.each) this.#all.inHand += 1;
    count.inHand += 1;
  }

  /** Resolves when its request may be under way. */
  async enter(webhookId: string): Promise<void> {
    if (this.#hasRoom(webhookId)) this.#begin(webhookId);
    else await new Promise<void>((enter) => this.#waiting.push({ webhookId, enter }));
  }

  /** It is over; who waits longest of those that there is room for enters. */
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
