import { UNDIALLED } from '#calls/endings/undialled-call.js';
import { DIAL_GRACE_MS } from '#calls/queue/dial-queue.js';
import { callMachine } from '#calls/record/call-machine.js';
import type { TxContext } from '#calls/record/call-progress.js';
import { setColumns } from '#calls/record/call-rows.js';
import { hasOwner, type CallRow } from '#calls/record/call.js';
import { askOnAccepting } from '#calls/requests/accept-call.js';
import { plannedFor } from '#calls/requests/draft-call.js';
import { toInstant } from '#kernel/time/clock.js';
import { Problem } from '#kernel/errors/errors.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Tx } from '#store/transaction.js';
import { callAgain, type FurtherIds } from './further-calls.js';
import {
  isClosing,
  type HandleChange,
  type WantedTime,
} from '#batches/scheduled-calls/handles/handle-change.js';
import { keepHandle, type HeldHandle } from '#batches/scheduled-calls/handles/queued-call-handle.js';

/** A requested change of a single call (the handle), with its context. */
export interface SingleCallChange {
  change: HandleChange;
  /** New ids, for a call that is queued again or for a further call. */
  ids: FurtherIds;
  context: TxContext;
  /** The rules of the calling policy. */
  rules: PolicyRules;
}

/**
 * Sets time and caller id of a single call. A waiting call is changed itself. After a finished call, a new time makes a
 * further call; during a live call, time and caller id are stored for the further call after it. The calling policy is
 * asked about a new time as about a first one. The present time does not count as new: a client that writes back what
 * it has read causes no further call. Returns the latest call of the handle.
 * @throws Problem `invalid_state`, `validation_error`
 */
export async function retimeSingle(tx: Tx, held: HeldHandle, request: SingleCallChange): Promise<CallRow> {
  const { kept, latest, isWaiting } = held;
  const { context, rules } = request;
  const { time, from } = request.change;
  if (isWaiting) return retimeWaiting(tx, latest, request);
  const again = { ...request, from: from ?? kept.next_from_phone, ask: askOnAccepting };
  const former = timeOfCancelled(held, request);
  if (former) return callAgain(tx, held, { ...again, time: former });
  const isNew =
    time !== undefined && time.at !== latest.scheduled_at && time.written !== latest.scheduled_time;
  if (!isNew && from === undefined) return latest;
  // The batch or schedule of the call decides when it is called again.
  if (hasOwner(latest)) throw invalidStateProblem(latest);
  // The same request cancels or completes a call that was made: its time causes no further call.
  if (isClosing(request.change) && isCalled(latest)) return latest;
  if (isNew && callMachine.isFinal(latest.status)) return callAgain(tx, held, { ...again, time });
  if (isNew) await askOnAccepting(tx, { call: latest, dueAt: time.at, rules, at: context.at });
  await keepHandle(tx, kept.call_id, {
    ...(from === undefined ? {} : { next_from_phone: from }),
    ...(isNew ? { ...nextTime(time), shown_status: null } : {}),
  });
  return latest;
}

/** True if the call was made and is over. */
function isCalled({ status }: CallRow): boolean {
  return callMachine.isFinal(status) && status !== 'cancelled';
}

/** The problem of a request that the status of the call does not allow. */
export function invalidStateProblem(call: CallRow): Problem {
  return new Problem('invalid_state', `This is not possible for a call that is ${call.status}.`);
}

/** The columns of a handle for the time of its further call. */
function nextTime({ written, at, readIn = null }: WantedTime) {
  return { next_time: written, next_due_at: at, next_timezone: readIn };
}

/**
 * The time of a cancelled call that a request sets back to `scheduled` without a new time, before that time has passed;
 * null for any other request.
 */
function timeOfCancelled(
  { kept, latest: call }: HeldHandle,
  { change, context }: SingleCallChange,
): WantedTime | null {
  const { scheduled_at: at, scheduled_time: written, timezone: readIn } = call;
  const isWanted = change.status?.wanted === 'scheduled' && !change.time && kept.next_due_at === null;
  if (!isWanted || call.status !== 'cancelled' || hasOwner(call)) return null;
  return at !== null && at >= context.at - DIAL_GRACE_MS
    ? { written: written ?? toInstant(at), at, readIn }
    : null;
}

/** Sets time and caller id of a call that waits. */
async function retimeWaiting(
  tx: Tx,
  call: CallRow,
  { change: { time, from }, context: { at }, rules }: SingleCallChange,
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
  const planned = plannedFor(dueAt);
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
