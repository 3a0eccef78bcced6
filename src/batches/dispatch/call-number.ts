import { SETTLEMENT } from '#calls/end-delivery/settlement.js';
import { moveCall, type TxContext } from '#calls/record/call-progress.js';
import { lockCall, setColumns } from '#calls/record/call-rows.js';
import { createCall } from '#calls/record/create-call.js';
import { enqueueAttempt } from '#calls/queue/dial-queue.js';
import { UNDIALLED } from '#calls/endings/undialled-call.js';
import type { CallRow } from '#calls/record/call.js';
import { askPolicy } from '#policy/decisions/ask-policy.js';
import { removeAttemptDecision } from '#policy/decisions/decision-rows.js';
import { withOwnWindow, type PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Tx } from '#store/transaction.js';
import { changeRecipient, recipientsWhere } from '#batches/record/batch-rows.js';
import { dueAtOf, type BatchRow, type RecipientRow } from '#batches/record/batch.js';

// One number (recipient) of a batch: releasing its call to the dialler's queue, and recalling the call from there. Each
// function runs within a transaction that has locked the batch.

/** A due number, with the arguments of its call. */
export interface PickedNumber {
  position: number;
  /** Id of the call to make if the number has no open call. */
  callId: string;
  /** Reference of the attempt, which the carrier receives. */
  dialId: string;
  /** For making a call, or for ending the open call. */
  context: TxContext;
}

/**
 * How long a released call may wait in the dialler's queue before it expires: a day, since numbers of a batch have no
 * latest time. Window and policy decide when they may be called.
 */
const QUEUE_TTL_MS = 86_400_000;

/**
 * The outcome for a number: its call is in the dialler's queue (`released`), the policy forbids the call (`skipped`) or
 * names a later instant (`deferred`), or the number stays as it is, because it is no longer due or its last end is not
 * settled yet (`not_now`).
 */
export type ReleaseResult = 'released' | 'skipped' | 'deferred' | 'not_now';

/**
 * Releases one number to the dialler if the number is due and the policy allows it; otherwise skips or defers it.
 * @param dueAt position of its call in the dialler's queue: earlier instants come first
 */
export async function callNumber(
  tx: Tx,
  batch: BatchRow,
  pick: PickedNumber,
  { at, dueAt, rules }: { at: number; dueAt: number; rules: PolicyRules },
): Promise<ReleaseResult> {
  const [recipient] = await recipientsWhere(tx, batch.id, 'position = ?', pick.position);
  if (!recipient || dueAtOf(recipient, batch) > at) return 'not_now';
  if (recipient.status !== 'pending' && recipient.status !== 'retry_wait') return 'not_now';
  const first = await lockCall(tx, recipient.call_id);
  if (!first) throw new Error('a number of a batch has lost its call');
  const openCall = await openCallOf(tx, recipient, first);
  if (openCall === 'end_unsettled') return 'not_now';
  const decision = await askPolicy(tx, {
    workspace: batch.workspace,
    phoneNumber: recipient.phone_number,
    moment: 'dialling',
    subjectId: pick.dialId,
    callId: openCall?.id ?? pick.callId,
    now: at,
    rules: withOwnWindow(rules, batch.call_window),
  });
  if (decision.verdict === 'defer') {
    await changeRecipient(tx, recipient, { due_at: decision.until, updated_at: at });
    return 'deferred';
  }
  if (decision.verdict === 'skip') {
    await changeRecipient(tx, recipient, {
      status: 'skipped',
      shown_status: null,
      reason: decision.reason,
      updated_at: at,
    });
    if (openCall)
      await moveCall(tx, openCall, { to: 'failed', context: pick.context, reason: decision.reason });
    return 'skipped';
  }
  await release(tx, { batch, recipient, first, openCall, pick, at, dueAt });
  return 'released';
}

/**
 * The open call of a waiting number: its first call, or a later call that was taken back from the queue. Null if the
 * next attempt needs a new call; `end_unsettled` if the last call has ended and its end is not settled yet.
 */
async function openCallOf(
  tx: Tx,
  { status, last_call_id: lastId }: RecipientRow,
  first: CallRow,
): Promise<CallRow | null | 'end_unsettled'> {
  if (lastId === first.id && first.ended_at === null) return first;
  const row = await tx.get('select ended_at, unsettled from calls where id = ?', lastId);
  if (row && row['ended_at'] === null) return lockCall(tx, lastId);
  // A `pending` number waits for its first call: that call has ended, but the number does not show it yet.
  const isUnsettled = status === 'pending' || (row && row['unsettled'] !== SETTLEMENT.settled);
  return isUnsettled ? 'end_unsettled' : null;
}

/**
 * Takes the call of a number back from the dialler's queue, unless it was dialled. The number waits in the batch again,
 * and the next attempt uses the same call. Also for a call that waits in the queue after a refusal by the carrier.
 * Returns the changed number; null if the call was not in the queue. `at` is epoch milliseconds.
 */
export async function recallNumber(
  tx: Tx,
  recipient: RecipientRow,
  at: number,
): Promise<RecipientRow | null> {
  const { call_id: ownId, last_call_id: lastId } = recipient;
  if (!(await withdraw(tx, lastId, at))) return null;
  return changeRecipient(tx, recipient, {
    status: lastId === ownId ? 'pending' : 'retry_wait',
    attempts: recipient.attempts - 1,
    updated_at: at,
  });
}

/** Ends the open call of a waiting number, if it has one. */
export async function cancelWaitingCall(
  tx: Tx,
  { last_call_id: lastId }: RecipientRow,
  context: TxContext,
): Promise<void> {
  const call = await lockCall(tx, lastId);
  // A finished call stays as it ended.
  if (call) await moveCall(tx, call, { to: 'cancelled', context, reason: 'cancelled' });
}

/** Statuses of a call in the dialler's queue. `connecting`: the carrier has refused it, and it is dialled again. */
const WAITING = ['queued', 'connecting'];

/**
 * Query of the calls that {@link withdraw} takes out of the dialler's queue.
 * @param id SQL expression of the call id
 */
export function queuedCallSql(id: string): string {
  return `select calls.id from calls join dial_attempts on dial_attempts.call_id = calls.id
    where calls.id = ${id} and calls.status in ('${WAITING.join("', '")}') and ${UNDIALLED}`;
}

/**
 * Takes a call out of the dialler's queue if it was not dialled, even if other columns of its row are unreadable. `at`
 * is epoch milliseconds.
 */
export async function withdraw(tx: Tx, callId: string, at: number): Promise<boolean> {
  const call = await tx.get(
    `select status, workspace, to_phone from calls where id = ?${tx.dialect.forUpdate}`,
    callId,
  );
  if (!call || !WAITING.includes(String(call['status']))) return false;
  const [attempt] = await tx.all(
    `delete from dial_attempts where call_id = ? and ${UNDIALLED} returning id`,
    callId,
  );
  if (!attempt) return false;
  // `node_id`: no watchdog and no recovery considers a call without it. `started_at`: the next dialling sets it.
  // `unsettled`: a deferral by the policy has had its effect.
  await tx.run(
    `update calls set node_id = null, started_at = null, unsettled = ${SETTLEMENT.settled}, updated_at = ? where id = ?`,
    at,
    callId,
  );
  const [workspace, phoneNumber] = [String(call['workspace']), String(call['to_phone'])];
  await removeAttemptDecision(tx, { workspace, phoneNumber, subjectId: String(attempt['id']) });
  return true;
}

/**
 * When a call was queued for the dialler; after a deferral by the policy, about the instant until which it was
 * deferred. Null if the call was never queued.
 */
export async function queuedAt(tx: Tx, callId: string): Promise<number | null> {
  const attempt = await tx.get('select expires_at from dial_attempts where call_id = ?', callId);
  return typeof attempt?.['expires_at'] === 'number' ? attempt['expires_at'] - QUEUE_TTL_MS : null;
}

/**
 * When a call in the dialler's queue is due; after a deferral by the policy, the instant until which it is deferred.
 * Null for a call outside the queue.
 */
export async function undialledDueAt(tx: Tx, callId: string): Promise<number | null> {
  const attempt = await tx.get(`select due_at from dial_attempts where call_id = ? and ${UNDIALLED}`, callId);
  return typeof attempt?.['due_at'] === 'number' ? attempt['due_at'] : null;
}

/** The arguments of {@link release}. */
interface Release {
  batch: BatchRow;
  recipient: RecipientRow;
  first: CallRow;
  /** The open call of the number; null if a new call is made. */
  openCall: CallRow | null;
  pick: PickedNumber;
  at: number;
  /** The position in the dialler's queue: earlier instants come first. */
  dueAt: number;
}

/** Queues the open call of a number, or a new call, for the dialler. */
async function release(
  tx: Tx,
  { batch, recipient, first, openCall, pick, at, dueAt }: Release,
): Promise<void> {
  const from = recipient.from_phone ?? batch.from_phone;
  const callId = openCall?.id ?? pick.callId;
  if (openCall === null) {
    await createCall(tx, {
      call: nextCall(pick.callId, first, { recipient, from, at }),
      agent: agentOf(first),
      context: pick.context,
    });
  } else if (openCall.from_phone !== from) {
    setColumns(tx, openCall.id, { from_phone: from });
  }
  // `dueAt`, the position in the queue, may be earlier than now: the waiting time counts from now.
  const graceMs = at - dueAt + QUEUE_TTL_MS;
  const waiting = { lane: 'batch', dueAt, wantedAt: at, graceMs } as const;
  enqueueAttempt(tx, { id: pick.dialId, callId, ...waiting, at });
  await changeRecipient(tx, recipient, {
    status: 'dialling',
    shown_status: null,
    reason: null,
    attempts: recipient.attempts + 1,
    last_call_id: callId,
    updated_at: at,
  });
}

/** Drafts the call of a further attempt: a new call with the options of the first call. */
function nextCall(
  id: string,
  first: CallRow,
  { recipient, from, at }: { recipient: RecipientRow; from: string; at: number },
) {
  return {
    ...first,
    id,
    status: 'queued' as const,
    to_phone: recipient.phone_number,
    from_phone: from,
    provider_call_id: null,
    node_id: null,
    scheduled_time: null,
    scheduled_at: null,
    timezone: null,
    estimated_start_at: at,
  };
}

/** The agent of a call, as a new call of the same number stores it. */
function agentOf(call: CallRow) {
  return { id: call.agent_id, name: call.agent_name, language: call.language };
}
