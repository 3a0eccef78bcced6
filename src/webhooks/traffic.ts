/** What is under way to each webhook, and in all. */
export class Traffic {
  readonly #byWebhook = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /** By webhook; those with nothing under way are not named. */
  get inHand(): Record<string, number> {
    return Object.fromEntries(this.#byWebhook);
  }

  /** How much is under way to one webhook. */
  to(webhookId: string): number {
    return this.#byWebhook.get(webhookId) ?? 0;
  }

  /** Webhooks to which no more than `each` may be under way, and as many are. */
  full(each: number): string[] {
    return [...this.#byWebhook].filter(([, count]) => count >= each).map(([webhookId]) => webhookId);
  }

  begin(webhookId: string): void {
    this.#total += 1;
    this.#byWebhook.set(webhookId, this.to(webhookId) + 1);
  }

  end(webhookId: string): void {
    const left = this.to(webhookId) - 1;
    this.#total -= 1;
    if (left > 0) this.#byWebhook.set(webhookId, left);
    else this.#byWebhook.delete(webhookId);
  }
}
