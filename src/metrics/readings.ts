import type { Reading, Metric } from './exposition.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Counters, Increment } from './counters.js';

/**
 * Helpers with which modules describe their metrics, as in `call-metrics.ts` and `webhook-metrics.ts`. `exposition.ts`
 * shows the metrics at `/metrics`.
 */

/** The dependencies of the metrics of every module, in addition to those of the module. */
export interface MetricSources {
  clock: Clock;
  counters: Counters;
}

/**
 * Makes a metric from a counter of {@link Counters} with the same name.
 * @param counter.known sets of labels that are shown as 0 before their first count; all have the same label names
 */
export function counterMetric(
  { counters }: Pick<MetricSources, 'counters'>,
  counter: { name: string; help: string; known: readonly Increment['labels'][] },
): Metric {
  const { name, help, known } = counter;
  return {
    kind: 'counter',
    name,
    help,
    labelNames: Object.keys(known[0] ?? {}),
    read: () => fromZero(counters.of(name), known),
  };
}

/** One set of labels for each word, for a counter with a single label. */
export function labelsFor(label: string, words: readonly string[]): Increment['labels'][] {
  return words.map((word) => ({ [label]: word }));
}

/**
 * The counted values, and 0 for known labels without a count: Prometheus sees no increase in a series that begins at 1.
 */
function fromZero(counted: readonly Reading[], known: readonly Increment['labels'][]): Reading[] {
  const isCounted = (labels: Increment['labels']) =>
    counted.some((count) => Object.entries(labels).every(([label, word]) => count.labels?.[label] === word));
  return [
    ...counted,
    ...known.filter((labels) => !isCounted(labels)).map((labels) => ({ labels, value: 0 })),
  ];
}

/** One reading for each of the named values; the label `label` holds the name. */
export function readingsOf(label: string, values: Readonly<Record<string, number>>): Reading[] {
  return Object.entries(values).map(([word, value]) => ({ labels: { [label]: word }, value }));
}

/** Seconds from an instant to now (both epoch milliseconds); 0 without an instant, and for a future one. */
export function secondsSince(at: number | null, now: number): number {
  return at === null ? 0 : Math.max(0, now - at) / 1_000;
}

/** Wraps an async function so that concurrent calls share one execution, for metrics that come from one query. */
export function shareConcurrent<Answer>(read: () => Promise<Answer>): () => Promise<Answer> {
  let running: Promise<Answer> | null = null;
  return () => {
    running ??= read().finally(() => (running = null));
    return running;
  };
}
