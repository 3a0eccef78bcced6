import { lockCall, setColumns } from '../../calls/record/call-rows.js';
import { callMachine } from '../../calls/record/call-machine.js';
import type { CallRow } from '../../calls/record/call.js';
import { DIAL_GRACE_MS, enqueueAttempt } from '../../calls/queue/dial-queue.js';
import { plannedFor } from '../../calls/requests/draft-call.js';
import { UNDIALLED } from '../../calls/endings/undialled-call.js';
import { Problem } from '../../kernel/errors.js';
import { defineUnits, type Tx } from '../../store/unit.js';
import type { Aftermath, HandleChange } from './recipient-change-store.js';

interface Wish {
  callId: string;
  /** A fresh reference, for a call that goes back into the queue. */
  dialId: string;
  at: number;
}

/** Calls of their own that wait for their time, as handles under `/batch/scheduled-calls`. */
export const queuedCallUnits = defineUnits('queued_calls', {
  /** @throws Problem `invalid_state` where the moment is wrong for what is wanted */
  async change(tx, args: Wish & { change: HandleChange }): Promise<Aftermath> {
    const { change, at } = args;
    const call = await requireLocked(tx, args.callId);
    const isWaiting = call.status === 'queued';
    if ((change.time || change.from !== undefined) && !isWaiting) throw wrongMoment(call);
    await setColumns(tx, call.id, {
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.from === undefined ? {} : { from_phone: change.from }),
      ...(change.time ? { scheduled_time: change.time.written, ...plannedFor(change.time.at) } : {}),
      updated_at: at,
    });
    if (change.time)
      await tx.run(
        `update dial_attempts
         set status = 'pending', node_id = null, lease_until = null, due_at = ?, wanted_at = ?,
           expires_at = ?, updated_at = ?
         where call_id = ? and ${UNDIALLED}`,
        change.time.at,
        change.time.at,
        change.time.at + DIAL_GRACE_MS,
        at,
        call.id,
      );
    if (!change.status) return { hangUp: null };
    const hangUp = await setStatus(tx, call, change.status.wanted, {
      ...args,
      dueAt: change.time?.at ?? call.scheduled_at ?? at,
    });
    await keepHandle(tx, call.id, { shownStatus: change.status.word, deletedAt: null });
    return { hangUp: hangUp ? call.id : null };
  },

  /** The handle is gone for good; a call that is not over is called off. */
  async remove(tx, args: { callId: string; at: number }): Promise<Aftermath> {
    const call = await requireLocked(tx, args.callId);
    await keepHandle(tx, call.id, { shownStatus: null, deletedAt: args.at });
    return { hangUp: callMachine.isFinal(call.status) ? null : call.id };
  },
});

async function requireLocked(tx: Tx, callId: string): Promise<CallRow> {
  const call = await lockCall(tx, callId);
  if (call) return call;
  throw new Problem('scheduled_call_not_found', 'There is no scheduled call with this id.');
}

/** Returns whether the call is to be ended. */
async function setStatus(
  tx: Tx,
  call: CallRow,
  wanted: 'scheduled' | 'paused' | 'cancelled' | 'completed',
  wish: Wish & { dueAt: number },
): Promise<boolean> {
  const isWaiting = call.status === 'queued';
  if (wanted === 'scheduled' || wanted === 'paused') {
    if (!isWaiting) throw wrongMoment(call);
    if (wanted === 'paused')
      await tx.run(`delete from dial_attempts where call_id = ? and ${UNDIALLED}`, call.id);
    else await requeue(tx, call.id, wish);
    return false;
  }
  if (callMachine.isFinal(call.status)) {
    if (call.status !== wanted) throw wrongMoment(call);
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
  { dialId, dueAt, at }: Wish & { dueAt: number },
): Promise<void> {
  const queued = await tx.get('select id from dial_attempts where call_id = ? limit 1', callId);
  if (queued) return;
  // Nobody is phoned hours late, whoever forgot that it was on hold.
  if (dueAt < at - DIAL_GRACE_MS)
    throw new Problem('invalid_state', 'The time of the call has passed: it needs a new scheduled_time.');
  await enqueueAttempt(tx, { id: dialId, callId, lane: 'single', dueAt: Math.max(dueAt, at), at });
}

async function keepHandle(
  tx: Tx,
  callId: string,
  kept: { shownStatus: string | null; deletedAt: number | null },
): Promise<void> {
  await tx.run(
    `insert into queued_call_handles (call_id, shown_status, deleted_at) values (?, ?, ?)
     on conflict (call_id) do update set shown_status = excluded.shown_status, deleted_at = excluded.deleted_at`,
    callId,
    kept.shownStatus,
    kept.deletedAt,
  );
}

function wrongMoment(call: CallRow): Problem {
  return new Problem('invalid_state', `This is not possible for a call that is ${call.status}.`);
}
