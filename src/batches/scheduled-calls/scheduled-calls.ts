import type { Principal } from '#access/keys/principal.js';
import { requireOwnCallerId } from '#agents/phone-numbers/caller-id.js';
import type { TxContexts } from '#calls/endings/tx-contexts.js';
import type { CallDefaults } from '#calls/requests/draft-call.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import type { Clock } from '#kernel/time/clock.js';
import { Semaphore } from '#kernel/work/semaphore.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import { STATUS_WORDS } from '#schedules/record/status-words.js';
import type { ScheduleHandles } from '#schedules/schedule-handles.js';
import type { Cursor, Page } from '#store/page.js';
import type { CreationFilter } from '#store/statements/conditions.js';
import type { Store } from '#store/store.js';
import { toBatchResource, type BatchResource } from '#batches/changes/batch-resource.js';
import { syncCalls } from '#batches/dispatch/sync-calls.js';
import type { ScheduledCallUpdate } from '#batches/intake/batch-request.js';
import { isOver } from '#batches/record/batch-machine.js';
import { batchTxContext } from '#batches/record/batch-progress.js';
import type { BatchRow } from '#batches/record/batch.js';
import type { ScheduledCallStatus } from '#batches/record/recipient-status.js';
import { batchChangeTransactions } from './batch-changes.js';
import type { CallToHangUp, HandleChange } from './handle-change.js';
import { handleTransactions, type Handle } from './handle-store.js';
import { readNewTime, timeToReread, type AskedTime } from './new-time.js';
import { recipientChangeTransactions } from './recipient-changes.js';
import { toDeleted, toScheduledCallOfSchedule, toScheduledCallResource } from './scheduled-call-answers.js';
import type { ScheduledCallDeleted, ScheduledCallResource } from './scheduled-call-resource.js';
import { askedTime, type ScheduledCall } from './scheduled-call.js';
import { singleCallTransactions } from './single-call-changes.js';

/** How many calls of a deleted batch are hung up at the same time. */
const HANG_UPS_AT_ONCE = 8;

/** The dependencies of {@link ScheduledCalls}. */
export interface ScheduledCallsContext {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Log;
  txContexts: TxContexts;
  calls: {
    defaults: Pick<CallDefaults, 'fromNumber'>;
    /** Ends a call in any status: a waiting call is cancelled, a live call hung up. */
    disconnect(principal: Principal, id: string): Promise<unknown>;
  };
  /** Schedules: their ids are accepted by the same paths. */
  schedules: Pick<ScheduleHandles, 'isScheduleId' | 'find' | 'update' | 'remove'>;
  /** Wakes the batch dispatcher at an instant (epoch milliseconds). */
  wakeDispatcher(at: number): void;
  /** Closes the waiting numbers of a cancelled batch. */
  closeOff(batchId: string): Promise<void>;
  /** Wakes the dialler at an instant (epoch milliseconds). */
  wakeDialler(at: number): void;
  settings: { defaultTimezone: string; planningHorizonDays: number; rules: PolicyRules };
}

/**
 * Commands under `/batch/scheduled-calls`. The id in `/batch/scheduled-calls/{call_id}`, the handle, is that of a
 * batch, of the first call of one of its recipients, of a single call or of a schedule.
 */
export class ScheduledCalls {
  readonly #parts: ScheduledCallsContext;

  constructor(parts: ScheduledCallsContext) {
    this.#parts = parts;
  }

  /** What a handle names. @throws Problem `scheduled_call_not_found` */
  async get(principal: Principal, id: string): Promise<ScheduledCallResource | BatchResource> {
    const { schedules } = this.#parts;
    if (schedules.isScheduleId(id)) return this.#showSchedule(await schedules.find(principal, id));
    const handle = await this.#find(principal, id);
    return handle.kind === 'batch' ? toBatchResource(handle.view) : this.#show(handle.scheduled);
  }

  /** Single calls and recipients of batches, in one list. */
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

  /**
   * Changes what a handle names: its time, zone, caller id, status or name.
   * @throws Problem `scheduled_call_not_found`, `invalid_time`, `invalid_state`, `validation_error`
   */
  async update(
    principal: Principal,
    id: string,
    update: ScheduledCallUpdate,
  ): Promise<ScheduledCallResource | BatchResource> {
    const { store, calls, clock, schedules } = this.#parts;
    const { workspace } = principal;
    const callerId = { workspace, phoneNumber: update.from_number, field: 'from_number' };
    await requireOwnCallerId({ store, defaults: calls.defaults }, callerId);
    if (schedules.isScheduleId(id)) return this.#showSchedule(await schedules.update(principal, id, update));
    const handle = await this.#find(principal, id);
    const at = clock.wallMs();
    const currentTime = askedTimeOf(handle);
    const newTime = writtenTime(update, handle, currentTime);
    const change = this.#read({ ...update, scheduled_time: newTime }, currentTime, at);
    if (handle.kind === 'batch') await this.#updateBatch(principal, id, change, at);
    else await this.#updateCall(principal, handle.scheduled, change, at);
    return this.get(principal, id);
  }

  /** Deletes a handle: waiting calls are cancelled, live calls hung up. */
  async remove(principal: Principal, id: string): Promise<ScheduledCallDeleted> {
    const { schedules } = this.#parts;
    if (schedules.isScheduleId(id)) {
      const { status } = await schedules.remove(principal, id);
      return toDeleted(id, { batchId: null, object: 'scheduled_call', status });
    }
    const handle = await this.#find(principal, id);
    if (handle.kind === 'batch') {
      const { batch, cancelled } = await this.#removeBatch(principal, id);
      const shown = toDeleted(id, { batchId: id, object: 'batch', status: batch.status });
      return { ...shown, cancelled_calls: cancelled };
    }
    const { call } = handle.scheduled;
    const shownStatus = this.#show(handle.scheduled).status;
    await this.#removeCall(principal, handle.scheduled);
    const status = shownStatus === 'completed' || shownStatus === 'failed' ? shownStatus : 'cancelled';
    return toDeleted(call.id, { batchId: call.batch_id, object: 'scheduled_call', status });
  }

  /** Changes a batch, copies its new time and caller id to its calls, and closes its numbers if it was cancelled. */
  async #updateBatch(principal: Principal, id: string, change: HandleChange, at: number): Promise<void> {
    const { store, closeOff, wakeDispatcher, settings } = this.#parts;
    const { workspace } = principal;
    const batch = await store.write(batchChangeTransactions.change, { workspace, id, change, at });
    if (change.time || change.from !== undefined)
      await syncCalls(store, { batchId: id, at, rules: settings.rules });
    if (isOver(batch.status)) await closeOff(id);
    wakeDispatcher(at);
  }

  /** Changes a recipient of a batch or a single call. */
  async #updateCall(
    principal: Principal,
    { call, member }: ScheduledCall,
    change: HandleChange,
    at: number,
  ): Promise<void> {
    const { store, ids, settings, wakeDispatcher, wakeDialler } = this.#parts;
    const shared = { callId: call.id, change, rules: settings.rules };
    const followUp = member
      ? await store.write(recipientChangeTransactions.change, { ...shared, ...this.#contexts(member, at) })
      : await store.write(singleCallTransactions.change, { ...shared, dialId: ids.next('dial'), at });
    await this.#hangUp(principal, followUp);
    wakeDispatcher(change.time?.at ?? at);
    wakeDialler(change.time?.at ?? at);
  }

  /** Deletes the handle of a recipient or of a single call, and ends its call. */
  async #removeCall(principal: Principal, { call, member }: ScheduledCall): Promise<void> {
    const { store, clock, calls, wakeDispatcher } = this.#parts;
    const at = clock.wallMs();
    if (!member) {
      // The handle goes last: if the process dies before, the client can still delete it.
      await calls.disconnect(principal, call.id);
      return store.write(singleCallTransactions.remove, { callId: call.id, at });
    }
    const named = { callId: call.id, ...this.#contexts(member, at) };
    await this.#hangUp(principal, await store.write(recipientChangeTransactions.remove, named));
    wakeDispatcher(at);
  }

  /**
   * The contexts of a change to a recipient: for its batch, for settling an earlier end of its call, and for its call.
   */
  #contexts({ batch, recipient }: NonNullable<ScheduledCall['member']>, at: number) {
    const { ids, txContexts } = this.#parts;
    const callContext = { ...txContexts.now(recipient.last_call_id), at };
    const [context, endContext] = [batchTxContext(ids, at), batchTxContext(ids, at)];
    return { batchId: batch.id, context, endContext, callContext };
  }

  /** Hangs up the call that a change has left to hang up, if any. */
  async #hangUp(principal: Principal, { hangUp }: CallToHangUp): Promise<void> {
    if (hangUp !== null) await this.#parts.calls.disconnect(principal, hangUp);
  }

  /** Deletes the batch: waiting calls are cancelled, live calls hung up. Returns how many calls these were. */
  async #removeBatch(principal: Principal, id: string): Promise<{ batch: BatchRow; cancelled: number }> {
    const { store, clock, calls, log, closeOff, wakeDispatcher } = this.#parts;
    const at = clock.wallMs();
    const { workspace } = principal;
    const { live, ...removed } = await store.write(batchChangeTransactions.remove, { workspace, id, at });
    await closeOff(id);
    wakeDispatcher(at);
    const semaphore = new Semaphore(HANG_UPS_AT_ONCE);
    const hangUp = (callId: string) =>
      calls.disconnect(principal, callId).catch((error: unknown) => {
        log.warn({ err: error, call_id: callId }, 'a call of a deleted batch was not hung up');
      });
    await Promise.all(live.map((callId) => semaphore.run(() => hangUp(callId))));
    return removed;
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

  /** The changes of an update: its time as an instant, its status word with the wanted status. */
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

/**
 * The time that the update sets, as written; undefined for no new time. An update that repeats the current time and
 * names no zone sets no new time. If only the zone of a batch changes, its local time is read again in the new zone.
 */
function writtenTime(
  { scheduled_time: written, timezone: zone }: ScheduledCallUpdate,
  { kind }: Handle,
  before: AskedTime,
): string | undefined {
  if (written === undefined) return kind === 'batch' ? timeToReread(zone, before) : undefined;
  return zone === undefined && written === before.written ? undefined : written;
}

/** The current time of a batch, recipient or single call. A recipient may have the time of its batch. */
function askedTimeOf(handle: Handle): AskedTime {
  if (handle.kind === 'batch') return askedOf(handle.view.batch);
  const { member } = handle.scheduled;
  if (!member) return { ...askedTime(handle.scheduled.call), zone: null };
  const { scheduled_time: own, due_at: at, timezone: readIn } = member.recipient;
  return own === null ? askedOf(member.batch) : { written: own, at, readIn, zone: member.batch.timezone };
}

/** The requested time of a batch. */
function askedOf(batch: BatchRow): AskedTime {
  const { scheduled_time: written, scheduled_at: at, local_timezone: readIn, timezone: zone } = batch;
  return { written, at, readIn, zone };
}
