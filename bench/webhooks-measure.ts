/** How much is sent in a round. */
export interface Sizes {
  events: number;
}

/** What a process that sends did. */
export interface Sent {
  seconds: number;
  /** Processor time of all its threads. */
  cpuSeconds: number;
}

/** The value below which this share of all lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Does something and says what it took. */
export async function measured(task: () => Promise<void>): Promise<Sent> {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  await task();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - startedMs) / 1_000, cpuSeconds: (user + system) / 1e6 };
}
