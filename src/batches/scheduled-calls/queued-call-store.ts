import { callMachine } from '../../calls/record/call-machine.js';
import { hasOwner, type CallRow } from '../../calls/record/call.js';
import type { Moment } from '../../calls/record/call-progress.js';
import { setColumns } from '../../calls/record/call-rows.js';
import { DIAL_GRACE_MS, enqueueAttempt } from '../../calls/queue/dial-queue.js';
import { plannedFor } from '../../calls/requests/draft-call.js';
import { finishCall, type FinishDetails } from '../../calls/endings/finish-call.js';
import type { WantedStatus } from '../../schedules/record/status-words.js';
import { places } from '../../store/statements/places.js';
import { UNDIALLED } from '../../calls/endings/undialled-call.js';
import { toInstant } from '../../kernel/clock.js';
import { Problem } from '../../kernel/errors.js';
import { defineUnits, type Tx } from '../../store/unit.js';
import {
  callAgain,
  holdHandle,
  keepHandle,
  NO_NEXT,
  SET_NO_NEXT,
  type FurtherIds,
  type HeldHandle,
} from './further-calls.js';
import type { Aftermath, HandleChange } from './recipient-change-store.js';

/** What became of a call whose handle was deleted: its end that was written, or that it is to be hung up. */
export interface Removed extends Aftermath {
  ended: CallRow | null;
}

interface Wish {
  /** The handle: the id of its first call. */
  callId: string;
  /** Fresh ones, for a call that goes back into the queue, or that is made for another attempt. */
  ids: FurtherIds;
  moment: Moment;
}

/** A handle whose last call is over, and that is still to be called at a time. */
const IS_WANTED = `next_due_at is not null and not exists (
  select 1 from calls where ended_at is null and (id = queued_call_handles.call_id
    or id in (select further_calls.call_id from further_calls where handle_id = queued_call_handles.call_id)))`;

/** Calls of their own that wait for their time, as handles under `/batch/scheduled-calls`. */
export const queuedCallUnits = defineUnits('queued_calls', {
  /**
   * Changes a call that waits. One that is over is called again at a new time, and one that is under way after it.
   * @throws Problem `invalid_state` where the moment is wrong for what is wanted
   */
  async change(tx, args: Wish & { change: HandleChange }): Promise<Aftermath> {
    const { change } = args;
    const { at } = args.moment;
    const held = await requireHeld(tx, args.callId);
    const time = timeOfCancelled(held, args);
    const call = time
      ? await callAgain(tx, held, { ...args, from: change.from ?? held.kept.next_from_phone, time })
      : await retime(tx, held, args);
    await setColumns(tx, call.id, {
      ...(change.name === undefined ? {} : { name: change.name }),
      updated_at: at,
    });
    if (!change.status) return { hangUp: null };
    const now = {
      ...held,
      latest: call,
      isWaiting: call === held.latest ? held.isWaiting : call.status === 'queued',
    };
    const hangUp = await setStatus(tx, now, change.status.wanted, {
      ...args,
      dueAt: change.time?.at ?? call.scheduled_at ?? at,
    });
    await keepHandle(tx, args.callId, {
      shown_status: change.status.word,
      ...(hangUp ? NO_NEXT : {}),
    });
    return { hangUp: hangUp ? call.id : null };
  },

  /**
   * The handle is gone for good, and no further call is made. A call that waits is over with it, where it is the one
   * that `finish` is for; one that is under way is to be hung up.
   */
  async remove(tx, args: { callId: string; of: string; finish: FinishDetails }): Promise<Removed> {
    const { latest, isWaiting } = await requireHeld(tx, args.callId);
    const { at } = args.finish.moment;
    await keepHandle(tx, args.callId, { ...NO_NEXT, shown_status: null, deleted_at: at });
    if (callMachine.isFinal(latest.status)) return { ended: null, hangUp: null };
    if (!isWaiting || latest.id !== args.of) return { ended: null, hangUp: latest.id };
    return { ended: await finishCall(tx, latest, args.finish), hangUp: null };
  },

  /** Makes no further calls of numbers that must not be called any more. */
  async callOff(tx, args: { workspace: string; phoneNumbers: readonly string[] }): Promise<void> {
    await tx.run(
      `update queued_call_handles set ${SET_NO_NEXT}
       where next_due_at is not null and call_id in (
         select id from calls where workspace = ? and to_phone in (${places(args.phoneNumbers)}))`,
      args.workspace,
      ...args.phoneNumbers,
    );
  },

  /** Handles that wait for nothing but their further call. */
  async wanted(tx, args: { limit: number }): Promise<string[]> {
    const rows = await tx.all(
      `select call_id from queued_call_handles where ${IS_WANTED} order by next_due_at limit ?`,
      args.limit,
    );
    return rows.map((row) => String(row['call_id']));
  },

  /** Makes the further call that a handle waits for, once. */
  async again(tx, args: Wish): Promise<void> {
    const held = await holdHandle(tx, args.callId);
    if (!held || held.latest.ended_at === null) return;
    const { next_from_phone: from, next_time: written, next_due_at: at } = held.kept;
    if (written === null || at === null) return;
    await callAgain(tx, held, { ids: args.ids, from, time: { written, at }, moment: args.moment });
  },

  /** Gives up the further call that a handle waits for. */
  async giveUp(tx, args: { callId: string }): Promise<void> {
    await keepHandle(tx, args.callId, NO_NEXT);
  },
});

async function requireHeld(tx: Tx, callId: string): Promise<HeldHandle> {
  const held = await holdHandle(tx, callId);
  if (held && held.kept.deleted_at === null) return held;
  throw new Problem('scheduled_call_not_found', 'There is no scheduled call with this id.');
}

/**
 * A new time and a new caller id: for a call that waits, they are its own; for one that is over or under way, those of
 * a further one. Returns the call that the handle stands for then. The time that a call had already is no new one: who
 * sends back what was read calls nobody again.
 */
async function retime(tx: Tx, held: HeldHandle, wish: Wish & { change: HandleChange }): Promise<CallRow> {
  const { kept, latest, isWaiting } = held;
  const { ids, moment } = wish;
  const { time, from } = wish.change;
  if (isWaiting) return retimeWaiting(tx, latest, wish);
  const isNew =
    time !== undefined && time.at !== latest.scheduled_at && time.written !== latest.scheduled_time;
  if (!isNew && from === undefined) return latest;
  // Its batch or its schedule says when it is called again.
  if (hasOwner(latest)) throw wrongMoment(latest);
  if (isNew && callMachine.isFinal(latest.status))
    return callAgain(tx, held, { ids, from: from ?? kept.next_from_phone, time, moment });
  await keepHandle(tx, kept.call_id, {
    ...(from === undefined ? {} : { next_from_phone: from }),
    ...(isNew ? { next_time: time.written, next_due_at: time.at, shown_status: null } : {}),
  });
  return latest;
}

/** When a call is armed again that was called off, and whose time has not passed; null where it is not that. */
function timeOfCancelled(
  { kept, latest: call }: HeldHandle,
  { change, moment }: Wish & { change: HandleChange },
): { written: string; at: number } | null {
  const { scheduled_at: at, scheduled_time: written } = call;
  const isWanted = change.status?.wanted === 'scheduled' && !change.time && kept.next_due_at === null;
  if (!isWanted || call.status !== 'cancelled' || hasOwner(call)) return null;
  return at !== null && at >= moment.at - DIAL_GRACE_MS ? { written: written ?? toInstant(at), at } : null;
}

async function retimeWaiting(
  tx: Tx,
  call: CallRow,
  { change: { time, from }, moment: { at } }: Wish & { change: HandleChange },
): Promise<CallRow> {
  const columns = {
    ...(from === undefined ? {} : { from_phone: from }),
    ...(time ? { scheduled_time: time.written, ...plannedFor(time.at) } : {}),
  };
  if (from !== undefined || time) await setColumns(tx, call.id, columns);
  if (time)
    await tx.run(
      `update dial_attempts
       set status = 'pending', node_id = null, lease_until = null, due_at = ?, wanted_at = ?,
         expires_at = ?, updated_at = ?
       where call_id = ? and ${UNDIALLED}`,
      time.at,
      time.at,
      time.at + DIAL_GRACE_MS,
      at,
      call.id,
    );
  return { ...call, ...columns };
}

/** Returns whether the call is to be ended. */
async function setStatus(
  tx: Tx,
  { kept, latest: call, isWaiting }: HeldHandle,
  wanted: WantedStatus,
  wish: Wish & { change: HandleChange; dueAt: number },
): Promise<boolean> {
  const isFinal = callMachine.isFinal(call.status);
  // A further call that is only to be made has no row of its own yet.
  const hasNext = kept.next_due_at !== null || (wish.change.time !== undefined && !isWaiting && !isFinal);
  if (wanted === 'scheduled' || wanted === 'paused') {
    // It is armed again, and waits for the call before.
    if (wanted === 'scheduled' && hasNext) return false;
    if (!isWaiting || (wanted === 'paused' && call.status !== 'queued')) throw wrongMoment(call);
    if (wanted === 'paused')
      await tx.run(`delete from dial_attempts where call_id = ? and ${UNDIALLED}`, call.id);
    else await requeue(tx, call.id, wish);
    return false;
  }
  if (isFinal) {
    if (call.status !== wanted && !hasNext) throw wrongMoment(call);
    await keepHandle(tx, wish.callId, NO_NEXT);
    return false;
  }
  if (wanted === 'completed' && !isWaiting) throw wrongMoment(call);
  return true;
}

/**
 * A call that was held goes back into the queue; one that is in it stays there.
 * @throws Problem `invalid_state` for one whose time is long past
 */
async function requeue(
  tx: Tx,
  callId: string,
  { ids, dueAt, moment: { at } }: Wish & { dueAt: number },
): Promise<void> {
  const queued = await tx.get('select id from dial_attempts where call_id = ? limit 1', callId);
  if (queued) return;
  // Nobody is phoned hours late, whoever forgot that it was on hold.
  if (dueAt < at - DIAL_GRACE_MS)
    throw new Problem('invalid_state', 'The time of the call has passed: it needs a new scheduled_time.');
  await enqueueAttempt(tx, { id: ids.dialId, callId, lane: 'single', dueAt: Math.max(dueAt, at), at });
}

function wrongMoment(call: CallRow): Problem {
  return new Problem('invalid_state', `This is not possible for a call that is ${call.status}.`);
}
