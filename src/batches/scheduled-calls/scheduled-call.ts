import type { CallStatus } from '#calls/record/call-machine.js';
import type { CallRow } from '#calls/record/call.js';
import { readCall } from '#calls/record/read-call.js';
import { placeholders } from '#store/statements/placeholders.js';
import type { SqlRow, Tx } from '#store/transaction.js';
import { BatchRow, readRecipient, type RecipientRow } from '#batches/record/batch.js';
import type { ScheduledCallStatus } from '#batches/record/recipient-status.js';

// The calls under `/batch/scheduled-calls`, single calls and recipients of batches: their state, and the queries that
// read it. Used by `handleTransactions`.

/** A call with its state under `/batch/scheduled-calls`. */
export interface ScheduledCall {
  /** The call whose id is the handle. */
  call: CallRow;
  /** The recipient in a batch; null for a single call. */
  member: { recipient: RecipientRow; batch: BatchRow } | null;
  /** The state of a single call; null for a recipient of a batch. */
  single: SingleCall | null;
}

/** The state of a single call that its row does not show. */
interface SingleCall {
  /** True if the call has a dial attempt that has not ended. A call with status `queued` without one is paused. */
  hasAttempt: boolean;
  /** True if the call waits in the dial queue. */
  isInDialQueue: boolean;
  /** The status word that a client chose last; null without one. */
  shownStatus: string | null;
}

/** The status under `/batch/scheduled-calls` by the status of the call. */
export const SHOWN_STATUS: Record<CallStatus, ScheduledCallStatus> = {
  queued: 'scheduled',
  initiated: 'in_progress',
  connecting: 'in_progress',
  connected: 'in_progress',
  active: 'in_progress',
  ending: 'in_progress',
  completed: 'completed',
  failed: 'failed',
  missed: 'failed',
  cancelled: 'cancelled',
};

/**
 * The requested time of a call: as written, as an instant, and the zone in which it was read. A call that was wanted at
 * once has the instant of its creation.
 */
export function askedTime({ scheduled_time: written, scheduled_at: at, created_at, timezone }: CallRow) {
  return { written, at: at ?? created_at, readIn: timezone };
}

/** Calls with their state, in the same order. */
export async function scheduledCalls(tx: Tx, calls: readonly CallRow[]): Promise<ScheduledCall[]> {
  const callIds = calls.map((call) => call.id);
  const recipients = await mapByIds(tx, 'select * from batch_recipients where call_id in', callIds, (row) => {
    const recipient = readRecipient(row, 'pending').value;
    return [recipient.call_id, recipient];
  });
  const batchIds = [...new Set([...recipients.values()].map(({ batch_id }) => batch_id))];
  const batches = await mapByIds(tx, 'select * from batches where id in', batchIds, (row) => {
    const batch = BatchRow.parse(row);
    return [batch.id, batch];
  });
  const singles = await singleCalls(
    tx,
    callIds.filter((id) => !recipients.has(id)),
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
  return mapByIds(tx, 'select * from calls where id in', ids, (row) => {
    const call = readCall(row).value;
    return [call.id, call];
  });
}

/** The state of calls outside of batches, by id. */
async function singleCalls(tx: Tx, ids: readonly string[]): Promise<Map<string, SingleCall>> {
  const attempts = `select call_id, status from dial_attempts where status <> 'ended' and call_id in`;
  const queued = await mapByIds(tx, attempts, ids, (row) => [String(row['call_id']), row['status']]);
  const words = await mapByIds(
    tx,
    'select call_id, shown_status from queued_call_handles where call_id in',
    ids,
    ({ call_id: id, shown_status: word }) => [String(id), typeof word === 'string' ? word : null],
  );
  return new Map(
    ids.map((id) => [
      id,
      {
        hasAttempt: queued.has(id),
        isInDialQueue: queued.get(id) === 'pending',
        shownStatus: words.get(id) ?? null,
      },
    ]),
  );
}

/** Reads rows by ids: `select` ends with `in`, and `entryOf` gives the key and the value of a row. */
async function mapByIds<Value>(
  tx: Tx,
  select: string,
  ids: readonly string[],
  entryOf: (row: SqlRow) => [string, Value],
): Promise<Map<string, Value>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.all(`${select} (${placeholders(ids)})`, ...ids);
  return new Map(rows.map(entryOf));
}
