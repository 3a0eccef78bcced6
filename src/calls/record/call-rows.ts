import { Problem } from '#kernel/errors/errors.js';
import type { SqlValue, Tx } from '#store/transaction.js';
import { postUpdate } from '#store/statements/update.js';
import { CallRow } from './call.js';
import { readCall } from './read-call.js';

// Reads, locks and updates rows of the table `calls`, inside transactions. `lockCall` and `findCall` throw for a
// corrupt row; `requireCall` and `lockRepaired` read it as far as possible.

/**
 * The subject of a transaction about one call, for `shareCommits`: transactions about different calls may share a
 * commit, those about one call run in order.
 */
export function ofCall({ callId }: { callId: string }): string {
  return callId;
}

/** A call of a workspace. @throws Problem `call_not_found`, also for a call of another workspace */
export async function requireCall(tx: Tx, args: { workspace: string; id: string }): Promise<CallRow> {
  const row = await tx.get('select * from calls where id = ? and workspace = ?', args.id, args.workspace);
  if (!row) throw new Problem('call_not_found', 'There is no call with this id.');
  return readCall(row).value;
}

/** Locks a call until the transaction ends; null when it does not exist. */
export async function lockCall(tx: Tx, id: string): Promise<CallRow | null> {
  const row = await tx.get(`select * from calls where id = ?${tx.dialect.forUpdate}`, id);
  return row ? CallRow.parse(row) : null;
}

/** A call of any workspace; null when it does not exist. */
export async function findCall(tx: Tx, id: string): Promise<CallRow | null> {
  const row = await tx.get('select * from calls where id = ?', id);
  return row ? CallRow.parse(row) : null;
}

/** True if a call is active and has not begun to end. */
export async function isLive(tx: Tx, id: string): Promise<boolean> {
  const row = await tx.get(
    `select 1 from calls where id = ? and status = 'active' and ended_reason is null`,
    id,
  );
  return row !== undefined;
}

/** Updates columns of a call; the values are SQL values, such as JSON text. */
export function setColumns(tx: Tx, id: string, columns: Readonly<Record<string, SqlValue>>): void {
  postUpdate(tx, 'calls', { set: columns, where: { id } });
}
