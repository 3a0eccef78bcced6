import type { Principal } from '#access/keys/principal.js';
import { newWebhookSecret } from '#webhooks/registrations/notification-target.js';
import { scheduleHandleTransactions, type ScheduleHandleRecord } from './schedule-handle-store.js';
import type { ScheduleStatus } from '#schedules/record/schedule-machine.js';
import type { ScheduleUpdate } from '#schedules/record/schedule-request.js';
import type { SchedulesContext } from './schedules.js';
import type { StatusWord } from '#schedules/record/status-words.js';
import { stopWithCalls } from './stop-schedule.js';

/** Body of an update under `/batch/scheduled-calls` (openapi.json). */
export interface HandleUpdate {
  name?: string | undefined;
  from_number?: string | undefined;
  scheduled_time?: string | undefined;
  timezone?: string | undefined;
  /** The word as sent. */
  status?: StatusWord | undefined;
}

const PREFIX = 'sched_';

/** The commands on schedules under `/batch/scheduled-calls/{call_id}`, which accepts the ids of schedules, too. */
export class ScheduleHandles {
  readonly #parts: SchedulesContext;

  constructor(parts: SchedulesContext) {
    this.#parts = parts;
  }

  /** True for an id with the prefix of schedules; the schedule need not exist. */
  isScheduleId(id: string): boolean {
    return id.startsWith(PREFIX);
  }

  /** The schedule of a handle. @throws Problem `scheduled_call_not_found` */
  find({ workspace }: Principal, id: string): Promise<ScheduleHandleRecord> {
    return this.#parts.store.read(scheduleHandleTransactions.find, { workspace, id });
  }

  /**
   * Changes a schedule: its name, caller id, time, zone, and by a status word its status. Live calls that the change
   * ends are hung up.
   * @throws Problem `scheduled_call_not_found`, `invalid_time`, `invalid_state`, `validation_error`
   */
  async update(principal: Principal, id: string, change: HandleUpdate): Promise<ScheduleHandleRecord> {
    const { store, clock, ids, settings, rules, wakeScheduler } = this.#parts;
    const update: Partial<ScheduleUpdate> = {
      name: change.name,
      from_phone: change.from_number,
      scheduled_time: change.scheduled_time,
      timezone: change.timezone,
    };
    const named = { workspace: principal.workspace, id };
    const target = { webhookId: ids.next('wh'), secret: newWebhookSecret(ids) };
    const { liveCallIds, ...record } = await stopWithCalls(this.#parts, named, (ends) =>
      store.write(scheduleHandleTransactions.change, {
        ...named,
        update,
        word: change.status ?? null,
        context: {
          at: clock.wallMs(),
          timeZoneVersion: settings.timeZoneVersion,
          horizonDays: settings.planningHorizonDays,
          rules,
          target,
        },
        ends,
      }),
    );
    await this.#hangUp(principal, liveCallIds);
    if (record.schedule.next_run_at !== null) wakeScheduler(record.schedule.next_run_at);
    return record;
  }

  /**
   * Deletes the handle, cancels the schedule and hangs up its live calls. The schedule stays readable at its own path.
   * @throws Problem `scheduled_call_not_found`
   */
  async remove(principal: Principal, id: string): Promise<{ status: ScheduleStatus }> {
    const { store, clock } = this.#parts;
    const named = { workspace: principal.workspace, id };
    const { status, liveCallIds } = await stopWithCalls(this.#parts, named, (ends) =>
      store.write(scheduleHandleTransactions.remove, { ...named, at: clock.wallMs(), ends }),
    );
    await this.#hangUp(principal, liveCallIds);
    return { status };
  }

  async #hangUp(principal: Principal, callIds: readonly string[]): Promise<void> {
    await Promise.all(callIds.map((callId) => this.#parts.hangUp(principal, callId)));
  }
}
