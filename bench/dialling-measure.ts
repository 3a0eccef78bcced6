/** How far away the calls are that only wait. */
export const IN_A_MONTH_MS = 30 * 86_400_000;
/** How far away the calls are that are measured, once all is ready. */
export const SOON_MS = 8_000;

/**
 * As many calls are dialled so often before they count: the compiler has much more to do for a service than for a
 * queue, and is then done with all that are compared.
 */
export const WARM_UPS = 1;

/** How much is measured, and how much waits beside it. */
export interface Sizes {
  calls: number;
  pending: number;
}

/** What came of a number of calls. */
export interface Measured {
  /** From the instant at which all were due until the last one was done. */
  seconds: number;
  /** For each, how long after its time; milliseconds. */
  latenessMs: number[];
  /** Processor time of the whole process meanwhile, all threads; microseconds. */
  cpuMicros: number;
  /** The same until nothing was left to do for any of them, where that is later. */
  over?: {
    seconds: number;
    cpuMicros: number;
    /** Of its database servers, which is not in it. */ serverMicros?: number;
  };
}

/** Microseconds of processor time that this process has used so far. */
export function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
