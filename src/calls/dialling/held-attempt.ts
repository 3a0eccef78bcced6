import type { SqlValue, Tx } from '#store/transaction.js';
import { postUpdate, update } from '#store/statements/update.js';
import { attemptMachine, DialAttempt, type AttemptStatus } from '#calls/queue/dial-attempt.js';

// Changes claimed dial attempts, inside the transactions of dialling (`dialTransactions`, `beginDialling`). These
// functions change an attempt only under the lease of the process that has claimed it.

/**
 * Which process holds an attempt, and until when. The pair is also a fencing token: after a takeover, even by the same
 * process, the row has another `leaseUntil`, and a write with the old lease changes nothing.
 */
export interface Lease {
  nodeId: string;
  /** Epoch milliseconds. */
  leaseUntil: number;
}

/** The lease under which a process has claimed an attempt. (A claimed attempt has a `lease_until`, never null.) */
export function leaseOf({ lease_until: leaseUntil }: DialAttempt, nodeId: string): Lease {
  return { nodeId, leaseUntil: leaseUntil ?? 0 };
}

/**
 * An attempt and its call. A transaction that changes both locks the call first; one common order prevents deadlocks.
 */
export interface AttemptAndCall {
  attemptId: string;
  callId: string;
}

/** The columns of an attempt without a holder. */
export const NO_LEASE = { node_id: null, lease_until: null, dial_deadline_at: null };

/**
 * Moves an attempt from one status to another under its lease; false when status or lease have changed.
 * @throws Error for a move that the table does not allow
 */
export async function moveHeld(
  tx: Tx,
  { attemptId, lease }: { attemptId: string; lease: Lease },
  { from, to, at }: { from: AttemptStatus; to: AttemptStatus; at: number },
  columns: Readonly<Record<string, SqlValue>> = {},
): Promise<boolean> {
  if (!attemptMachine.canMove(from, to)) throw new Error(`an attempt cannot go from ${from} to ${to}`);
  const changed = await update(tx, 'dial_attempts', {
    set: { status: to, updated_at: at, ...columns },
    where: { id: attemptId, status: from, node_id: lease.nodeId, lease_until: lease.leaseUntil },
  });
  return changed === 1;
}

/** Locks an attempt until the transaction ends; null when it does not exist. */
async function lockAttempt(tx: Tx, id: string): Promise<DialAttempt | null> {
  const row = await tx.get(`select * from dial_attempts where id = ?${tx.dialect.forUpdate}`, id);
  return row ? DialAttempt.parse(row) : null;
}

/** Locks an attempt; null unless it is still held under this lease and still unsettled. */
export async function lockHeld(
  tx: Tx,
  args: { attemptId: string; lease: Lease },
): Promise<DialAttempt | null> {
  const attempt = await lockAttempt(tx, args.attemptId);
  const { nodeId, leaseUntil } = args.lease;
  if (!attempt || attempt.status === 'placed' || attempt.status === 'ended') return null;
  return attempt.node_id === nodeId && attempt.lease_until === leaseUntil ? attempt : null;
}

/** Moves a locked attempt to a status, unless its status has changed since it was read. */
export function moveLocked(
  tx: Tx,
  attempt: DialAttempt,
  status: AttemptStatus,
  at: number,
  columns: Readonly<Record<string, SqlValue>> = {},
): void {
  postUpdate(tx, 'dial_attempts', {
    set: { status, updated_at: at, ...columns },
    where: { id: attempt.id, status: attempt.status },
  });
}

/** The attempts of rows from `returning`, which guarantees no order, sorted by due time. */
export function attemptsByDueTime(rows: readonly unknown[]): DialAttempt[] {
  return rows
    .map((row) => DialAttempt.parse(row))
    .sort((a, b) => a.due_at - b.due_at || (a.id < b.id ? -1 : 1));
}
