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

/** Does something and says what it took. */
export async function measured(task: () => Promise<void>): Promise<Sent> {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  await task();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - startedMs) / 1_000, cpuSeconds: (user + system) / 1e6 };
}
