import type { Principal } from '#access/keys/principal.js';
import type { CallDefaults } from '#calls/requests/draft-call.js';
import type { CallRow } from '#calls/record/call.js';
import type { Moments } from '#calls/endings/moments.js';
import type { Clock } from '#kernel/time/clock.js';
import type { ClockTrust } from '#kernel/work/clock-watch.js';
import type { ScheduleFailpoint } from '#schedules/record/schedule-failpoints.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { OnSuppressed } from '#policy/suppressions/suppressions.js';
import type { Store } from '#store/store.js';
import { Scheduler } from '#schedules/runs/scheduling/scheduler.js';
import { SchedulerHealth } from '#schedules/runs/scheduling/scheduler-health.js';
import { ScheduleHandles } from './schedule-handles.js';
import { ScheduleCancellation } from '#schedules/changes/schedule-cancellation.js';
import { Schedules, type SchedulesParts } from './schedules.js';

/** What schedules need of the room of calls. */
export interface CallsForSchedules {
  readonly calls: {
    readonly defaults: CallDefaults;
    disconnect(principal: Principal, callId: string): Promise<unknown>;
  };
  readonly moments: Moments;
  nudgeDialler(dueAt: number): void;
  onOwnedEnd(listener: (call: CallRow) => void): void;
  tellEnd(call: CallRow): void;
  readonly suppressionEnforcer: { onSuppressed(listener: OnSuppressed): void };
}

export interface ScheduleServiceParts {
  store: Store;
  clock: Clock;
  clockTrust: ClockTrust;
  ids: Ids;
  log: Log;
  callService: CallsForSchedules;
  settings: { defaultTimezone: string; timeZoneVersion: string };
  /** What the policy goes by. */
  rules: PolicyRules;
  /** Whether notifications may be sent to an address. @throws Problem when not */
  checkReceiver(url: string): Promise<void>;
  failpoint?: ScheduleFailpoint | undefined;
}

/** Everything about schedules, put together: what can be asked of them, and the loops that move them. */
export class ScheduleService {
  readonly schedules: Schedules;
  /** Schedules as `/batch/scheduled-calls` knows them. */
  readonly handles: ScheduleHandles;
  readonly health: SchedulerHealth;
  readonly #scheduler: Scheduler;

  constructor(parts: ScheduleServiceParts) {
    const { store, clock, clockTrust, ids, log, callService, settings, rules, failpoint } = parts;
    const { timeZoneVersion, defaultTimezone } = settings;
    const { defaults } = callService.calls;
    const nudgeDialler = (dueAt: number) => callService.nudgeDialler(dueAt);
    this.#scheduler = new Scheduler({
      store,
      clock,
      clockTrust,
      log,
      defaults,
      timeZoneVersion,
      nudgeDialler,
      failpoint,
    });
    callService.onOwnedEnd((call) => this.#scheduler.callEnded(call));
    const cancellation = new ScheduleCancellation({ store, clock, log, rules });
    callService.suppressionEnforcer.onSuppressed((numbers) => cancellation.suppressed(numbers));
    const shared: SchedulesParts = {
      store,
      clock,
      ids,
      defaults,
      settings,
      rules,
      nudgeDialler,
      failpoint,
      moments: callService.moments,
      checkReceiver: (url) => parts.checkReceiver(url),
      nudgeScheduler: (dueAt) => this.#scheduler.nudge(dueAt),
      hangUp: (principal, callId) => callService.calls.disconnect(principal, callId),
      tellEnd: (call) => callService.tellEnd(call),
    };
    this.schedules = new Schedules(shared);
    this.handles = new ScheduleHandles(shared);
    this.health = new SchedulerHealth({
      store,
      clock,
      clockTrust,
      scheduler: this.#scheduler,
      defaultTimezone,
    });
  }

  start(): void {
    this.#scheduler.start();
  }

  /** Makes no further call; what is in hand is finished. Harmless twice. */
  stop(): Promise<void> {
    return this.#scheduler.stop();
  }

  /** For how long the first run that nobody has begun has been due, in milliseconds. */
  async lagMs(): Promise<number> {
    return (await this.#scheduler.progress()).lagMs;
  }

  /** Whether schedules that are due are run; rejects when they are not. */
  async check(): Promise<void> {
    const { isAlive } = await this.#scheduler.progress();
    if (!isAlive) throw new Error('the scheduler does not turn');
  }
}
