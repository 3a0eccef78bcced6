import type { Principal } from '../../access/principal.js';
import type { Moments } from '../../calls/endings/moments.js';
import type { CallRow } from '../../calls/record/call.js';
import type { Clock } from '../../kernel/clock.js';
import type { Ids } from '../../kernel/ids.js';
import type { Log } from '../../kernel/log.js';
import type { PolicyRules } from '../../policy/policy-rules.js';
import type { Cursor, Page } from '../../store/page.js';
import { STATUS_WORDS } from '../../schedules/record/status-words.js';
import type { Store } from '../../store/store.js';
import { batchChangeUnits } from './batch-change-store.js';
import type { ScheduledCallUpdate } from '../intake/batch-request.js';
import { toBatchResource, type BatchResource } from '../changes/batch-resource.js';
import { isOver } from '../record/batch-machine.js';
import type { BatchRow } from '../record/batch.js';
import { batchMoment } from '../record/batch-progress.js';
import { handleUnits, type Handle } from './handle-store.js';
import { queuedCallUnits } from './queued-call-store.js';
import { recipientChangeUnits, type Aftermath, type HandleChange } from './recipient-change-store.js';
import type { ScheduledCallStatus } from '../record/recipient-status.js';
import { readNewTime, type AskedTime } from './new-time.js';
import {
  askedTime,
  latestOf,
  toScheduledCallResource,
  type ScheduledCall,
  type ScheduledCallDeleted,
  type ScheduledCallResource,
} from './scheduled-call-resource.js';

export interface ScheduledCallsParts {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Log;
  moments: Moments;
  calls: { disconnect(principal: Principal, id: string): Promise<unknown> };
  nudgeFeeder(at: number): void;
  /** Closes the open numbers of a batch that is over. */
  closeOff(batchId: string): Promise<void>;
  nudgeDialler(at: number): void;
  /** The end of a call was written. */
  tellEnd(call: CallRow): void;
  settings: { defaultTimezone: string; rules: PolicyRules };
}

/** How many live calls of a deleted batch are hung up at once. */
const HANG_UPS_AT_ONCE = 8;

/**
 * Everything that `/batch/scheduled-calls/{call_id}` may name: a whole batch, one of its callees, or a call of its own
 * that waits for its time.
 */
export class ScheduledCalls {
  readonly #parts: ScheduledCallsParts;

  constructor(parts: ScheduledCallsParts) {
    this.#parts = parts;
  }

  /** @throws Problem `scheduled_call_not_found` */
  async get(principal: Principal, id: string): Promise<ScheduledCallResource | BatchResource> {
    const handle = await this.#find(principal, id);
    return handle.kind === 'batch'
      ? toBatchResource(handle.view.batch, handle.view.recipients)
      : this.#show(handle.scheduled);
  }

  async list(
    principal: Principal,
    query: { cursor: Cursor | null; limit: number; createdAfter?: number; createdBefore?: number },
  ): Promise<Page<ScheduledCallResource>> {
    const { workspace } = principal;
    const page = await this.#parts.store.read(handleUnits.list, { workspace, ...query });
    return { items: page.items.map((item) => this.#show(item)), next: page.next };
  }

  /** The callees of a batch, in the order of the request. */
  async ofBatch(
    principal: Principal,
    batchId: string,
    query: { cursor: Cursor | null; limit: number; statuses?: readonly ScheduledCallStatus[] },
  ): Promise<Page<ScheduledCallResource>> {
    const { workspace } = principal;
    const page = await this.#parts.store.read(handleUnits.ofBatch, { workspace, batchId, ...query });
    return { items: page.items.map((item) => this.#show(item)), next: page.next };
  }

  /** @throws Problem `scheduled_call_not_found`, `invalid_time`, `invalid_state` */
  async update(
    principal: Principal,
    id: string,
    update: ScheduledCallUpdate,
  ): Promise<ScheduledCallResource | BatchResource> {
    const { store, clock, ids, moments, nudgeFeeder, nudgeDialler } = this.#parts;
    const { rules } = this.#parts.settings;
    const { workspace } = principal;
    const handle = await this.#find(principal, id);
    const at = clock.wallMs();
    const change = this.#read(update, askedTimeOf(handle), at);
    if (handle.kind === 'batch') {
      const batch = await store.write(batchChangeUnits.change, { workspace, id, change, at });
      if (change.time || change.from !== undefined) await this.#mirror(id, change.time !== undefined, at);
      if (isOver(batch.status)) await this.#parts.closeOff(id);
      nudgeFeeder(change.time?.at ?? at);
      return this.get(principal, id);
    }
    const { call, member } = handle.scheduled;
    const aftermath = member
      ? await store.write(recipientChangeUnits.change, {
          batchId: member.batch.id,
          callId: call.id,
          change,
          rules,
          ...this.#moment(call.id, at),
        })
      : await store.write(queuedCallUnits.change, {
          callId: call.id,
          ids: { callId: ids.next('call'), dialId: ids.next('dial') },
          moment: { ...moments.unannounced(), at },
          change,
          rules,
        });
    await this.#finish(principal, aftermath);
    nudgeFeeder(change.time?.at ?? at);
    nudgeDialler(change.time?.at ?? at);
    return this.get(principal, id);
  }

  /** The handle is gone for good; what was open of it is called off, what is live is hung up. */
  async remove(principal: Principal, id: string): Promise<ScheduledCallDeleted> {
    const { store, clock, nudgeFeeder } = this.#parts;
    const { workspace } = principal;
    const handle = await this.#find(principal, id);
    const at = clock.wallMs();
    if (handle.kind === 'batch') {
      const { batch, cancelled, live } = await store.write(batchChangeUnits.remove, { workspace, id, at });
      await this.#parts.closeOff(id);
      nudgeFeeder(at);
      await this.#hangUpAll(principal, live);
      return { ...deleted(id, id, 'batch', batch.status), cancelled_calls: cancelled };
    }
    const { call, member } = handle.scheduled;
    const before = this.#show(handle.scheduled).status;
    const aftermath = member
      ? await store.write(recipientChangeUnits.remove, {
          batchId: member.batch.id,
          callId: call.id,
          ...this.#moment(call.id, at),
        })
      : await this.#removeSingle(handle.scheduled);
    await this.#finish(principal, aftermath);
    nudgeFeeder(at);
    const wasOver = before === 'completed' || before === 'failed';
    return deleted(call.id, call.batch_id, 'scheduled_call', wasOver ? before : 'cancelled');
  }

  async #removeSingle(scheduled: ScheduledCall): Promise<Aftermath> {
    const { store, moments, tellEnd } = this.#parts;
    const { id: of } = latestOf(scheduled);
    const finish = moments.finish(of, 'cancelled');
    const { ended, hangUp } = await store.write(queuedCallUnits.remove, {
      callId: scheduled.call.id,
      of,
      finish,
    });
    if (ended) tellEnd(ended);
    return { hangUp };
  }

  #find(principal: Principal, id: string): Promise<Handle> {
    return this.#parts.store.read(handleUnits.find, { workspace: principal.workspace, id });
  }

  #show(scheduled: ScheduledCall): ScheduledCallResource {
    return toScheduledCallResource(scheduled, this.#parts.clock.wallMs());
  }

  #moment(callId: string, at: number) {
    const { ids, moments } = this.#parts;
    return { moment: batchMoment(ids, at), callMoment: { ...moments.now(callId), at } };
  }

  #read(update: ScheduledCallUpdate, before: AskedTime, now: number): HandleChange {
    const { scheduled_time: written, timezone: zone, status: word, name, from_number: from } = update;
    const usual = { usualZone: this.#parts.settings.defaultTimezone, now };
    return {
      name,
      from,
      time:
        written === undefined
          ? undefined
          : { written, at: readNewTime({ written, zone }, before, usual), zone },
      status: word === undefined ? undefined : { word, wanted: STATUS_WORDS[word] },
    };
  }

  async #mirror(batchId: string, isRetimed: boolean, at: number): Promise<void> {
    const { store, settings } = this.#parts;
    const args = { batchId, isRetimed, at, rules: settings.rules };
    let next: number | null = 0;
    while (next !== null) next = await store.write(batchChangeUnits.mirror, { ...args, fromPosition: next });
  }

  async #finish(principal: Principal, { hangUp }: Aftermath): Promise<void> {
    if (hangUp !== null) await this.#parts.calls.disconnect(principal, hangUp);
  }

  async #hangUpAll(principal: Principal, callIds: readonly string[]): Promise<void> {
    const left = [...callIds];
    const hangUpSome = async () => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        await this.#parts.calls.disconnect(principal, id).catch((error: unknown) => {
          this.#parts.log.warn({ err: error, call_id: id }, 'a call of a deleted batch was not hung up');
        });
      }
    };
    await Promise.all(Array.from({ length: HANG_UPS_AT_ONCE }, hangUpSome));
  }
}

function askedTimeOf(handle: Handle): AskedTime {
  if (handle.kind === 'batch') return askedOf(handle.view.batch);
  const { member } = handle.scheduled;
  if (!member) return { ...askedTime(handle.scheduled), zone: null };
  const { scheduled_time: own, due_at: at } = member.recipient;
  return own === null ? askedOf(member.batch) : { written: own, at, zone: member.batch.timezone };
}

function askedOf({ scheduled_time: written, scheduled_at: at, timezone: zone }: BatchRow): AskedTime {
  return { written, at, zone };
}

function deleted(
  id: string,
  batchId: string | null,
  object: ScheduledCallDeleted['object'],
  status: string,
): ScheduledCallDeleted {
  return {
    success: true,
    message: 'scheduled call deleted successfully',
    id,
    call_id: id,
    batch_id: batchId,
    object,
    deleted: true,
    status,
  };
}
