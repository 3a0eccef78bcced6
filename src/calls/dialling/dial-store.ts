import { LIMIT } from '#store/statements/limit.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import { finishRepaired, lockRepaired } from '#calls/endings/repaired-call.js';
import type { FinishDetails } from '#calls/endings/finish-call.js';
import { attemptMachine, type DialAttempt } from '#calls/queue/dial-attempt.js';
import { LANES, type Lane } from '#calls/queue/dial-lane.js';
import type { CallRow } from '#calls/record/call.js';
import { markOver, markPlaced } from '#calls/reports/carrier-store.js';
import { beginDialling, type BeginDialling, type BeginOutcome } from './begin-dialling.js';
import { lockHeld, UNHELD, setAttempt, sorted, type AttemptOf, type Lease } from './held-attempt.js';

type ClaimDue = Lease & { now: number; limit: number };

export const dialTransactions = defineTransactions('dials', {
  /**
   * Takes due attempts; nobody else gets them while the lease lasts. Those of batches come after the others, but for
   * `forBatches` of them, which come first. `onlyWantedAtOnce`: only those that had no time of their own to wait for.
   */
  async claim(
    tx,
    args: ClaimDue & { forBatches: number; onlyWantedAtOnce?: boolean },
  ): Promise<DialAttempt[]> {
    const first = args.limit - args.forBatches;
    const whether: Whether = args.onlyWantedAtOnce ? WANTED_AT_ONCE : 'expires_at > ?';
    const singles = await take(tx, 'single', whether, { ...args, limit: first });
    const ofBatches = await take(tx, 'batch', whether, { ...args, limit: args.limit - singles.length });
    // Batches may have left some of their share, and more of the others may wait than were asked for.
    const left = singles.length < first ? 0 : args.limit - first - ofBatches.length;
    const further = await take(tx, 'single', whether, { ...args, limit: left });
    return [...singles, ...ofBatches, ...further];
  },

  /** Takes attempts that waited too long to be dialled any more. */
  async claimExpired(tx, args: ClaimDue): Promise<DialAttempt[]> {
    const taken: DialAttempt[] = [];
    for (const lane of LANES) {
      const limit = args.limit - taken.length;
      taken.push(...(await take(tx, lane, 'expires_at <= ?', { ...args, limit })));
    }
    return taken;
  },

  /** When the next attempt that may still be dialled is due, or null. */
  async nextDueAt(tx, args: { now: number }): Promise<number | null> {
    const firsts = LANES.map((lane) => `(${firstOf(lane)}) as ${lane}`);
    const row = await tx.get(`select ${firsts.join(', ')}`, ...LANES.map(() => args.now));
    const dueAt = Object.values(row ?? {}).filter((at) => typeof at === 'number');
    return dueAt.length === 0 ? null : Math.min(...dueAt);
  },

  /** Makes due what was wanted at once by a clock that was ahead, and lies in the future since it was set back. */
  async bringForward(tx, args: { at: number }): Promise<void> {
    await tx.run(
      `update dial_attempts
       set due_at = ?, wanted_at = ?, expires_at = expires_at - due_at + ?, updated_at = ?
       where status = 'pending' and due_at > ? and due_at <= updated_at`,
      args.at,
      args.at,
      args.at,
      args.at,
      args.at,
    );
  },

  /** {@link beginDialling} */
  begin(tx, args: BeginDialling): Promise<BeginOutcome> {
    return beginDialling(tx, args);
  },

  /**
   * The carrier took the call. `wanted` is false when the call was ended meanwhile and must be hung up; a line that was
   * handed over is in other hands by then.
   */
  async placed(tx, args: AttemptOf & { providerCallId: string; at: number }): Promise<{ wanted: boolean }> {
    const call = await tx.get(
      'update calls set provider_call_id = coalesce(provider_call_id, ?) where id = ? returning ended_reason',
      args.providerCallId,
      args.callId,
    );
    if (!call) return { wanted: false };
    const reason = call['ended_reason'];
    if (reason === null) await markPlaced(tx, args.attemptId, args.at);
    else await markOver(tx, args.attemptId, args.at);
    return { wanted: reason === null || reason === 'transferred' };
  },

  /** The attempt came to nothing: it is over, and so is its call. Null where the call was over before. */
  async failed(tx, args: AttemptOf & { held: Lease; finish: FinishDetails }): Promise<CallRow | null> {
    const call = await lockRepaired(tx, args.callId);
    const attempt = await lockHeld(tx, args);
    if (!attempt || !call) return null;
    await setAttempt(tx, attempt, 'ended', args.finish.context.at);
    if (call.value.ended_at !== null) return null;
    // What could not have been dialled in time either is not tried again: nothing is left to call by.
    const isLost = call.repair !== null && args.finish.reason === 'expired';
    return finishRepaired(tx, call, isLost ? { ...args.finish, reason: 'damaged' } : args.finish);
  },

  /** Nobody knows whether the phone rang: the reconciler asks the carrier when the lease is over. */
  async uncertain(
    tx,
    args: { attemptId: string; held: Lease; leaseUntil: number; at: number },
  ): Promise<void> {
    const attempt = await lockHeld(tx, args);
    if (!attempt || !attemptMachine.canMove(attempt.status, 'uncertain')) return;
    await setAttempt(tx, attempt, 'uncertain', args.at, { lease_until: args.leaseUntil });
  },

  /**
   * Puts an attempt back into the queue; only for attempts of which the carrier certainly made nothing, or which it
   * knows again by their reference (`mayHaveRung`).
   */
  async postpone(
    tx,
    args: { attemptId: string; held: Lease; dueAt: number; mayHaveRung: boolean; at: number },
  ): Promise<void> {
    const attempt = await lockHeld(tx, args);
    if (!attempt || !attemptMachine.canMove(attempt.status, 'pending')) return;
    await setAttempt(tx, attempt, 'pending', args.at, {
      due_at: args.dueAt,
      ...UNHELD,
      ...(args.mayHaveRung ? { dial_deadline_at: attempt.dial_deadline_at } : {}),
    });
  },

  /** Takes attempts whose holder fell silent, for the reconciler to settle. */
  async claimUnsettled(tx, args: Lease & { now: number; limit: number }): Promise<DialAttempt[]> {
    const rows = await tx.all(
      `update dial_attempts set node_id = ?, lease_until = ?, updated_at = ?
       where id in (
         select id from dial_attempts
         where status in ('claimed', 'dialling', 'uncertain') and lease_until <= ?
         order by lease_until, id ${LIMIT}${tx.dialect.skipLocked}
       ) returning *`,
      args.nodeId,
      args.leaseUntil,
      args.now,
      args.now,
      args.limit,
    );
    return sorted(rows);
  },

  /** When the next lease of an unsettled attempt ends, or null. */
  async nextUnsettledAt(tx): Promise<number | null> {
    const row = await tx.get(
      `select min(lease_until) as lease_until from dial_attempts
       where status in ('claimed', 'dialling', 'uncertain')`,
    );
    return typeof row?.['lease_until'] === 'number' ? row['lease_until'] : null;
  },

  /** A look-up found nothing; the next one waits until `leaseUntil`. */
  async notFound(
    tx,
    args: { attemptId: string; held: Lease; leaseUntil: number; at: number },
  ): Promise<void> {
    const attempt = await lockHeld(tx, args);
    if (!attempt) return;
    await setAttempt(tx, attempt, 'uncertain', args.at, {
      look_ups: attempt.look_ups + 1,
      lease_until: args.leaseUntil,
    });
  },
});

/** Written at the instant at which it was due, or later. */
const WANTED_AT_ONCE = 'expires_at > ? and due_at <= updated_at';
type Whether = 'expires_at > ?' | 'expires_at <= ?' | typeof WANTED_AT_ONCE;

/** Takes due attempts of one lane, which `whether` (about `now`) is true of. */
async function take(tx: Tx, lane: Lane, whether: Whether, args: ClaimDue): Promise<DialAttempt[]> {
  if (args.limit <= 0) return [];
  const rows = await tx.all(
    `update dial_attempts set status = 'claimed', node_id = ?, lease_until = ?, updated_at = ?
     where id in (
       select id from dial_attempts where status = 'pending' and lane = '${lane}' and due_at <= ? and ${whether}
       order by due_at, id ${LIMIT}${tx.dialect.skipLocked}
     ) returning *`,
    args.nodeId,
    args.leaseUntil,
    args.now,
    args.now,
    args.now,
    args.limit,
  );
  return sorted(rows);
}

/** When the first attempt of a lane is due that may still be dialled, as a query. */
function firstOf(lane: Lane): string {
  return `select due_at from dial_attempts where status = 'pending' and lane = '${lane}' and expires_at > ?
    order by due_at, id limit 1`;
}
