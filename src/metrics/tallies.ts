/**
 * What tells the counts of one tally apart, such as `{ result: 'placed' }`; a few words, never anything of a person.
 */
export type TallyLabels = Readonly<Record<string, string>>;

/** Things that happened and are counted, by the name of the tally. */
export interface Tally {
  name: string;
  labels: TallyLabels;
}

/** Counts of what has happened since the process began: they only grow. */
export class Tallies {
  readonly #counts = new Map<string, Map<string, { labels: TallyLabels; value: number }>>();

  /** Counts one more. */
  add({ name, labels }: Tally): void {
    const counts = this.#counts.get(name) ?? new Map<string, { labels: TallyLabels; value: number }>();
    this.#counts.set(name, counts);
    const key = JSON.stringify(labels);
    const count = counts.get(key);
    if (count) count.value += 1;
    else counts.set(key, { labels, value: 1 });
  }

  /** How often each thing of a tally has happened; nothing for what never did. */
  of(name: string): { labels: TallyLabels; value: number }[] {
    return [...(this.#counts.get(name)?.values() ?? [])];
  }
}
