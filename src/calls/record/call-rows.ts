import { Problem } from '#kernel/errors/errors.js';
import type { SqlValue, Tx } from '#store/transaction.js';
import { postUpdate } from '#store/statements/update.js';
import { CallRow } from './call.js';
import { readCall } from './read-call.js';

/** The subject of a transaction about one call. */
export function ofCall({ callId }: { callId: string }): string {
  return callId;
}

/** The call of a workspace, or `call_not_found`: a foreign call answers like an unknown one. */
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

/** The call in any workspace; null when it does not exist. */
export async function findCall(tx: Tx, id: string): Promise<CallRow | null> {
  const row = await tx.get('select * from calls where id = ?', id);
  return row ? CallRow.parse(row) : null;
}

/** Whether a call is active and has not begun to end. */
export async function isLive(tx: Tx, id: string): Promise<boolean> {
  const row = await tx.get(
    `select 1 from calls where id = ? and status = 'active' and ended_reason is null`,
    id,
  );
  return row !== undefined;
}

export function setColumns(tx: Tx, id: string, columns: Readonly<Record<string, SqlValue>>): void {
  postUpdate(tx, 'calls', { set: columns, where: { id } });
}
