import type { CallRow } from '#calls/record/call.js';
import { readCall } from '#calls/record/read-call.js';
import { placeholders } from '#store/statements/placeholders.js';
import type { SqlRow, Tx } from '#store/transaction.js';
import { BatchRow, readRecipient } from '#batches/record/batch.js';
import { QueuedCallHandle } from './queued-call-handle.js';
import type { ScheduledCall, SingleCall } from './scheduled-call.js';

/** Calls with the state of their handles, in the same order. */
export async function scheduledCalls(tx: Tx, calls: readonly CallRow[]): Promise<ScheduledCall[]> {
  const callIds = calls.map((call) => call.id);
  const recipients = await mapped(tx, 'select * from batch_recipients where call_id in', callIds, (row) => {
    const recipient = readRecipient(row, 'pending').value;
    return [recipient.call_id, recipient];
  });
  const batchIds = [...new Set([...recipients.values()].map(({ batch_id }) => batch_id))];
  const batches = await mapped(tx, 'select * from batches where id in', batchIds, (row) => {
    const batch = BatchRow.parse(row);
    return [batch.id, batch];
  });
  const singles = await singleCalls(
    tx,
    calls.filter(({ id }) => !recipients.has(id)),
  );
  return calls.map((call) => {
    const recipient = recipients.get(call.id);
    const batch = recipient && batches.get(recipient.batch_id);
    const member = recipient && batch ? { recipient, batch } : null;
    return { call, member, single: singles.get(call.id) ?? null };
  });
}

/** Calls by id. */
export function callsById(tx: Tx, ids: readonly string[]): Promise<Map<string, CallRow>> {
  return mapped(tx, 'select * from calls where id in', ids, (row) => {
    const call = readCall(row).value;
    return [call.id, call];
  });
}

/** State of handles outside batches, by id. */
async function singleCalls(tx: Tx, calls: readonly CallRow[]): Promise<Map<string, SingleCall>> {
  const attemptsOf = await allAttempts(tx, calls);
  const latestIds = [...attemptsOf.values()].map((attempts) => attempts.at(-1)!.id);
  const inQueue = `select call_id, status from dial_attempts where status <> 'ended' and call_id in`;
  const queued = await mapped(tx, inQueue, latestIds, (row) => [String(row['call_id']), row['status']]);
  const handles = 'select * from queued_call_handles where call_id in';
  const kept = await mapped(tx, handles, [...attemptsOf.keys()], (row) => {
    const handle = QueuedCallHandle.parse(row);
    return [handle.call_id, handle];
  });
  const known = [...attemptsOf].map(([id, attempts]): [string, SingleCall] => {
    const latest = attempts.at(-1)!;
    const single = {
      latest,
      attempts: attempts.filter(({ started_at: startedAt }) => startedAt !== null).length,
      isQueued: queued.has(latest.id),
      isWaiting: queued.get(latest.id) === 'pending',
      kept: kept.get(id) ?? null,
    };
    return [id, single];
  });
  return new Map(known);
}

/** First calls with their further calls in order, by handle. */
async function allAttempts(tx: Tx, calls: readonly CallRow[]): Promise<Map<string, CallRow[]>> {
  const attemptsOf = new Map(calls.map((call) => [call.id, [call]]));
  const select = 'select * from further_calls where handle_id in';
  const rows = await rowsIn(tx, select, [...attemptsOf.keys()]);
  const inOrder = rows.toSorted((a, b) => Number(a['attempt']) - Number(b['attempt']));
  const furtherIds = inOrder.map((row) => String(row['call_id']));
  const further = await callsById(tx, furtherIds);
  for (const row of inOrder) {
    const call = further.get(String(row['call_id']));
    if (call) attemptsOf.get(String(row['handle_id']))?.push(call);
  }
  return attemptsOf;
}

async function mapped<Value>(
  tx: Tx,
  select: string,
  ids: readonly string[],
  entryOf: (row: SqlRow) => [string, Value],
): Promise<Map<string, Value>> {
  return new Map((await rowsIn(tx, select, ids)).map(entryOf));
}

async function rowsIn(tx: Tx, select: string, ids: readonly string[]): Promise<SqlRow[]> {
  return ids.length === 0 ? [] : tx.all(`${select} (${placeholders(ids)})`, ...ids);
}
