import type { z } from 'zod';
import { AgentRow } from '#agents/definitions/agent.js';
import { defineTransactions, noSubject, shareCommits, type Tx } from '#store/transaction.js';
import type { CarrierReport } from '#telephony/port/carrier.js';
import { CallRow } from '#calls/record/call.js';
import { ofCall } from '#calls/record/call-rows.js';
import { moveCall, type TxContext } from '#calls/record/call-progress.js';
import { lockRepaired, repairCall } from '#calls/endings/repaired-call.js';
import { whereMayBecome, type AttemptStatus } from '#calls/queue/dial-attempt.js';

/** The columns of a call that decide how a carrier's report changes it. */
const ReportedCall = CallRow.pick({ id: true, direction: true, status: true, provider_call_id: true });
export type ReportedCall = z.output<typeof ReportedCall>;

/** A call leg that rings or was answered although its call is over: it must be hung up. */
const OrphanedLeg = CallRow.pick({ id: true, provider: true, provider_call_id: true, ended_reason: true });
export type OrphanedLeg = z.output<typeof OrphanedLeg>;

/**
 * The transactions of `CarrierReports`, which apply the reports of carriers about calls. Reports may come late,
 * repeated, out of order, or before the carrier's answer to the dial request.
 */
export const carrierTransactions = defineTransactions('carriers', {
  /**
   * The call that a report is about: by the dial reference, else by the carrier's id. Only calls of the reporting
   * carrier.
   */
  async find(
    tx,
    report: Pick<CarrierReport, 'carrier' | 'dialRef'> & { providerCallId: string | null },
  ): Promise<ReportedCall | null> {
    const byReference =
      report.dialRef &&
      (await tx.get(
        `select calls.id, direction, calls.status, provider_call_id
         from dial_attempts join calls on calls.id = dial_attempts.call_id
         where dial_attempts.id = ? and provider = ?`,
        report.dialRef,
        report.carrier,
      ));
    const row =
      byReference ||
      (await tx.get(
        'select id, direction, status, provider_call_id from calls where provider = ? and provider_call_id = ?',
        report.carrier,
        report.providerCallId,
      ));
    return row ? ReportedCall.parse(row) : null;
  },

  /** The name of the carrier of a call. */
  async providerOf(tx, args: { callId: string }): Promise<string> {
    const row = await tx.get('select provider from calls where id = ?', args.callId);
    return String(row?.['provider']);
  },

  /**
   * Replaces the carrier's id of a call, if the carrier's reports use another id than its answer to the dial request
   * (`placedAs`).
   */
  async replaceProviderCallId(
    tx,
    args: { callId: string; providerCallId: string; placedAs: string },
  ): Promise<void> {
    await tx.run(
      'update calls set provider_call_id = ? where id = ? and provider_call_id = ?',
      args.providerCallId,
      args.callId,
      args.placedAs,
    );
  },

  /** How the agent of a call treats answering machines; null when the call does not exist. */
  async voicemailOf(tx, args: { callId: string }): Promise<AgentRow['voicemail'] | null> {
    const row = await tx.get(
      'select voicemail from calls join agents on agents.id = calls.agent_id where calls.id = ?',
      args.callId,
    );
    return row ? AgentRow.shape.voicemail.parse(row['voicemail']) : null;
  },

  /**
   * Applies the report that the phone rings. The report proves that the carrier has placed the attempt, even if the
   * carrier's answer is missing. Returns the leg of a call that is already over, which must be hung up.
   */
  async ringing(
    tx,
    args: { callId: string; report: CarrierReport; at: number },
  ): Promise<OrphanedLeg | null> {
    const { dialRef, providerCallId, placedAs = null } = args.report;
    // The id of the carrier's answer (`placedAs`) may be stored already: the id of the reports replaces it.
    const changed = await tx.run(
      `update calls set provider_call_id =
         case when provider_call_id is null or provider_call_id = ? then ? else provider_call_id end
       where id = ? and ended_reason is null`,
      placedAs,
      providerCallId,
      args.callId,
    );
    if (changed !== 1) return storeOrphanedLeg(tx, args);
    markPlaced(tx, dialRef, args.at);
    return null;
  },

  /**
   * Applies the answer of a call, for carriers that ask for the audio stream when the call is answered. If this comes
   * before the carrier's answer to the dial request, it proves that the attempt was placed, and under which id. Returns
   * the call; null if it is unknown or over.
   */
  async answered(
    tx,
    args: { callId: string; report: CarrierReport; context: TxContext },
  ): Promise<CallRow | null> {
    return connectCall(tx, args);
  },

  /**
   * Like `answered`, for reports that the call was answered. Returns the leg of a call that is already over, like
   * `ringing`.
   */
  async connected(
    tx,
    args: { callId: string; report: CarrierReport; context: TxContext },
  ): Promise<OrphanedLeg | null> {
    return (await connectCall(tx, args)) ? null : storeOrphanedLeg(tx, { ...args, at: args.context.at });
  },
});

// Transactions about different calls may share a commit, which saves the database work.
shareCommits(carrierTransactions, { find: noSubject, ringing: ofCall, answered: ofCall, connected: ofCall });

/**
 * Stores and returns the leg of a call that is over: its hang-up may have failed, or its id was unknown at the end.
 * Null for a call that is not over, for a transferred call, and for an inbound call.
 */
async function storeOrphanedLeg(
  tx: Tx,
  { callId, report, at }: { callId: string; report: CarrierReport; at: number },
): Promise<OrphanedLeg | null> {
  const row = await tx.get(
    `update calls set provider_call_id = coalesce(provider_call_id, ?)
     where id = ? and ended_at is not null and ended_reason <> 'transferred' and direction = 'outbound'
     returning id, provider, ended_reason`,
    report.providerCallId,
    callId,
  );
  if (!row) return null;
  markEnded(tx, report.dialRef, at);
  return OrphanedLeg.parse({ ...row, provider_call_id: report.providerCallId });
}

/** Moves a call to `connected`; null if it is unknown or over. */
async function connectCall(
  tx: Tx,
  args: { callId: string; report: CarrierReport; context: TxContext },
): Promise<CallRow | null> {
  const locked = await lockRepaired(tx, args.callId);
  if (!locked || locked.value.ended_reason !== null) return null;
  const call = repairCall(tx, locked);
  const { dialRef, providerCallId, placedAs } = args.report;
  const knownId = call.provider_call_id;
  // A known id means that the attempt is settled.
  if (knownId === null) markPlaced(tx, dialRef, args.context.at);
  const alongside = knownId === null || knownId === placedAs ? { provider_call_id: providerCallId } : {};
  return moveCall(tx, call, { to: 'connected', context: args.context, alongside });
}

/** Marks an attempt as placed, from any status before the end; does nothing for null, a call without an attempt. */
export function markPlaced(tx: Tx, attemptId: string | null, at: number): void {
  markAttempt(tx, { attemptId, status: 'placed', at });
}

/** Marks an attempt as ended because its call is over; does nothing for null, a call without an attempt. */
export function markEnded(tx: Tx, attemptId: string | null, at: number): void {
  markAttempt(tx, { attemptId, status: 'ended', at });
}

/** Moves an attempt to a status, if its life cycle allows that. */
function markAttempt(
  tx: Tx,
  { attemptId, status, at }: { attemptId: string | null; status: AttemptStatus; at: number },
): void {
  tx.post(
    `update dial_attempts set status = '${status}', updated_at = ? where id = ? and ${whereMayBecome(status)}`,
    at,
    attemptId,
  );
}
