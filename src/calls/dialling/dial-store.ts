import { LIMIT } from '#store/statements/limit.js';
import { defineTransactions, noSubject, shareCommits, type Tx } from '#store/transaction.js';
import { finishRepaired, lockRepaired } from '#calls/endings/repaired-call.js';
import type { FinishDetails } from '#calls/endings/finish-call.js';
import { attemptMachine, type DialAttempt } from '#calls/queue/dial-attempt.js';
import { LANES, type Lane } from '#calls/queue/dial-lane.js';
import type { CallRow } from '#calls/record/call.js';
import { ofCall } from '#calls/record/call-rows.js';
import { markEnded, markPlaced } from '#calls/reports/carrier-store.js';
import { beginDialling, type BeginDialling, type BeginOutcome } from './begin-dialling.js';
import {
  lockHeld,
  NO_LEASE,
  moveLocked,
  attemptsByDueTime,
  type AttemptAndCall,
  type Lease,
} from './held-attempt.js';

// The transactions of dialling on the table `dial_attempts`: claims by the dialler, the expiry and the reconciler, and
// the outcomes of dial requests. Changes of a claimed attempt check its lease, except `placed`: a leg at the carrier is
// stored in any case.

/** The input of a claim: the new lease, the current time (epoch milliseconds), and the largest number of attempts. */
type ClaimDue = Lease & { now: number; limit: number };

/** The transactions of `Dialler`, `CallPlacer`, `DialExpiry` and `Reconciler`. */
export const dialTransactions = defineTransactions('dials', {
  /**
   * Claims due attempts under a lease. Single calls come first, except that `forBatches` places are reserved for batch
   * calls. `onlyWantedAtOnce`: claims only attempts without a later time of their own.
   */
  async claim(
    tx,
    args: ClaimDue & { forBatches: number; onlyWantedAtOnce?: boolean },
  ): Promise<DialAttempt[]> {
    const singlesFirst = args.limit - args.forBatches;
    const condition: DueCondition = args.onlyWantedAtOnce ? WANTED_AT_ONCE : 'expires_at > ?';
    const singles = await claimWhere(tx, 'single', condition, { ...args, limit: singlesFirst });
    const ofBatches = await claimWhere(tx, 'batch', condition, {
      ...args,
      limit: args.limit - singles.length,
    });
    // Batch calls may not fill their reserved places: more single calls take the rest.
    const placesLeft = singles.length < singlesFirst ? 0 : args.limit - singlesFirst - ofBatches.length;
    const moreSingles = await claimWhere(tx, 'single', condition, { ...args, limit: placesLeft });
    return [...singles, ...ofBatches, ...moreSingles];
  },

  /** Claims attempts that expired before they were dialled. */
  async claimExpired(tx, args: ClaimDue): Promise<DialAttempt[]> {
    const expired: DialAttempt[] = [];
    for (const lane of LANES) {
      const limit = args.limit - expired.length;
      expired.push(...(await claimWhere(tx, lane, 'expires_at <= ?', { ...args, limit })));
    }
    return expired;
  },

  /** The due time of the first attempt that has not expired (epoch milliseconds); null without one. */
  async nextDueAt(tx, args: { now: number }): Promise<number | null> {
    const firsts = LANES.map((lane) => `(${firstDueSql(lane)}) as ${lane}`);
    const row = await tx.get(`select ${firsts.join(', ')}`, ...LANES.map(() => args.now));
    const dueTimes = Object.values(row ?? {}).filter((at) => typeof at === 'number');
    return dueTimes.length === 0 ? null : Math.min(...dueTimes);
  },

  /**
   * Makes attempts due now that were wanted at once while the clock was ahead: since the clock was set back, their due
   * times lie in the future.
   */
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

  /** Checks a call and marks its attempt `dialling`, right before the dial request; see {@link beginDialling}. */
  begin(tx, args: BeginDialling): Promise<BeginOutcome> {
    return beginDialling(tx, args);
  },

  /**
   * Stores that the carrier has accepted the call, and under which id. `wanted` is false when the call has ended
   * meanwhile and its leg must be hung up. The leg of a transferred call stays wanted, because other people talk on it.
   */
  async placed(
    tx,
    args: AttemptAndCall & { providerCallId: string; at: number },
  ): Promise<{ wanted: boolean }> {
    const call = await tx.get(
      'update calls set provider_call_id = coalesce(provider_call_id, ?) where id = ? returning ended_reason',
      args.providerCallId,
      args.callId,
    );
    if (!call) return { wanted: false };
    const reason = call['ended_reason'];
    if (reason === null) markPlaced(tx, args.attemptId, args.at);
    else markEnded(tx, args.attemptId, args.at);
    return { wanted: reason === null || reason === 'transferred' };
  },

  /** Ends an attempt and its call. Null when the lease was lost, or when the call was already over. */
  async failed(tx, args: AttemptAndCall & { lease: Lease; finish: FinishDetails }): Promise<CallRow | null> {
    const call = await lockRepaired(tx, args.callId);
    const attempt = await lockHeld(tx, args);
    if (!attempt || !call) return null;
    moveLocked(tx, attempt, 'ended', args.finish.context.at);
    if (call.value.ended_at !== null) return null;
    // A call with a corrupt row is never dialled, so it expires: the corrupt row is the reason for its end.
    const isCorrupt = call.repair !== null && args.finish.reason === 'expired';
    return finishRepaired(tx, call, isCorrupt ? { ...args.finish, reason: 'damaged' } : args.finish);
  },

  /** Marks an attempt whose phone may have rung: the reconciler asks the carrier when the lease expires. */
  async uncertain(
    tx,
    args: { attemptId: string; lease: Lease; leaseUntil: number; at: number },
  ): Promise<void> {
    const attempt = await lockHeld(tx, args);
    if (!attempt || !attemptMachine.canMove(attempt.status, 'uncertain')) return;
    moveLocked(tx, attempt, 'uncertain', args.at, { lease_until: args.leaseUntil });
  },

  /**
   * Puts an attempt back into the queue; only for attempts that the carrier certainly has not placed, or whose
   * reference the carrier recognises when it is repeated (`mayHaveRung`).
   */
  async postpone(
    tx,
    args: { attemptId: string; lease: Lease; dueAt: number; mayHaveRung: boolean; at: number },
  ): Promise<void> {
    const attempt = await lockHeld(tx, args);
    if (!attempt || !attemptMachine.canMove(attempt.status, 'pending')) return;
    moveLocked(tx, attempt, 'pending', args.at, {
      due_at: args.dueAt,
      ...NO_LEASE,
      // Kept as the mark that an earlier request may have rung.
      ...(args.mayHaveRung ? { dial_deadline_at: attempt.dial_deadline_at } : {}),
    });
  },

  /** Claims attempts whose lease has expired before their outcome was stored, for the reconciler. */
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
    return attemptsByDueTime(rows);
  },

  /** When the next lease of an unsettled attempt expires (epoch milliseconds); null without one. */
  async nextUnsettledAt(tx): Promise<number | null> {
    const row = await tx.get(
      `select min(lease_until) as lease_until from dial_attempts
       where status in ('claimed', 'dialling', 'uncertain')`,
    );
    return typeof row?.['lease_until'] === 'number' ? row['lease_until'] : null;
  },

  /** Counts a look-up that found nothing; the next look-up waits until `leaseUntil`. */
  async notFound(
    tx,
    args: { attemptId: string; lease: Lease; leaseUntil: number; at: number },
  ): Promise<void> {
    const attempt = await lockHeld(tx, args);
    if (!attempt) return;
    moveLocked(tx, attempt, 'uncertain', args.at, {
      look_ups: attempt.look_ups + 1,
      lease_until: args.leaseUntil,
    });
  },
});

// Transactions about different calls may share a commit, which saves the database work.
shareCommits(dialTransactions, {
  begin: ofCall,
  placed: ofCall,
  failed: ofCall,
  nextDueAt: noSubject,
  nextUnsettledAt: noSubject,
});

/** SQL: not expired, and due at once when the attempt was last written, not at a later time of its own. */
const WANTED_AT_ONCE = 'expires_at > ? and due_at <= updated_at';
type DueCondition = 'expires_at > ?' | 'expires_at <= ?' | typeof WANTED_AT_ONCE;

/** Claims due attempts of one priority class that meet a condition at `now`, the parameter of the condition. */
async function claimWhere(
  tx: Tx,
  lane: Lane,
  condition: DueCondition,
  args: ClaimDue,
): Promise<DialAttempt[]> {
  if (args.limit <= 0) return [];
  const rows = await tx.all(
    `update dial_attempts set status = 'claimed', node_id = ?, lease_until = ?, updated_at = ?
     where id in (
       select id from dial_attempts where status = 'pending' and lane = '${lane}' and due_at <= ? and ${condition}
       order by due_at, id ${LIMIT}${tx.dialect.skipLocked}
     ) returning *`,
    args.nodeId,
    args.leaseUntil,
    args.now,
    args.now,
    args.now,
    args.limit,
  );
  return attemptsByDueTime(rows);
}

/** SQL: selects the due time of the first attempt of a priority class that has not expired. */
function firstDueSql(lane: Lane): string {
  return `select due_at from dial_attempts where status = 'pending' and lane = '${lane}' and expires_at > ?
    order by due_at, id limit 1`;
}
