import { SETTLEMENT } from '#calls/owned-ends/settlement.js';
import { moveCall, type Moment } from '#calls/record/call-progress.js';
import { lockCall, setColumns } from '#calls/record/call-rows.js';
import { createCall } from '#calls/record/create-call.js';
import { enqueueAttempt } from '#calls/queue/dial-queue.js';
import { UNDIALLED } from '#calls/endings/undialled-call.js';
import type { CallRow } from '#calls/record/call.js';
import { askPolicy } from '#policy/decisions/ask-policy.js';
import { forgetAttempt } from '#policy/decisions/decision-rows.js';
import { rulesWith, type PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Tx } from '#store/unit.js';
import { changeRecipient, recipientsWhere } from '#batches/record/batch-rows.js';
import { dueAtOf, type BatchRow, type RecipientRow } from '#batches/record/batch.js';

/** A number whose turn it is, with what is needed to call it. */
export interface PickedNumber {
  position: number;
  /** A fresh one, for a further attempt whose call is not made yet. */
  callId: string;
  /** The reference of the attempt. */
  dialId: string;
  moment: Moment;
}

/**
 * How long the call of a number may wait for a slot. A batch has no hour of its own after which it is too late: its
 * numbers wait for their turn, in the batch or in the dialler's queue, and its window and the policy say when they may
 * be called.
 */
const PATIENCE_MS = 86_400_000;

/** What became of a number whose turn it was; `not_now` is one that stays as it is. */
export type ReleaseResult = 'released' | 'skipped' | 'deferred' | 'not_now';

/**
 * Lets one number be called, if the policy has nothing against it.
 * @param dueAt where its call stands in the dialler's queue: what is due earlier comes first
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
    if (last) await moveCall(tx, last, { to: 'failed', moment: pick.moment, reason: decision.reason });
    return 'skipped';
  }
  await release(tx, { batch, recipient, first, last, pick, at, dueAt });
  return 'released';
}

/** The call that a number waits to be called by: none where a further one is to be made. */
async function lastCallOf(
  tx: Tx,
  { status, last_call_id: lastId }: RecipientRow,
  first: CallRow,
): Promise<CallRow | null | 'end_unheard'> {
  if (lastId === first.id && first.ended_at === null) return first;
  const row = await tx.get('select ended_at, unsettled from calls where id = ?', lastId);
  if (row && row['ended_at'] === null) return lockCall(tx, lastId);
  // Its end is on its way to the batch.
  const isUnheard = status === 'pending' || (row && row['unsettled'] !== SETTLEMENT.settled);
  return isUnheard ? 'end_unheard' : null;
}

/**
 * Takes the call of one number out of the dialler's queue again, if no phone rings for it. It stays the same call,
 * which waits on in the batch, also where the carrier has refused it before. Returns the number as it is then, or null
 * when it was not there. `at` is epoch milliseconds.
 */
export async function takeBack(tx: Tx, recipient: RecipientRow, at: number): Promise<RecipientRow | null> {
  const { call_id: ownId, last_call_id: lastId } = recipient;
  if (!(await withdraw(tx, lastId, at))) return null;
  return changeRecipient(tx, recipient, {
    status: lastId === ownId ? 'pending' : 'retry_wait',
    attempts: recipient.attempts - 1,
    updated_at: at,
  });
}

/** Ends the call of a number that waits, if it has one by which it would still be called. */
export async function callOffWaiting(
  tx: Tx,
  { last_call_id: lastId }: RecipientRow,
  moment: Moment,
): Promise<void> {
  const call = await lockCall(tx, lastId);
  // A call that is over stays as it ended.
  if (call) await moveCall(tx, call, { to: 'cancelled', moment, reason: 'cancelled' });
}

/**
 * Where a call of the queue stands: `connecting` when the carrier did not want it before, and it waits to be asked
 * again.
 */
const WAITING = ['queued', 'connecting'];

/** The calls that {@link withdraw} takes out of the dialler's queue, as a query. @param id whose, in words of SQL */
export function queuedCall(id: string): string {
  return `select calls.id from calls join dial_attempts on dial_attempts.call_id = calls.id
    where calls.id = ${id} and calls.status in ('${WAITING.join("', '")}') and ${UNDIALLED}`;
}

/**
 * Takes a call out of the dialler's queue, if no phone rings for it, even one whose row is damaged otherwise. `at` is
 * epoch milliseconds.
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
  // Nobody carries it, so nobody minds for how long nothing is heard of it; and it begins when it is dialled. That it
  // was put off concerns nobody any more.
  await tx.run(
    `update calls set node_id = null, started_at = null, unsettled = ${SETTLEMENT.settled}, updated_at = ? where id = ?`,
    at,
    callId,
  );
  const [workspace, phoneNumber] = [String(call['workspace']), String(call['to_phone'])];
  await forgetAttempt(tx, { workspace, phoneNumber, subjectId: String(attempt['id']) });
  return true;
}

/** When a call was put into the dialler's queue, or last put off by the policy; null when it never was in it. */
export async function queuedAt(tx: Tx, callId: string): Promise<number | null> {
  const attempt = await tx.get('select expires_at from dial_attempts where call_id = ?', callId);
  return typeof attempt?.['expires_at'] === 'number' ? attempt['expires_at'] - PATIENCE_MS : null;
}

/** Until when the policy has put off a call that still waits for the dialler; null for any other. */
export async function putOffUntil(tx: Tx, callId: string): Promise<number | null> {
  const attempt = await tx.get(`select due_at from dial_attempts where call_id = ? and ${UNDIALLED}`, callId);
  return typeof attempt?.['due_at'] === 'number' ? attempt['due_at'] : null;
}

/** What it takes to put a number into the queue. */
interface Turn {
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

/** Puts the call of one number, one that waits or a further one, into the dialler's queue. */
async function release(tx: Tx, { batch, recipient, first, last, pick, at, dueAt }: Turn): Promise<void> {
  const from = recipient.from_phone ?? batch.from_phone;
  const callId = last?.id ?? pick.callId;
  if (last === null) {
    await createCall(tx, {
      call: againAs(pick.callId, first, { recipient, from, at }),
      agent: agentOf(first),
      moment: pick.moment,
    });
  } else if (last.from_phone !== from) {
    await setColumns(tx, last.id, { from_phone: from });
  }
  // It waits from now on, wherever it stands.
  const graceMs = at - dueAt + PATIENCE_MS;
  const waiting = { lane: 'batch', dueAt, wantedAt: at, graceMs } as const;
  await enqueueAttempt(tx, { id: pick.dialId, callId, ...waiting, at });
  await changeRecipient(tx, recipient, {
    status: 'dialling',
    shown_status: null,
    reason: null,
    attempts: recipient.attempts + 1,
    last_call_id: callId,
    updated_at: at,
  });
}

/** A further attempt is a call of its own, with all that the first one was to have. */
function againAs(
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

function agentOf(call: CallRow) {
  return { id: call.agent_id, name: call.agent_name, language: call.language };
}
