import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

const PERIOD_MS = 20;
/** Several timers in different phases: a short round gives enough ticks for a percentile. */
const TIMERS = 5;

/** What a thread's timers went through since they were last asked. */
export interface Lateness {
  /** How long after its 20 ms each tick came. */
  lateMs: number[];
  /** Node's own measure of the same thread, without its 20 ms. */
  loopDelayP99Ms: number;
  /** Share of the time in which the thread was not idle. */
  utilization: number;
}

/** Keeps 20 ms timers on this thread, as live audio does, and notes how late each tick is. */
export function watchLateness(): () => Lateness {
  let lateMs: number[] = [];
  const tick = (dueMs: number) => {
    const nowMs = performance.now();
    lateMs.push(nowMs - dueMs);
    arm(nowMs + PERIOD_MS);
  };
  const arm = (dueMs: number) => setTimeout(tick, PERIOD_MS, dueMs);
  for (let i = 0; i < TIMERS; i++) {
    setTimeout(() => arm(performance.now() + PERIOD_MS), (i * PERIOD_MS) / TIMERS);
  }
  const loopDelay = monitorEventLoopDelay({ resolution: PERIOD_MS });
  loopDelay.enable();
  let utilization = performance.eventLoopUtilization();
  return () => {
    const lateness = {
      lateMs,
      loopDelayP99Ms: loopDelay.percentile(99) / 1e6 - PERIOD_MS,
      utilization: performance.eventLoopUtilization(utilization).utilization,
    };
    utilization = performance.eventLoopUtilization();
    lateMs = [];
    loopDelay.reset();
    return lateness;
  };
}

/** The same, and what the process used. */
export interface Usage extends Lateness {
  cpuMicros: number;
}

/** {@link watchLateness}, with the processor time of all threads since it was last asked. */
export function watchUsage(): () => Usage {
  const lateness = watchLateness();
  let last = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    return { ...lateness(), cpuMicros: user + system };
  };
}
