import { requireOwnCallerId } from '#agents/phone-numbers/caller-id.js';
import type { Principal } from '#access/keys/principal.js';
import type { Cursor, Page } from '#store/page.js';
import type { CreationFilter } from '#store/statements/conditions.js';
import { STATUS_WORDS } from '#schedules/record/status-words.js';
import { toBatchResource, type BatchResource } from '#batches/changes/batch-resource.js';
import type { ScheduledCallUpdate } from '#batches/intake/batch-request.js';
import type { BatchRow } from '#batches/record/batch.js';
import type { ScheduledCallStatus } from '#batches/record/recipient-status.js';
import { BatchHandles } from '#batches/scheduled-calls/whole-batches/batch-handles.js';
import { CallHandles } from './call-handles.js';
import type { HandleContext, HandleChange } from '#batches/scheduled-calls/handles/handle-change.js';
import { handleTransactions, type Handle } from './handle-store.js';
import { readNewTime, rereadIn, type AskedTime } from '#batches/scheduled-calls/handles/new-time.js';
import { toDeleted, toScheduledCallOfSchedule, toScheduledCallResource } from './scheduled-call-answers.js';
import { askedTime, type ScheduledCall } from '#batches/scheduled-calls/handles/scheduled-call.js';
import type { ScheduledCallDeleted, ScheduledCallResource } from './scheduled-call-resource.js';

/**
 * Commands under `/batch/scheduled-calls/{call_id}`, which names a batch, one of its recipients, a single call or a
 * schedule.
 */
export class ScheduledCalls {
  readonly #parts: HandleContext;
  readonly #batches: BatchHandles;
  readonly #calls: CallHandles;

  constructor(parts: HandleContext) {
    this.#parts = parts;
    this.#batches = new BatchHandles(parts);
    this.#calls = new CallHandles(parts);
  }

  /** @throws Problem `scheduled_call_not_found` */
  async get(principal: Principal, id: string): Promise<ScheduledCallResource | BatchResource> {
    const { schedules } = this.#parts;
    if (schedules.knows(id)) return this.#showSchedule(await schedules.find(principal, id));
    const handle = await this.#find(principal, id);
    return handle.kind === 'batch' ? toBatchResource(handle.view) : this.#show(handle.scheduled);
  }

  async list(
    principal: Principal,
    query: CreationFilter & { cursor: Cursor | null; limit: number },
  ): Promise<Page<ScheduledCallResource>> {
    const { workspace } = principal;
    const page = await this.#parts.store.read(handleTransactions.list, { workspace, ...query });
    return { items: page.items.map((item) => this.#show(item)), next: page.next };
  }

  /** Recipients of a batch, in the order of the request. */
  async ofBatch(
    principal: Principal,
    batchId: string,
    query: { cursor: Cursor | null; limit: number; statuses?: readonly ScheduledCallStatus[] },
  ): Promise<Page<ScheduledCallResource>> {
    const { workspace } = principal;
    const page = await this.#parts.store.read(handleTransactions.ofBatch, { workspace, batchId, ...query });
    return { items: page.items.map((item) => this.#show(item)), next: page.next };
  }

  /** @throws Problem `scheduled_call_not_found`, `invalid_time`, `invalid_state`, `validation_error` */
  async update(
    principal: Principal,
    id: string,
    update: ScheduledCallUpdate,
  ): Promise<ScheduledCallResource | BatchResource> {
    const { store, calls, clock, schedules } = this.#parts;
    const { workspace } = principal;
    const wanted = { workspace, phoneNumber: update.from_number, field: 'from_number' };
    await requireOwnCallerId({ store, defaults: calls.defaults }, wanted);
    if (schedules.knows(id)) return this.#showSchedule(await schedules.update(principal, id, update));
    const handle = await this.#find(principal, id);
    const at = clock.wallMs();
    const before = askedTimeOf(handle);
    const isBatch = handle.kind === 'batch';
    const written = update.scheduled_time ?? (isBatch ? rereadIn(update.timezone, before) : undefined);
    const change = this.#read({ ...update, scheduled_time: written }, before, at);
    if (handle.kind === 'batch') await this.#batches.update(principal, id, change, at);
    else await this.#calls.update(principal, handle.scheduled, change, at);
    return this.get(principal, id);
  }

  /** Deletes a handle: waiting calls are cancelled, live ones hung up. */
  async remove(principal: Principal, id: string): Promise<ScheduledCallDeleted> {
    const { schedules } = this.#parts;
    if (schedules.knows(id)) {
      const { status } = await schedules.remove(principal, id);
      return toDeleted(id, { batchId: null, object: 'scheduled_call', status });
    }
    const handle = await this.#find(principal, id);
    if (handle.kind === 'batch') {
      const { batch, cancelled } = await this.#batches.remove(principal, id);
      const shown = toDeleted(id, { batchId: id, object: 'batch', status: batch.status });
      return { ...shown, cancelled_calls: cancelled };
    }
    const { call } = handle.scheduled;
    const before = this.#show(handle.scheduled).status;
    await this.#calls.remove(principal, handle.scheduled);
    const status = before === 'completed' || before === 'failed' ? before : 'cancelled';
    return toDeleted(call.id, { batchId: call.batch_id, object: 'scheduled_call', status });
  }

  #find(principal: Principal, id: string): Promise<Handle> {
    return this.#parts.store.read(handleTransactions.find, { workspace: principal.workspace, id });
  }

  #show(scheduled: ScheduledCall): ScheduledCallResource {
    return toScheduledCallResource(scheduled, this.#parts.clock.wallMs());
  }

  #showSchedule(record: Parameters<typeof toScheduledCallOfSchedule>[0]): ScheduledCallResource {
    return toScheduledCallOfSchedule(record, this.#parts.calls.defaults.fromNumber);
  }

  #read(update: ScheduledCallUpdate, before: AskedTime, now: number): HandleChange {
    const { scheduled_time: written, timezone: zone, status: word, name, from_number: from } = update;
    const { defaultTimezone: usualZone, planningHorizonDays: horizonDays } = this.#parts.settings;
    const usual = { usualZone, now, horizonDays };
    return {
      name,
      from,
      time: written === undefined ? undefined : { written, ...readNewTime({ written, zone }, before, usual) },
      zone,
      status: word === undefined ? undefined : { word, wanted: STATUS_WORDS[word] },
    };
  }
}

function askedTimeOf(handle: Handle): AskedTime {
  if (handle.kind === 'batch') return askedOf(handle.view.batch);
  const { member } = handle.scheduled;
  if (!member) return { ...askedTime(handle.scheduled), zone: null };
  const { scheduled_time: own, due_at: at, timezone: readIn } = member.recipient;
  return own === null ? askedOf(member.batch) : { written: own, at, readIn, zone: member.batch.timezone };
}

function askedOf(batch: BatchRow): AskedTime {
  const { scheduled_time: written, scheduled_at: at, local_timezone: readIn, timezone: zone } = batch;
  return { written, at, readIn, zone };
}
