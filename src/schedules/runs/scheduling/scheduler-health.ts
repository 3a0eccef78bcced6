import { z } from 'zod';
import type { ModuleContext } from '#store/module-context.js';
import { toInstantOrNull } from '#kernel/time/clock.js';
import type { ClockDoubt } from '#kernel/work/clock-watch.js';
import { instantOut } from '#kernel/input/fields.js';
import { resolveLocalTime } from '#kernel/time/local-time.js';
import { localMsAt } from '#kernel/time/time-zone.js';
import { LATE_AFTER_MS } from '#schedules/runs/executions/run-counters.js';
import { schedulerTransactions, type SchedulerFacts } from './scheduler-store.js';
import type { Scheduler } from './scheduler.js';

const DAY_MS = 86_400_000;
/** With more schedules than this in a workspace, counting is expensive: the counts are cached for `CACHE_MS`. */
const MANY_SCHEDULES = 10_000;
const CACHE_MS = 10_000;

/** The dependencies of {@link SchedulerHealth}. */
interface HealthContext extends Pick<ModuleContext, 'store' | 'clock' | 'clockTrust'> {
  scheduler: Scheduler;
  defaultTimezone: string;
}

/** Response of `GET /api/scheduler/health` (docs/operations.md). */
export const schedulerHealth = z
  .object({
    status: z.enum(['healthy', 'degraded', 'unhealthy']),
    scheduled_calls_pending: z.int().meta({ description: 'Schedules that wait for their next run.' }),
    scheduled_calls_total: z.int().meta({ description: 'All schedules, whatever their state.' }),
    last_execution: instantOut
      .nullable()
      .meta({ description: 'When a run last began; null before the first.' }),
    failed_executions_today: z.int().meta({ description: 'Failed or missed since midnight in `timezone`.' }),
    next_execution: instantOut.nullable(),
    lag_ms: z.int().meta({ description: 'For how long the oldest execution has been due.' }),
    timezone: z.string().meta({ description: 'The default time zone.' }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why the status is not `healthy`, in words; null when it is.' }),
  })
  .meta({
    id: 'SchedulerHealth',
    description: 'How the scheduler is doing.',
    examples: [
      {
        status: 'healthy',
        scheduled_calls_pending: 12,
        scheduled_calls_total: 340,
        last_execution: '2026-11-21T00:00:00.412Z',
        failed_executions_today: 0,
        next_execution: '2026-11-21T00:05:00.000Z',
        lag_ms: 0,
        timezone: 'UTC',
        reason: null,
      },
    ],
  });

type SchedulerReport = z.infer<typeof schedulerHealth>;

/** Reports the health of the scheduler to a workspace, for `GET /api/scheduler/health`. */
export class SchedulerHealth {
  readonly #parts: HealthContext;
  /** The counts of workspaces with many schedules, by workspace. `atMs`: when they were read (monotonic). */
  readonly #cache = new Map<string, { atMs: number; facts: SchedulerFacts }>();

  constructor(parts: HealthContext) {
    this.#parts = parts;
  }

  async report(workspace: string): Promise<SchedulerReport> {
    const facts = await this.#facts(workspace);
    const { status, reason, lag_ms } = await this.#condition();
    return {
      status,
      scheduled_calls_pending: facts.pending,
      scheduled_calls_total: facts.total,
      last_execution: toInstantOrNull(facts.lastExecutionAt),
      failed_executions_today: facts.failedToday,
      next_execution: toInstantOrNull(facts.nextRunAt),
      lag_ms,
      timezone: this.#parts.defaultTimezone,
      reason,
    };
  }

  /** The state of the scheduler's loop and clock. */
  async #condition(): Promise<Pick<SchedulerReport, 'status' | 'reason' | 'lag_ms'>> {
    const { isAlive, lagMs } = await this.#parts.scheduler.progress();
    const { doubt } = this.#parts.clockTrust;
    if (!isAlive) return { status: 'unhealthy', reason: 'The scheduler does not turn.', lag_ms: lagMs };
    if (doubt) return { status: 'degraded', reason: jumpReason(doubt), lag_ms: lagMs };
    if (lagMs > LATE_AFTER_MS)
      return { status: 'degraded', reason: 'Calls that are due wait to be begun.', lag_ms: lagMs };
    return { status: 'healthy', reason: null, lag_ms: lagMs };
  }

  /** The counts of a workspace, from the cache if it has many schedules. */
  async #facts(workspace: string): Promise<SchedulerFacts> {
    const { store, clock } = this.#parts;
    const cached = this.#cache.get(workspace);
    if (cached && clock.monotonicMs() - cached.atMs < CACHE_MS) return cached.facts;
    const facts = await store.read(schedulerTransactions.facts, {
      workspace,
      dayStartedAt: this.#midnight(),
    });
    if (facts.total > MANY_SCHEDULES) this.#cache.set(workspace, { atMs: clock.monotonicMs(), facts });
    else this.#cache.delete(workspace);
    return facts;
  }

  /** The start of today in the default time zone (epoch milliseconds). */
  #midnight(): number {
    const { clock, defaultTimezone: zone } = this.#parts;
    const wallMs = localMsAt(zone, clock.wallMs());
    return resolveLocalTime(wallMs - (wallMs % DAY_MS), zone).epochMs;
  }
}

/** The sentence for a clock that has jumped. */
function jumpReason({ aheadMs }: ClockDoubt): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  const direction = aheadMs > 0 ? 'ahead' : 'back';
  return `The clock has jumped ${direction} by ${seconds} seconds: calls with a time of their own wait until it is back, or has kept the new time for a minute.`;
}
