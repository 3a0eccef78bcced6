import { IS_VISIBLE, readCall } from '#calls/record/read-call.js';
import { scheduleNotFound } from '#schedules/record/schedule-rows.js';
import { allOf, inPage, type CreationFilter } from '#store/statements/conditions.js';
import { positionOf, toPage, type Cursor, type Page } from '#store/page.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import type { BatchView } from '#batches/changes/batch-resource.js';
import { viewOf } from '#batches/changes/batch-store.js';
import { IS_SHOWN, requireBatch } from '#batches/record/batch-rows.js';
import { BatchRow, readRecipient } from '#batches/record/batch.js';
import type { ScheduledCallStatus } from '#batches/record/recipient-status.js';
import { callsById, scheduledCalls, type ScheduledCall } from './scheduled-call.js';

/** What a handle (an id under `/batch/scheduled-calls`) names: a batch, or a call, of a batch or single. */
export type Handle = { kind: 'batch'; view: BatchView } | { kind: 'call'; scheduled: ScheduledCall };

/** A handle and the workspace of the client; a handle of another workspace is unknown. */
export interface HandleKey {
  workspace: string;
  id: string;
}

/** SQL conditions on the rows of numbers, by the status that is shown. */
const CONDITIONS: Record<ScheduledCallStatus, string> = {
  scheduled: `status in ('pending', 'retry_wait')`,
  paused: `status = 'paused'`,
  in_progress: `status = 'dialling'`,
  completed: `status = 'succeeded'`,
  failed: `(status in ('failed', 'expired', 'skipped') and reason <> 'duplicate')`,
  cancelled: `(status = 'cancelled' or reason = 'duplicate')`,
};
/** Like {@link CONDITIONS}, in a paused batch: all its waiting numbers are shown as paused. */
const CONDITIONS_IN_PAUSED_BATCH: typeof CONDITIONS = {
  ...CONDITIONS,
  scheduled: '1 = 0',
  paused: `status in ('pending', 'retry_wait', 'paused')`,
};

/** SQL: the handle of the call is not deleted. */
const IS_KNOWN = `not exists (select 1 from queued_call_handles where call_id = calls.id and deleted_at is not null)
  and not exists (select 1 from batch_recipients where call_id = calls.id and deleted_at is not null)`;

/** The transactions by which `ScheduledCalls` finds and lists handles. */
export const handleTransactions = defineTransactions('handles', {
  find: findHandle,

  /** Calls requested for a time and recipients of batches, newest first. */
  async list(
    tx,
    args: CreationFilter & { workspace: string; cursor: Cursor | null; limit: number },
  ): Promise<Page<ScheduledCall>> {
    const { where, values } = allOf([
      [`workspace = ? and direction = 'outbound' and scheduled_at is not null`, args.workspace],
      [IS_VISIBLE],
      [IS_KNOWN],
      ...inPage(args, args.cursor),
    ]);
    const rows = await tx.all(
      `select * from calls where ${where} order by created_at desc, id desc limit ?`,
      ...values,
      args.limit + 1,
    );
    const calls = rows.map((row) => readCall(row).value);
    const page = toPage(calls, args.limit, (call) => ({ createdAt: call.created_at, id: call.id }));
    return { items: await scheduledCalls(tx, page.items), next: page.next };
  },

  /** Recipients of one batch, in the order of the request. The cursor's instant is a position. */
  async ofBatch(
    tx,
    args: {
      workspace: string;
      batchId: string;
      statuses?: readonly ScheduledCallStatus[];
      cursor: Cursor | null;
      limit: number;
    },
  ): Promise<Page<ScheduledCall>> {
    const batch = await requireBatch(tx, { workspace: args.workspace, id: args.batchId });
    const conditions = batch.status === 'paused' ? CONDITIONS_IN_PAUSED_BATCH : CONDITIONS;
    const anyStatus = args.statuses?.map((status) => conditions[status]).join(' or ') ?? '1 = 1';
    const rows = await tx.all(
      `select * from batch_recipients
       where batch_id = ? and position > ? and deleted_at is null and (${anyStatus}) order by position limit ?`,
      batch.id,
      positionOf(args.cursor),
      args.limit + 1,
    );
    const recipients = rows.map((row) => readRecipient(row, 'pending').value);
    const page = toPage(recipients, args.limit, ({ position, call_id }) => ({
      createdAt: position,
      id: call_id,
    }));
    const calls = await callsById(
      tx,
      page.items.map(({ call_id }) => call_id),
    );
    const items = page.items.flatMap((recipient): ScheduledCall[] => {
      const call = calls.get(recipient.call_id);
      return call ? [{ call, member: { recipient, batch }, single: null }] : [];
    });
    return { items, next: page.next };
  },
});

/**
 * Finds what a handle names. The call of a number's last attempt leads to the number. An id under which an earlier
 * release has called a number several times (table `further_calls`) leads to the last of those calls.
 * @throws Problem `scheduled_call_not_found` for unknown, foreign or deleted ids
 */
async function findHandle(tx: Tx, { workspace, id }: HandleKey): Promise<Handle> {
  const batch = await tx.get(
    `select * from batches where id = ? and workspace = ? and ${IS_SHOWN}`,
    id,
    workspace,
  );
  if (batch) return { kind: 'batch', view: await viewOf(tx, BatchRow.parse(batch)) };
  const row = await tx.get(
    `select * from calls where id = coalesce(
         (select call_id from further_calls where handle_id = ? order by attempt desc limit 1),
         (select call_id from batch_recipients where last_call_id = ?), ?)
       and workspace = ? and direction = 'outbound' and ${IS_KNOWN}`,
    id,
    id,
    id,
    workspace,
  );
  const [scheduled] = row ? await scheduledCalls(tx, [readCall(row).value]) : [];
  if (!scheduled) throw scheduleNotFound();
  return { kind: 'call', scheduled };
}
