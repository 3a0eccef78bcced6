import { UNDIALLED } from '#calls/endings/undialled-call.js';
import { DIAL_GRACE_MS, enqueueAttempt } from '#calls/queue/dial-queue.js';
import { callMachine } from '#calls/record/call-machine.js';
import { lockCall, setColumns } from '#calls/record/call-rows.js';
import type { CallRow } from '#calls/record/call.js';
import { askOnAccepting } from '#calls/requests/accept-call.js';
import { dialTimeColumns } from '#calls/requests/draft-call.js';
import { Problem } from '#kernel/errors/errors.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import { scheduleNotFound } from '#schedules/record/schedule-rows.js';
import { insertOnce } from '#store/statements/insert.js';
import { update } from '#store/statements/update.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import {
  effectOf,
  refuseOtherPlan,
  type CallStage,
  type CallToHangUp,
  type HandleChange,
} from './handle-change.js';
import { askedTime, SHOWN_STATUS } from './scheduled-call.js';

/** A requested change of a single call. */
interface SingleCallChange {
  callId: string;
  change: HandleChange;
  /** Id of the dial attempt, if a paused call is queued again. */
  dialId: string;
  /** The rules of the calling policy. */
  rules: PolicyRules;
  /** The current instant (epoch milliseconds). */
  at: number;
}

/** The transactions of `ScheduledCalls` on single calls. */
export const singleCallTransactions = defineTransactions('queued_calls', {
  /**
   * Changes a single call: time and caller id while it waits, its status, its name always.
   * @throws Problem `invalid_state` if its stage does not allow the change, `validation_error`
   */
  async change(tx, request: SingleCallChange): Promise<CallToHangUp> {
    const { callId, change, at } = request;
    const { call: locked, stage } = await requireLocked(tx, callId);
    const isWaiting = stage === 'scheduled' || stage === 'paused' || stage === 'in_line';
    if (!isWaiting)
      refuseOtherPlan(change, { at: askedTime(locked).at, from: locked.from_phone }, 'call', stage);
    const call = isWaiting ? await retimeWaiting(tx, locked, request) : locked;
    setColumns(tx, callId, {
      ...(change.name === undefined ? {} : { name: change.name }),
      updated_at: at,
    });
    return change.status ? setStatus(tx, { call, stage }, request, change.status) : { hangUp: null };
  },

  /** Deletes the handle of a call; the calling code has cancelled or hung up the call before. */
  async remove(tx, { callId, at }: { callId: string; at: number }): Promise<void> {
    await requireLocked(tx, callId);
    await setHandleState(tx, callId, { deleted_at: at });
  },
});

/** A locked call and its stage. */
interface LockedCall {
  call: CallRow;
  stage: CallStage;
}

/** Locks a single call and finds its stage. @throws Problem `scheduled_call_not_found`, also for a deleted handle */
async function requireLocked(tx: Tx, callId: string): Promise<LockedCall> {
  const call = await lockCall(tx, callId);
  const deleted = await tx.get(
    'select call_id from queued_call_handles where call_id = ? and deleted_at is not null',
    callId,
  );
  if (!call || deleted) throw scheduleNotFound();
  if (callMachine.isFinal(call.status)) return { call, stage: SHOWN_STATUS[call.status] };
  const undialled = await tx.get(`select id from dial_attempts where call_id = ? and ${UNDIALLED}`, callId);
  if (call.status === 'queued') return { call, stage: undialled ? 'scheduled' : 'paused' };
  return { call, stage: undialled ? 'in_line' : 'in_progress' };
}

/** Applies a status word: pauses the call, queues it again, asks for its end, or only stores the word. */
async function setStatus(
  tx: Tx,
  { call, stage }: LockedCall,
  request: SingleCallChange,
  status: NonNullable<HandleChange['status']>,
): Promise<CallToHangUp> {
  const effect = effectOf(status, stage);
  if (effect === 'hold') await hold(tx, call);
  if (effect === 'arm' && stage === 'paused') arm(tx, call, request);
  await setHandleState(tx, call.id, { shown_status: status.word });
  return { hangUp: effect === 'end' ? call.id : null };
}

/** Pauses a call: it leaves the dial queue. */
async function hold(tx: Tx, call: CallRow): Promise<void> {
  // A schedule would wait for its paused call forever. The schedule itself can be paused.
  if (call.execution_id !== null)
    throw new Problem('invalid_state', 'The call belongs to a schedule, which can be paused itself.');
  await tx.run(`delete from dial_attempts where call_id = ? and ${UNDIALLED}`, call.id);
}

/** Queues a paused call again. */
function arm(tx: Tx, call: CallRow, { dialId, change, at }: SingleCallChange): void {
  const plannedAt = call.scheduled_at ?? at;
  // A call whose time passed during the pause is made only within the usual grace.
  if (plannedAt < at - DIAL_GRACE_MS)
    throw new Problem('invalid_state', 'The time of the call has passed: it needs a new scheduled_time.');
  const dueAt = Math.max(plannedAt, at);
  // The requested time, before a deferral by the policy.
  const wantedAt = change.time?.at ?? dueAt;
  enqueueAttempt(tx, { id: dialId, callId: call.id, lane: 'single', dueAt, wantedAt, at });
}

/** Stores the chosen status word or the deletion of a handle. */
async function setHandleState(
  tx: Tx,
  callId: string,
  state: { shown_status: string } | { deleted_at: number },
): Promise<void> {
  insertOnce(tx, 'queued_call_handles', { call_id: callId });
  await update(tx, 'queued_call_handles', { set: state, where: { call_id: callId } });
}

/** Sets time and caller id of a call that waits. The calling policy is asked about a new time as for a new call. */
async function retimeWaiting(
  tx: Tx,
  call: CallRow,
  { change: { time, from }, at, rules }: SingleCallChange,
): Promise<CallRow> {
  const columns = {
    ...(from === undefined ? {} : { from_phone: from }),
    ...(time ? { scheduled_time: time.written, timezone: time.readIn ?? null } : {}),
  };
  if (Object.keys(columns).length > 0) setColumns(tx, call.id, columns);
  const changed = { ...call, ...columns };
  if (!time) return changed;
  const { dueAt } = await askOnAccepting(tx, { call, dueAt: time.at, rules, at });
  return { ...changed, ...(await moveWaiting(tx, call.id, { wantedAt: time.at, dueAt, at })) };
}

/**
 * Moves a waiting call, queued or paused, to another time. Instants are epoch milliseconds: `wantedAt` is the requested
 * time, `dueAt` the time after a deferral by the policy, `at` is now.
 */
export async function moveWaiting(
  tx: Tx,
  callId: string,
  { wantedAt, dueAt, at }: { wantedAt: number; dueAt: number; at: number },
): Promise<Pick<CallRow, 'scheduled_at' | 'estimated_start_at'>> {
  const planned = dialTimeColumns(dueAt);
  setColumns(tx, callId, planned);
  await tx.run(
    `update dial_attempts
     set status = 'pending', node_id = null, lease_until = null, due_at = ?, wanted_at = ?,
       expires_at = ?, updated_at = ?
     where call_id = ? and ${UNDIALLED}`,
    dueAt,
    wantedAt,
    dueAt + DIAL_GRACE_MS,
    at,
    callId,
  );
  return planned;
}
