/** The labels of a counter, such as `{ result: 'placed' }`: words from a fixed set, never personal data. */
export type CounterLabels = Readonly<Record<string, string>>;

/** One increment of a counter. */
export interface Increment {
  name: string;
  labels: CounterLabels;
}

/**
 * The counters of the process, from 0 at its start, for `/metrics`. Transactions of the store increment them when they
 * commit, some modules directly; `readings.ts` makes metrics from them.
 */
export class Counters {
  readonly #counts = new Map<string, Map<string, { labels: CounterLabels; value: number }>>();

  /** Increments a counter by 1. */
  add({ name, labels }: Increment): void {
    const counts = this.#counts.get(name) ?? new Map<string, { labels: CounterLabels; value: number }>();
    this.#counts.set(name, counts);
    const key = JSON.stringify(labels);
    const count = counts.get(key);
    if (count) count.value += 1;
    else counts.set(key, { labels, value: 1 });
  }

  /** The values of a counter, for each combination of labels that was ever counted. */
  of(name: string): { labels: CounterLabels; value: number }[] {
    return [...(this.#counts.get(name)?.values() ?? [])];
  }
}
