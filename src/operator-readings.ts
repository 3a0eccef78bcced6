import type { Reading } from './http/watch/metrics.js';
import type { Tallies, Tally } from './kernel/tallies.js';

/** The counts of a tally, those that never happened among them: a rise from nothing could not be seen. */
export function fromZero(tallies: Tallies, name: string, known: readonly Tally['labels'][]): Reading[] {
  const counted = tallies.of(name);
  const isCounted = (labels: Tally['labels']) =>
    counted.some((count) => Object.entries(labels).every(([label, word]) => count.labels[label] === word));
  return [
    ...counted,
    ...known.filter((labels) => !isCounted(labels)).map((labels) => ({ labels, value: 0 })),
  ];
}

/** One reading for each of some values, by their names. */
export function readingsOf(label: string, values: Readonly<Record<string, number>>): Reading[] {
  return Object.entries(values).map(([word, value]) => ({ labels: { [label]: word }, value }));
}

/** How long ago an instant was, if there is one (epoch milliseconds). */
export function secondsSince(at: number | null, now: number): number {
  return at === null ? 0 : Math.max(0, now - at) / 1_000;
}

/** One answer for all who ask while it is under way. */
export function shared<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asking: Promise<Answer> | null = null;
  return () => {
    asking ??= ask().finally(() => (asking = null));
    return asking;
  };
}
