const TIMES = 5;

/**
 * The processor time of some work in milliseconds: the minimum of several runs, as others include compilation and
 * garbage collection. Other processes do not count.
 */
export async function leastProcessorMs(work: () => unknown): Promise<number> {
  let least = Infinity;
  for (let time = 0; time < TIMES; time += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
