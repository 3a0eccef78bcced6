import type { Reading, Metric } from './exposition.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Tallies, Tally } from './tallies.js';

/** What the metrics of every module need besides the module itself. */
export interface MetricSources {
  clock: Clock;
  tallies: Tallies;
}

/**
 * A counter of what units of work have counted under its name.
 * @param counter.known labels that are shown with 0 before anything was counted; all have the same names
 */
export function tallied(
  { tallies }: Pick<MetricSources, 'tallies'>,
  counter: { name: string; help: string; known: readonly Tally['labels'][] },
): Metric {
  const { name, help, known } = counter;
  return {
    kind: 'counter',
    name,
    help,
    labelNames: Object.keys(known[0] ?? {}),
    read: () => fromZero(tallies.of(name), known),
  };
}

/** The labels of a counter with one label. */
export function each(label: string, words: readonly string[]): Tally['labels'][] {
  return words.map((word) => ({ [label]: word }));
}

/** The counts of a tally, and 0 for what has not happened: Prometheus sees no rise of a series that was not there. */
function fromZero(counted: readonly Reading[], known: readonly Tally['labels'][]): Reading[] {
  const isCounted = (labels: Tally['labels']) =>
    counted.some((count) => Object.entries(labels).every(([label, word]) => count.labels?.[label] === word));
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

/** Whoever asks while an answer is under way gets that one. */
export function shared<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asking: Promise<Answer> | null = null;
  return () => {
    asking ??= ask().finally(() => (asking = null));
    return asking;
  };
}
