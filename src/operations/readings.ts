import type { Reading, Shown } from '../http/watch/metrics.js';
import type { Clock } from '../kernel/time/clock.js';
import type { Tally } from '../kernel/measuring/tallies.js';
import type { StoreMeter } from '../store/store-meter.js';

/** What the numbers of all rooms are read with. */
export interface Instruments {
  clock: Clock;
  meter: StoreMeter;
}

/**
 * A counter of what units of work have counted under its name.
 * @param known labels of which at least one count is to be shown; all have the same names
 */
export function tallied(
  { meter }: Pick<Instruments, 'meter'>,
  counter: { name: string; help: string; known: readonly Tally['labels'][] },
): Shown {
  const { name, help, known } = counter;
  return {
    kind: 'counter',
    name,
    help,
    labelNames: Object.keys(known[0] ?? {}),
    read: () => fromZero(meter.tallies.of(name), known),
  };
}

/** The labels of a counter with one label. */
export function each(label: string, words: readonly string[]): Tally['labels'][] {
  return words.map((word) => ({ [label]: word }));
}

/** The counts of a tally, those that never happened among them: a rise from nothing could not be seen. */
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

/** One answer for all who ask while it is under way. */
export function shared<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asking: Promise<Answer> | null = null;
  return () => {
    asking ??= ask().finally(() => (asking = null));
    return asking;
  };
}
