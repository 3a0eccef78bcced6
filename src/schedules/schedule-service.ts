import type { ModuleContext } from '#store/module-context.js';
import type { Principal } from '#access/keys/principal.js';
import type { CallDefaults } from '#calls/requests/draft-call.js';
import type { CallRow } from '#calls/record/call.js';
import type { TxContexts } from '#calls/endings/tx-contexts.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { OnSuppressed } from '#policy/suppressions/suppressions.js';
import { Scheduler } from '#schedules/runs/scheduling/scheduler.js';
import { SchedulerHealth } from '#schedules/runs/scheduling/scheduler-health.js';
import { ScheduleHandles } from './schedule-handles.js';
import { ScheduleCancellation } from '#schedules/changes/schedule-cancellation.js';
import { Schedules, type SchedulesContext } from './schedules.js';

/** The port through which schedules use the calls module; `CallService` implements it. */
export interface CallsForSchedules {
  readonly calls: {
    readonly defaults: CallDefaults;
    disconnect(principal: Principal, callId: string): Promise<unknown>;
  };
  readonly txContexts: TxContexts;
  wakeDialler(dueAt: number): void;
  onCallEnd(listener: (call: CallRow) => void): void;
  announceEnd(call: CallRow): void;
  readonly suppressionEnforcer: { onSuppressed(listener: OnSuppressed): void };
}

/** The dependencies of {@link ScheduleService}. */
export interface ScheduleServiceContext extends Pick<
  ModuleContext,
  'store' | 'clock' | 'clockTrust' | 'ids' | 'log'
> {
  callService: CallsForSchedules;
  settings: { defaultTimezone: string; planningHorizonDays: number; timeZoneVersion: string };
  /** The rules of the policy. */
  rules: PolicyRules;
  /** Checks that notifications may be sent to an address. @throws Problem if not */
  checkReceiver(url: string): Promise<void>;
}

/**
 * The schedules module: commands on schedules, and the loops that run them and settle the ends of their calls. The
 * composition root (`src/app`) creates one service per process.
 */
export class ScheduleService {
  readonly schedules: Schedules;
  /** Schedules under `/batch/scheduled-calls`. */
  readonly handles: ScheduleHandles;
  readonly health: SchedulerHealth;
  readonly #scheduler: Scheduler;

  constructor(parts: ScheduleServiceContext) {
    const { store, clock, clockTrust, ids, log, callService, settings, rules } = parts;
    const { timeZoneVersion, defaultTimezone } = settings;
    const { defaults } = callService.calls;
    const wakeDialler = (dueAt: number) => callService.wakeDialler(dueAt);
    this.#scheduler = new Scheduler({
      store,
      clock,
      clockTrust,
      log,
      defaults,
      timeZoneVersion,
      wakeDialler,
    });
    callService.onCallEnd((call) => this.#scheduler.callEnded(call));
    const cancellation = new ScheduleCancellation({ store, clock, log, rules });
    callService.suppressionEnforcer.onSuppressed((numbers) => cancellation.cancelAllOf(numbers));
    const shared: SchedulesContext = {
      store,
      clock,
      ids,
      defaults,
      settings,
      rules,
      wakeDialler,
      txContexts: callService.txContexts,
      checkReceiver: (url) => parts.checkReceiver(url),
      wakeScheduler: (dueAt) => this.#scheduler.wake(dueAt),
      hangUp: (principal, callId) => callService.calls.disconnect(principal, callId),
      announceEnd: (call) => callService.announceEnd(call),
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

  /** Stops making calls; transactions in progress complete. May be called twice. */
  stop(): Promise<void> {
    return this.#scheduler.stop();
  }

  /** For how many milliseconds the oldest unstarted run has been due; 0 if none is. */
  async lagMs(): Promise<number> {
    return (await this.#scheduler.progress()).lagMs;
  }

  /** Readiness check: rejects if the scheduler's loop is dead. */
  async check(): Promise<void> {
    const { isAlive } = await this.#scheduler.progress();
    if (!isAlive) throw new Error('the scheduler does not turn');
  }
}
