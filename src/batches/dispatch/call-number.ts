import { SETTLEMENT } from '#calls/end-delivery/settlement.js';
import { moveCall, type TxContext } from '#calls/record/call-progress.js';
import { lockCall, setColumns } from '#calls/record/call-rows.js';
import { createCall } from '#calls/record/create-call.js';
import { enqueueAttempt } from '#calls/queue/dial-queue.js';
import { UNDIALLED } from '#calls/endings/undialled-call.js';
import type { CallRow } from '#calls/record/call.js';
import { askPolicy } from '#policy/decisions/ask-policy.js';
import { removeAttemptDecision } from '#policy/decisions/decision-rows.js';
import { rulesWith, type PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Tx } from '#store/transaction.js';
import { changeRecipient, recipientsWhere } from '#batches/record/batch-rows.js';
import { dueAtOf, type BatchRow, type RecipientRow } from '#batches/record/batch.js';

// One number (recipient) of a batch: releasing its call to the dialler's queue, and recalling the call from there. Each
// function runs within a transaction that has locked the batch.

/** A due number, with the arguments of its call. */
export interface PickedNumber {
  position: number;
  /** Id of the next call, for a further attempt. */
  callId: string;
  /** Reference of the attempt. */
  dialId: string;
  context: TxContext;
}

/**
 * How long the call of a number may wait for a slot. Numbers of a batch have no latest time: they wait in the batch or
 * in the dialler's queue, and window and policy decide when they may be called.
 */
const QUEUE_TTL_MS = 86_400_000;

/** The outcome for a due number; `not_now` leaves it as it is. */
export type ReleaseResult = 'released' | 'skipped' | 'deferred' | 'not_now';

/**
 * Releases one number to the dialler if the policy allows it.
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
  const last = await lastCallOf(tx, recipient, first);
  if (last === 'end_unheard') return 'not_now';
  const decision = await askPolicy(tx, {
    workspace: batch.workspace,
    phoneNumber: recipient.phone_number,
    moment: 'dialling',
    subjectId: pick.dialId,
    callId: last?.id ?? pick.callId,
    now: at,
    rules: rulesWith(rules, batch.call_window),
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
    if (last) await moveCall(tx, last, { to: 'failed', context: pick.context, reason: decision.reason });
    return 'skipped';
  }
  await release(tx, { batch, recipient, first, last, pick, at, dueAt });
  return 'released';
}

/**
 * The open call of a waiting number; null if the next attempt needs a new call; `end_unheard` if its end is unsettled.
 */
async function lastCallOf(
  tx: Tx,
  { status, last_call_id: lastId }: RecipientRow,
  first: CallRow,
): Promise<CallRow | null | 'end_unheard'> {
  if (lastId === first.id && first.ended_at === null) return first;
  const row = await tx.get('select ended_at, unsettled from calls where id = ?', lastId);
  if (row && row['ended_at'] === null) return lockCall(tx, lastId);
  // The end of the last call is not settled yet.
  const isUnheard = status === 'pending' || (row && row['unsettled'] !== SETTLEMENT.settled);
  return isUnheard ? 'end_unheard' : null;
}

/**
 * Takes the call of a number back from the dialler's queue if it was not dialled; the same call waits in the batch
 * again, also after a refusal by the carrier. Returns the changed number; null if the call was not in the queue. `at`
 * is epoch milliseconds.
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

/** States of a queued call: `connecting` after a refusal by the carrier, until the next attempt. */
const WAITING = ['queued', 'connecting'];

/**
 * Query of the calls that {@link withdraw} takes out of the dialler's queue.
 * @param id SQL expression of the call id
 */
export function queuedCall(id: string): string {
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
  // Without `node_id` no watchdog or recovery considers the call, `started_at` is set when it is dialled, and a
  // deferral by the policy is settled.
  await tx.run(
    `update calls set node_id = null, started_at = null, unsettled = ${SETTLEMENT.settled}, updated_at = ? where id = ?`,
    at,
    callId,
  );
  const [workspace, phoneNumber] = [String(call['workspace']), String(call['to_phone'])];
  await removeAttemptDecision(tx, { workspace, phoneNumber, subjectId: String(attempt['id']) });
  return true;
}

/** When a call was queued for the dialler or last deferred by the policy; null if it never was. */
export async function queuedAt(tx: Tx, callId: string): Promise<number | null> {
  const attempt = await tx.get('select expires_at from dial_attempts where call_id = ?', callId);
  return typeof attempt?.['expires_at'] === 'number' ? attempt['expires_at'] - QUEUE_TTL_MS : null;
}

/** The instant until which the policy deferred a queued call; null for any other call. */
export async function deferredUntil(tx: Tx, callId: string): Promise<number | null> {
  const attempt = await tx.get(`select due_at from dial_attempts where call_id = ? and ${UNDIALLED}`, callId);
  return typeof attempt?.['due_at'] === 'number' ? attempt['due_at'] : null;
}

/** The arguments of {@link release}. */
interface Release {
  batch: BatchRow;
  recipient: RecipientRow;
  first: CallRow;
  /** See {@link lastCallOf}. */
  last: CallRow | null;
  pick: PickedNumber;
  at: number;
  /** See {@link callNumber}. */
  dueAt: number;
}

/** Queues the open call of a number, or a new one, for the dialler. */
async function release(tx: Tx, { batch, recipient, first, last, pick, at, dueAt }: Release): Promise<void> {
  const from = recipient.from_phone ?? batch.from_phone;
  const callId = last?.id ?? pick.callId;
  if (last === null) {
    await createCall(tx, {
      call: nextCall(pick.callId, first, { recipient, from, at }),
      agent: agentOf(first),
      context: pick.context,
    });
  } else if (last.from_phone !== from) {
    setColumns(tx, last.id, { from_phone: from });
  }
  // The waiting time counts from now, not from the position in the queue.
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

/** Drafts the call of a further attempt: a new call with the options of the first one. */
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
