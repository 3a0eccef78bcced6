import type { Principal } from '../access/principal.js';
import { ENDED_REASON_NAMES, unreachedError } from '../calls/record/ended-reason.js';
import { newWebhookSecret } from '../events/notification-target.js';
import { toInstant } from '../kernel/clock.js';
import { scheduleHandleUnits, type ScheduleHandleRecord } from './schedule-handle-store.js';
import type { ScheduleUpdate } from './record/schedule-request.js';
import type { SchedulesParts } from './schedules.js';
import { inChosenWord, type StatusWord } from './record/status-words.js';
import { stopWithCalls } from './stop-schedule.js';

/** What may be changed under `/batch/scheduled-calls` (Interface: Scheduled call update request). */
export interface HandleUpdate {
  name?: string | undefined;
  from_number?: string | undefined;
  scheduled_time?: string | undefined;
  timezone?: string | undefined;
  /** The word as it was sent. */
  status?: StatusWord | undefined;
}

const PREFIX = 'sched_';

/** Schedules under `/batch/scheduled-calls/{call_id}`, where every handle that was given out is understood. */
export class ScheduleHandles {
  readonly #parts: SchedulesParts;

  constructor(parts: SchedulesParts) {
    this.#parts = parts;
  }

  /** Whether an id is one of a schedule. */
  knows(id: string): boolean {
    return id.startsWith(PREFIX);
  }

  /** @throws Problem `scheduled_call_not_found` */
  async get(principal: Principal, id: string) {
    const { workspace } = principal;
    return this.#show(await this.#parts.store.read(scheduleHandleUnits.find, { workspace, id }));
  }

  /** @throws Problem `scheduled_call_not_found`, `invalid_time`, `invalid_state` */
  async update(principal: Principal, id: string, change: HandleUpdate) {
    const { store, clock, ids, settings, rules, nudgeScheduler } = this.#parts;
    const update: Partial<ScheduleUpdate> = {
      name: change.name,
      from_phone: change.from_number,
      scheduled_time: change.scheduled_time,
      timezone: change.timezone,
    };
    const named = { workspace: principal.workspace, id };
    const target = { webhookId: ids.next('wh'), secret: newWebhookSecret(ids) };
    const { liveCallIds, ...record } = await stopWithCalls(this.#parts, named, (ends) =>
      store.write(scheduleHandleUnits.change, {
        ...named,
        update,
        word: change.status ?? null,
        moment: { at: clock.wallMs(), timeZoneVersion: settings.timeZoneVersion, rules, target },
        ends,
      }),
    );
    await this.#hangUp(principal, liveCallIds);
    if (record.schedule.next_run_at !== null) nudgeScheduler(record.schedule.next_run_at);
    return this.#show(record);
  }

  /** The handle is gone for good; what was planned is called off, what is live is hung up. */
  async remove(principal: Principal, id: string) {
    const { store, clock } = this.#parts;
    const named = { workspace: principal.workspace, id };
    const { status, liveCallIds } = await stopWithCalls(this.#parts, named, (ends) =>
      store.write(scheduleHandleUnits.remove, { ...named, at: clock.wallMs(), ends }),
    );
    await this.#hangUp(principal, liveCallIds);
    return {
      success: true as const,
      message: 'scheduled call deleted successfully' as const,
      id,
      call_id: id,
      batch_id: null,
      object: 'scheduled_call' as const,
      deleted: true as const,
      status,
    };
  }

  async #hangUp(principal: Principal, callIds: readonly string[]): Promise<void> {
    await Promise.all(callIds.map((callId) => this.#parts.hangUp(principal, callId)));
  }

  #show({ schedule, agentName, attempts, last }: ScheduleHandleRecord) {
    const reason = ENDED_REASON_NAMES.find((name) => name === last?.error) ?? null;
    return {
      id: schedule.id,
      call_id: schedule.id,
      object: 'scheduled_call' as const,
      batch_id: null,
      batch_name: null,
      schedule_id: schedule.id,
      name: schedule.name ?? '',
      callee_name: null,
      to_number: schedule.phone_number,
      phone_number: schedule.phone_number,
      from_number: schedule.from_phone ?? this.#parts.defaults.fromNumber,
      scheduled_time: schedule.scheduled_time,
      scheduled_at: toInstant(schedule.scheduled_at ?? schedule.next_run_at ?? schedule.created_at),
      status: inChosenWord(schedule.status, schedule.shown_status),
      agent_id: schedule.agent_id,
      agent_name: agentName,
      attempts,
      last_call_id: schedule.last_call_id,
      duration: last?.duration ?? null,
      reason,
      error: reason ? unreachedError(reason) : (last?.error ?? null),
      metadata: schedule.metadata,
      created_at: toInstant(schedule.created_at),
      updated_at: toInstant(schedule.updated_at),
    };
  }
}
