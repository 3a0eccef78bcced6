import { LIMIT } from '#store/statements/limit.js';
import { defineTransactions, ofNone, shareCommits, type Tx } from '#store/transaction.js';
import { finishRepaired, lockRepaired } from '#calls/endings/repaired-call.js';
import type { FinishDetails } from '#calls/endings/finish-call.js';
import { attemptMachine, type DialAttempt } from '#calls/queue/dial-attempt.js';
import { LANES, type Lane } from '#calls/queue/dial-lane.js';
import type { CallRow } from '#calls/record/call.js';
import { ofCall } from '#calls/record/call-rows.js';
import { markOver, markPlaced } from '#calls/reports/carrier-store.js';
import { beginDialling, type BeginDialling, type BeginOutcome } from './begin-dialling.js';
import { lockHeld, UNHELD, setAttempt, sorted, type AttemptOf, type Lease } from './held-attempt.js';

type ClaimDue = Lease & { now: number; limit: number };

export const dialTransactions = defineTransactions('dials', {
  /**
   * Claims due attempts under a lease. Single calls come first, except that `forBatches` places are reserved for batch
   * calls. `onlyWantedAtOnce`: claims only attempts without a later time of their own.
   */
  async claim(
    tx,
    args: ClaimDue & { forBatches: number; onlyWantedAtOnce?: boolean },
  ): Promise<DialAttempt[]> {
    const first = args.limit - args.forBatches;
    const whether: Whether = args.onlyWantedAtOnce ? WANTED_AT_ONCE : 'expires_at > ?';
    const singles = await take(tx, 'single', whether, { ...args, limit: first });
    const ofBatches = await take(tx, 'batch', whether, { ...args, limit: args.limit - singles.length });
    // Batch calls may not fill their reserved places: further single calls take the rest.
    const left = singles.length < first ? 0 : args.limit - first - ofBatches.length;
    const further = await take(tx, 'single', whether, { ...args, limit: left });
    return [...singles, ...ofBatches, ...further];
  },

  /** Claims attempts that expired before they were dialled. */
  async claimExpired(tx, args: ClaimDue): Promise<DialAttempt[]> {
    const taken: DialAttempt[] = [];
    for (const lane of LANES) {
      const limit = args.limit - taken.length;
      taken.push(...(await take(tx, lane, 'expires_at <= ?', { ...args, limit })));
    }
    return taken;
  },

  /** The due time of the first attempt that has not expired, or null. */
  async nextDueAt(tx, args: { now: number }): Promise<number | null> {
    const firsts = LANES.map((lane) => `(${firstOf(lane)}) as ${lane}`);
    const row = await tx.get(`select ${firsts.join(', ')}`, ...LANES.map(() => args.now));
    const dueAt = Object.values(row ?? {}).filter((at) => typeof at === 'number');
    return dueAt.length === 0 ? null : Math.min(...dueAt);
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

  /** {@link beginDialling} */
  begin(tx, args: BeginDialling): Promise<BeginOutcome> {
    return beginDialling(tx, args);
  },

  /**
   * Stores that the carrier has accepted the call. `wanted` is false when the call has ended meanwhile and its line
   * must be hung up; the line of a transferred call must not.
   */
  async placed(tx, args: AttemptOf & { providerCallId: string; at: number }): Promise<{ wanted: boolean }> {
    const call = await tx.get(
      'update calls set provider_call_id = coalesce(provider_call_id, ?) where id = ? returning ended_reason',
      args.providerCallId,
      args.callId,
    );
    if (!call) return { wanted: false };
    const reason = call['ended_reason'];
    if (reason === null) markPlaced(tx, args.attemptId, args.at);
    else markOver(tx, args.attemptId, args.at);
    return { wanted: reason === null || reason === 'transferred' };
  },

  /** Ends an attempt and its call. Null when the lease was lost or the call was already over. */
  async failed(tx, args: AttemptOf & { held: Lease; finish: FinishDetails }): Promise<CallRow | null> {
    const call = await lockRepaired(tx, args.callId);
    const attempt = await lockHeld(tx, args);
    if (!attempt || !call) return null;
    setAttempt(tx, attempt, 'ended', args.finish.context.at);
    if (call.value.ended_at !== null) return null;
    // An expired call with a corrupt row could not have been dialled at all: the corrupt row is its reason.
    const isLost = call.repair !== null && args.finish.reason === 'expired';
    return finishRepaired(tx, call, isLost ? { ...args.finish, reason: 'damaged' } : args.finish);
  },

  /** Marks that the phone may have rung: the reconciler asks the carrier when the lease expires. */
  async uncertain(
    tx,
    args: { attemptId: string; held: Lease; leaseUntil: number; at: number },
  ): Promise<void> {
    const attempt = await lockHeld(tx, args);
    if (!attempt || !attemptMachine.canMove(attempt.status, 'uncertain')) return;
    setAttempt(tx, attempt, 'uncertain', args.at, { lease_until: args.leaseUntil });
  },

  /**
   * Puts an attempt back into the queue; only for attempts that the carrier certainly has not placed, or whose
   * reference the carrier recognises when it is repeated (`mayHaveRung`).
   */
  async postpone(
    tx,
    args: { attemptId: string; held: Lease; dueAt: number; mayHaveRung: boolean; at: number },
  ): Promise<void> {
    const attempt = await lockHeld(tx, args);
    if (!attempt || !attemptMachine.canMove(attempt.status, 'pending')) return;
    setAttempt(tx, attempt, 'pending', args.at, {
      due_at: args.dueAt,
      ...UNHELD,
      ...(args.mayHaveRung ? { dial_deadline_at: attempt.dial_deadline_at } : {}),
    });
  },

  /** Claims attempts whose lease has expired, for the reconciler. */
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

  /** When the next lease of an unsettled attempt expires, or null. */
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
    args: { attemptId: string; held: Lease; leaseUntil: number; at: number },
  ): Promise<void> {
    const attempt = await lockHeld(tx, args);
    if (!attempt) return;
    setAttempt(tx, attempt, 'uncertain', args.at, {
      look_ups: attempt.look_ups + 1,
      lease_until: args.leaseUntil,
    });
  },
});

shareCommits(dialTransactions, {
  begin: ofCall,
  placed: ofCall,
  failed: ofCall,
  nextDueAt: ofNone,
  nextUnsettledAt: ofNone,
});

/** Written at the instant at which it was due, or later. */
const WANTED_AT_ONCE = 'expires_at > ? and due_at <= updated_at';
type Whether = 'expires_at > ?' | 'expires_at <= ?' | typeof WANTED_AT_ONCE;

/** Claims due attempts of one priority class that meet the condition `whether` at `now`. */
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

/** The query for the due time of the first attempt of a priority class that has not expired. */
function firstOf(lane: Lane): string {
  return `select due_at from dial_attempts where status = 'pending' and lane = '${lane}' and expires_at > ?
    order by due_at, id limit 1`;
}
