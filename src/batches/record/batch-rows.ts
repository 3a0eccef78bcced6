import { Problem } from '#kernel/errors/errors.js';
import { insertInto } from '#store/statements/insert.js';
import type { SqlValue, Tx } from '#store/transaction.js';
import { update } from '#store/statements/update.js';
import { COUNTED_AS, type RecipientStatus } from './batch-machine.js';
import { BatchRow, RecipientRow } from './batch.js';

// Reads, locks and changes rows of batches and of their recipients, for the transactions of this module.

/** Inserts the row of a new batch. */
export async function insertBatch(tx: Tx, batch: BatchRow): Promise<void> {
  await insertInto(tx, 'batches', {
    ...batch,
    call_window: batch.call_window && JSON.stringify(batch.call_window),
    retry_policy: JSON.stringify(batch.retry_policy),
    metadata: JSON.stringify(batch.metadata),
  });
}

/** SQL condition: all recipients of the batch are loaded, and the batch is not deleted. */
export const IS_SHOWN = `status <> 'loading' and deleted_at is null`;

/**
 * A batch of the workspace. Batches of other workspaces, deleted batches and batches that are still loading are
 * unknown.
 * @param options.lock true to lock the row until the end of the transaction
 * @throws Problem `batch_not_found`
 */
export async function requireBatch(
  tx: Tx,
  key: { workspace: string; id: string },
  { lock = false } = {},
): Promise<BatchRow> {
  const row = await tx.get(
    `select * from batches where id = ? and workspace = ? and ${IS_SHOWN}${lock ? tx.dialect.forUpdate : ''}`,
    key.id,
    key.workspace,
  );
  if (!row) throw new Problem('batch_not_found', 'There is no batch with this id.');
  return BatchRow.parse(row);
}

/** Reads and locks a batch of any workspace. Changes of its recipients or counters lock the batch first. */
export async function lockBatch(tx: Tx, id: string): Promise<BatchRow | null> {
  const row = await tx.get(`select * from batches where id = ?${tx.dialect.forUpdate}`, id);
  return row ? BatchRow.parse(row) : null;
}

/** Columns of a batch that can change. */
export type BatchChanges = Partial<Omit<BatchRow, 'id' | 'workspace' | 'created_at'>>;

/**
 * Changes a locked batch. A new status clears `shown_status` (the status word that a client chose), unless the changes
 * set it.
 */
export async function changeBatch(tx: Tx, batch: BatchRow, requested: BatchChanges): Promise<BatchRow> {
  const isMoved = requested.status !== undefined && requested.status !== batch.status;
  const changes: BatchChanges = isMoved ? { shown_status: null, ...requested } : requested;
  const { metadata, retry_policy: policy, call_window: window, ...plain } = changes;
  const columns: Record<string, SqlValue> = {
    ...plain,
    ...(metadata && { metadata: JSON.stringify(metadata) }),
    ...(policy && { retry_policy: JSON.stringify(policy) }),
    ...(window && { call_window: JSON.stringify(window) }),
  };
  await update(tx, 'batches', { set: columns, where: { id: batch.id } });
  return { ...batch, ...changes };
}

/** The changed counters of a batch after a recipient moved from one status to another. */
export function recounted(batch: BatchRow, from: RecipientStatus, to: RecipientStatus): BatchChanges {
  const [left, entered] = [COUNTED_AS[from], COUNTED_AS[to]];
  return left === entered ? {} : { [left]: batch[left] - 1, [entered]: batch[entered] + 1 };
}

/** Changes one recipient of a locked batch. */
export async function changeRecipient(
  tx: Tx,
  recipient: RecipientRow,
  changes: Partial<Omit<RecipientRow, 'batch_id' | 'position' | 'call_id'>>,
): Promise<RecipientRow> {
  const { batch_id, position } = recipient;
  await update(tx, 'batch_recipients', { set: changes, where: { batch_id, position } });
  return { ...recipient, ...changes };
}

/** Recipients of a batch that meet a condition. @param where SQL, with its `values`; comes after `batch_id = ? and` */
export async function recipientsWhere(
  tx: Tx,
  batchId: string,
  where: string,
  ...values: SqlValue[]
): Promise<RecipientRow[]> {
  const rows = await tx.all(
    `select * from batch_recipients where batch_id = ? and ${where}`,
    batchId,
    ...values,
  );
  return rows.map((row) => RecipientRow.parse(row));
}
