import type { ModuleContext } from '#store/module-context.js';
import type { IdempotentAnswer } from '#idempotency/idempotency-store.js';
import type { Principal } from '#access/keys/principal.js';
import { requireOwnCallerId } from '#agents/phone-numbers/caller-id.js';
import type { CallRow } from '#calls/record/call.js';
import type { CallDefaults } from '#calls/requests/draft-call.js';
import type { TxContexts } from '#calls/endings/tx-contexts.js';
import { newWebhookSecret } from '#webhooks/registrations/notification-target.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Cursor, Page } from '#store/page.js';
import { toHistoryEntry, type HistoryEntry } from '#schedules/runs/executions/execution-resource.js';
import { occurrences, planRequestedTime } from '#schedules/runs/executions/plan.js';
import {
  contextOf,
  type OneTimeRequest,
  type RecurringRequest,
  type ScheduleUpdate,
} from '#schedules/record/schedule-request.js';
import {
  nextInstants,
  toScheduleResource,
  toWholeSchedule,
  type ScheduleRecord,
  type ScheduleResource,
  type Triggered,
} from './schedule-resource.js';
import { newSchedule, type Plan } from '#schedules/record/new-schedule.js';
import type { ScheduleFilter, ScheduleOrder } from './schedule-filter.js';
import { scheduleTransactions } from './schedule-store.js';
import type { ScheduleRow } from '#schedules/record/schedule.js';
import { stopWithCalls } from './stop-schedule.js';

/** The dependencies of {@link Schedules}. */
export interface SchedulesContext extends Pick<ModuleContext, 'store' | 'clock' | 'ids'> {
  txContexts: TxContexts;
  defaults: CallDefaults;
  settings: { defaultTimezone: string; planningHorizonDays: number; timeZoneVersion: string };
  /** The rules of the policy from the settings, such as calling hours and attempt limits. */
  rules: PolicyRules;
  /** Checks that notifications may be sent to an address. @throws Problem if not */
  checkReceiver(url: string): Promise<void>;
  /** Wakes the scheduler for an instant (epoch milliseconds). */
  wakeScheduler(dueAt: number): void;
  /** Wakes the dialler for an instant (epoch milliseconds). */
  wakeDialler(dueAt: number): void;
  /** Hangs up a live call. */
  hangUp(principal: Principal, callId: string): Promise<unknown>;
  /** Announces the end of a call that a command of this module has ended. */
  announceEnd(call: CallRow): void;
}

/**
 * The commands on schedules, for the HTTP routes. An unknown id, or an id of another workspace, is the problem
 * `scheduled_call_not_found`.
 */
export class Schedules {
  readonly #parts: SchedulesContext;

  constructor(parts: SchedulesContext) {
    this.#parts = parts;
  }

  /** Creates a one-time schedule. @throws Problem `invalid_time`, or as `#create` */
  createOnce(
    principal: Principal,
    request: OneTimeRequest,
    answer: IdempotentAnswer | null,
  ): Promise<ScheduleResource> {
    const now = this.#parts.clock.wallMs();
    const timezone = request.timezone ?? this.#parts.settings.defaultTimezone;
    const { scheduledAt, adjusted } = planRequestedTime(request.scheduled_time, timezone, {
      now,
      horizonDays: this.#parts.settings.planningHorizonDays,
    });
    const plan: Plan = {
      kind: 'one_time',
      timezone,
      scheduled_time: request.scheduled_time,
      scheduled_at: scheduledAt,
      dst_adjusted: adjusted,
      cron_expression: null,
      max_occurrences: null,
      // A time in the recent past is due now.
      next_run_at: Math.max(scheduledAt, now),
    };
    return this.#create(principal, request, plan, { now, answer });
  }

  /** Creates a recurring schedule. @throws Problem `invalid_cron_expression`, or as `#create` */
  createRecurring(
    principal: Principal,
    request: RecurringRequest,
    answer: IdempotentAnswer | null,
  ): Promise<ScheduleResource> {
    const now = this.#parts.clock.wallMs();
    const timezone = request.timezone ?? this.#parts.settings.defaultTimezone;
    const plan: Plan = {
      kind: 'recurring',
      timezone,
      scheduled_time: null,
      scheduled_at: null,
      dst_adjusted: null,
      cron_expression: request.cron_expression,
      max_occurrences: request.max_occurrences ?? null,
      next_run_at: occurrences(request.cron_expression, timezone, now, 1)[0]!,
    };
    return this.#create(principal, request, plan, { now, answer });
  }

  /** One schedule; a recurring one with its next occurrences. */
  async get(principal: Principal, id: string): Promise<ScheduleResource> {
    return toWholeSchedule(await this.#record(principal, id));
  }

  /** A page of schedules. */
  async list(
    filter: ScheduleFilter,
    page: { order: ScheduleOrder; cursor: Cursor | null; limit: number },
  ): Promise<Page<ScheduleResource>> {
    const { items, next } = await this.#parts.store.read(scheduleTransactions.list, { filter, ...page });
    return { items: items.map(toScheduleResource), next };
  }

  /** Changes fields of a schedule; see `changeSchedule`. */
  async update(principal: Principal, id: string, update: ScheduleUpdate): Promise<ScheduleResource> {
    const { store, clock, ids, settings, rules } = this.#parts;
    if (update.webhook_url) await this.#parts.checkReceiver(update.webhook_url);
    await this.#requireOwnCallerId(principal, update.from_phone);
    const { webhookSecret, ...record } = await store.write(scheduleTransactions.update, {
      workspace: principal.workspace,
      id,
      update,
      context: {
        at: clock.wallMs(),
        timeZoneVersion: settings.timeZoneVersion,
        horizonDays: settings.planningHorizonDays,
        rules,
        target: { webhookId: ids.next('wh'), secret: newWebhookSecret(ids) },
      },
    });
    this.#wake(record.schedule);
    return toWholeSchedule(record, { webhookSecret });
  }

  /** Pauses a schedule and cancels its undialled calls. @throws Problem `invalid_state` if it is in progress or over */
  async pause(principal: Principal, id: string): Promise<ScheduleResource> {
    const { store, clock } = this.#parts;
    const key = { workspace: principal.workspace, id };
    const stopped = await stopWithCalls(this.#parts, key, (ends) =>
      store.write(scheduleTransactions.pause, { ...key, at: clock.wallMs(), ends }),
    );
    return toWholeSchedule(stopped);
  }

  /** Resumes a paused schedule. @throws Problem `invalid_state` if it is in progress or over */
  async resume(principal: Principal, id: string): Promise<ScheduleResource> {
    const at = this.#parts.clock.wallMs();
    const { workspace } = principal;
    const record = await this.#parts.store.write(scheduleTransactions.resume, { workspace, id, at });
    this.#wake(record.schedule);
    return toWholeSchedule(record);
  }

  /** Cancels a schedule and its undialled calls. `hangUp`: also ends live calls. `purge`: also deletes the schedule. */
  async cancel(
    principal: Principal,
    id: string,
    options: { hangUp: boolean; purge: boolean },
  ): Promise<ScheduleResource> {
    const { store, clock, hangUp } = this.#parts;
    const { purge } = options;
    const key = { workspace: principal.workspace, id };
    const stopped = await stopWithCalls(this.#parts, key, (ends) =>
      store.write(scheduleTransactions.cancel, { ...key, at: clock.wallMs(), ends, purge }),
    );
    if (options.hangUp) await Promise.all(stopped.liveCallIds.map((callId) => hangUp(principal, callId)));
    return toWholeSchedule(stopped);
  }

  /** Starts an extra run now. @throws Problem as `triggerSchedule` */
  async trigger(principal: Principal, id: string, answer: IdempotentAnswer | null): Promise<Triggered> {
    const { store, clock, defaults, rules, wakeDialler } = this.#parts;
    const at = clock.wallMs();
    const key = { workspace: principal.workspace, id };
    const triggered = await store.write(scheduleTransactions.trigger, {
      ...key,
      at,
      defaults,
      rules,
      answer,
    });
    wakeDialler(at);
    return triggered;
  }

  /** One page of a schedule's executions, oldest first. */
  async history(
    principal: Principal,
    id: string,
    page: { cursor: Cursor | null; limit: number; after?: number; before?: number },
  ): Promise<Page<HistoryEntry>> {
    const { workspace } = principal;
    const found = await this.#parts.store.read(scheduleTransactions.history, { workspace, id, ...page });
    return { items: found.items.map(toHistoryEntry), next: found.next };
  }

  /** The next instants of a schedule, at most `count`; empty while it is paused, in progress or over. */
  async nextRuns(
    principal: Principal,
    id: string,
    count: number,
  ): Promise<{ timezone: string; instants: number[] }> {
    const { schedule } = await this.#record(principal, id);
    return { timezone: schedule.timezone, instants: nextInstants(schedule, count) };
  }

  #record(principal: Principal, id: string): Promise<ScheduleRecord> {
    return this.#parts.store.read(scheduleTransactions.get, { workspace: principal.workspace, id });
  }

  /**
   * Checks and stores a new schedule, and wakes the scheduler for it.
   * @throws Problem for an unknown agent (`agent_not_found`), or a receiver, caller id, provider, variable or call
   *   window that the service refuses
   */
  async #create(
    principal: Principal,
    request: OneTimeRequest | RecurringRequest,
    plan: Plan,
    { now, ...kept }: { now: number; answer: IdempotentAnswer | null },
  ): Promise<ScheduleResource> {
    const { store, ids, settings, rules, checkReceiver, wakeScheduler, defaults } = this.#parts;
    if (request.webhook_url !== undefined) await checkReceiver(request.webhook_url);
    await this.#requireOwnCallerId(principal, request.from_phone);
    const target =
      request.webhook_url === undefined ? null : { webhookId: ids.next('wh'), secret: newWebhookSecret(ids) };
    const normalised = { ...request, customer_context: contextOf(request) ?? {} };
    const schedule = newSchedule(normalised, plan, {
      id: ids.next('sched'),
      workspace: principal.workspace,
      webhookId: target?.webhookId ?? null,
      timeZoneVersion: settings.timeZoneVersion,
      at: now,
    });
    const resource = await store.write(scheduleTransactions.create, {
      schedule,
      target,
      ...kept,
      rules,
      providers: defaults.providers,
    });
    wakeScheduler(schedule.next_run_at!);
    return resource;
  }

  #requireOwnCallerId({ workspace }: Principal, phoneNumber: string | null | undefined): Promise<void> {
    return requireOwnCallerId(this.#parts, { workspace, phoneNumber, field: 'from_phone' });
  }

  /** Wakes the scheduler for the next run of an active schedule. */
  #wake(schedule: ScheduleRow): void {
    if (schedule.status === 'scheduled' && schedule.next_run_at !== null)
      this.#parts.wakeScheduler(schedule.next_run_at);
  }
}
