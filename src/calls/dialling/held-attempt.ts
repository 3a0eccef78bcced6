import type { SqlValue, Tx } from '#store/transaction.js';
import { update } from '#store/statements/update.js';
import { attemptMachine, DialAttempt, type AttemptStatus } from '#calls/queue/dial-attempt.js';

/**
 * Whose hands an attempt is in, and until when. The pair also fences: a holder whose lease was taken over, even by the
 * same process, finds another `leaseUntil` in the row and changes nothing.
 */
export interface Lease {
  nodeId: string;
  leaseUntil: number;
}

/** Which attempt, and the call that it is for. Whoever changes both holds the call first, as everybody does. */
export interface AttemptOf {
  attemptId: string;
  callId: string;
}

/** The columns of an attempt that nobody holds. */
export const UNHELD = { node_id: null, lease_until: null, dial_deadline_at: null };

/** Moves an attempt that still is as its holder last knew it; false when it is not. */
export async function moveHeld(
  tx: Tx,
  { attemptId, held }: { attemptId: string; held: Lease },
  { from, to, at }: { from: AttemptStatus; to: AttemptStatus; at: number },
  columns: Readonly<Record<string, SqlValue>> = {},
): Promise<boolean> {
  if (!attemptMachine.canMove(from, to)) throw new Error(`an attempt cannot go from ${from} to ${to}`);
  const changed = await update(tx, 'dial_attempts', {
    set: { status: to, updated_at: at, ...columns },
    where: { id: attemptId, status: from, node_id: held.nodeId, lease_until: held.leaseUntil },
  });
  return changed === 1;
}

async function lockAttempt(tx: Tx, id: string): Promise<DialAttempt | null> {
  const row = await tx.get(`select * from dial_attempts where id = ?${tx.dialect.forUpdate}`, id);
  return row ? DialAttempt.parse(row) : null;
}

/** The attempt, if it still is in the hands of whoever asks, and nobody has learned what became of it. */
export async function lockHeld(
  tx: Tx,
  args: { attemptId: string; held: Lease },
): Promise<DialAttempt | null> {
  const attempt = await lockAttempt(tx, args.attemptId);
  const { nodeId, leaseUntil } = args.held;
  if (!attempt || attempt.status === 'placed' || attempt.status === 'ended') return null;
  return attempt.node_id === nodeId && attempt.lease_until === leaseUntil ? attempt : null;
}

/** Moves an attempt to a status, unless it has left the one that it was read in. */
export async function setAttempt(
  tx: Tx,
  attempt: DialAttempt,
  status: AttemptStatus,
  at: number,
  columns: Readonly<Record<string, SqlValue>> = {},
): Promise<void> {
  await update(tx, 'dial_attempts', {
    set: { status, updated_at: at, ...columns },
    where: { id: attempt.id, status: attempt.status },
  });
}

/** Attempts in the order in which they are due: `returning` promises none. */
export function sorted(rows: readonly unknown[]): DialAttempt[] {
  return rows
    .map((row) => DialAttempt.parse(row))
    .sort((a, b) => a.due_at - b.due_at || (a.id < b.id ? -1 : 1));
}
