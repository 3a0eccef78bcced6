import type { z } from 'zod';
import { AgentRow } from '#agents/definitions/agent.js';
import { defineTransactions, ofNone, shareCommits, type Tx } from '#store/transaction.js';
import type { CarrierReport } from '#telephony/port/carrier.js';
import { CallRow } from '#calls/record/call.js';
import { ofCall } from '#calls/record/call-rows.js';
import { moveCall, type TxContext } from '#calls/record/call-progress.js';
import { lockRepaired, repairCall } from '#calls/endings/repaired-call.js';
import { whereMayBecome, type AttemptStatus } from '#calls/queue/dial-attempt.js';

/** The columns of a call that decide what a report means for it. */
const ReportedCall = CallRow.pick({ id: true, direction: true, status: true, provider_call_id: true });
export type ReportedCall = z.output<typeof ReportedCall>;

/** A line that rings or was answered although its call is over. */
const LateLine = CallRow.pick({ id: true, provider: true, provider_call_id: true, ended_reason: true });
export type LateLine = z.output<typeof LateLine>;

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

  /** The carrier of a call. */
  async providerOf(tx, args: { callId: string }): Promise<string> {
    const row = await tx.get('select provider from calls where id = ?', args.callId);
    return String(row?.['provider']);
  },

  /**
   * Replaces the carrier's id of a call: the carrier's reports use another id than its answer did. Any third id stays.
   */
  async renamed(tx, args: { callId: string; providerCallId: string; placedAs: string }): Promise<void> {
    await tx.run(
      'update calls set provider_call_id = ? where id = ? and provider_call_id = ?',
      args.providerCallId,
      args.callId,
      args.placedAs,
    );
  },

  /** What the agent of a call does with answering machines; null when the call is not known. */
  async voicemailOf(tx, args: { callId: string }): Promise<AgentRow['voicemail'] | null> {
    const row = await tx.get(
      'select voicemail from calls join agents on agents.id = calls.agent_id where calls.id = ?',
      args.callId,
    );
    return row ? AgentRow.shape.voicemail.parse(row['voicemail']) : null;
  },

  /**
   * The phone rings. The carrier's own report settles an attempt whose answer is missing. Returns the line of a call
   * that is already over: it must be hung up.
   */
  async rung(tx, args: { callId: string; report: CarrierReport; at: number }): Promise<LateLine | null> {
    const { dialRef, providerCallId, placedAs = null } = args.report;
    // The carrier's answer may just have been stored, with the id that it gave.
    const changed = await tx.run(
      `update calls set provider_call_id =
         case when provider_call_id is null or provider_call_id = ? then ? else provider_call_id end
       where id = ? and ended_reason is null`,
      placedAs,
      providerCallId,
      args.callId,
    );
    if (changed !== 1) return keepLateLine(tx, args);
    markPlaced(tx, dialRef, args.at);
    return null;
  },

  /**
   * The call was answered. The report may come before the carrier's answer to the dial request: it then proves that the
   * attempt was placed, and under which id.
   */
  async answered(
    tx,
    args: { callId: string; report: CarrierReport; context: TxContext },
  ): Promise<CallRow | null> {
    return connect(tx, args);
  },

  /** Like `answered`, for a report that needs no call in return. Returns what {@link rung} does. */
  async connected(
    tx,
    args: { callId: string; report: CarrierReport; context: TxContext },
  ): Promise<LateLine | null> {
    return (await connect(tx, args)) ? null : keepLateLine(tx, { ...args, at: args.context.at });
  },
});

shareCommits(carrierTransactions, { find: ofNone, rung: ofCall, answered: ofCall, connected: ofCall });

/**
 * The line of a call that is over: its hang-up may have failed, or the line was not known at the end. Null for a call
 * that is not over, for a line that was handed over, and for inbound calls.
 */
async function keepLateLine(
  tx: Tx,
  { callId, report, at }: { callId: string; report: CarrierReport; at: number },
): Promise<LateLine | null> {
  const row = await tx.get(
    `update calls set provider_call_id = coalesce(provider_call_id, ?)
     where id = ? and ended_at is not null and ended_reason <> 'transferred' and direction = 'outbound'
     returning id, provider, ended_reason`,
    report.providerCallId,
    callId,
  );
  if (!row) return null;
  markOver(tx, report.dialRef, at);
  return LateLine.parse({ ...row, provider_call_id: report.providerCallId });
}

async function connect(
  tx: Tx,
  args: { callId: string; report: CarrierReport; context: TxContext },
): Promise<CallRow | null> {
  const held = await lockRepaired(tx, args.callId);
  if (!held || held.value.ended_reason !== null) return null;
  const call = repairCall(tx, held);
  const { dialRef, providerCallId, placedAs } = args.report;
  const known = call.provider_call_id;
  // A known line means that its attempt is settled.
  if (known === null) markPlaced(tx, dialRef, args.context.at);
  const alongside = known === null || known === placedAs ? { provider_call_id: providerCallId } : {};
  return moveCall(tx, call, { to: 'connected', context: args.context, alongside });
}

/** Marks an attempt as placed, from any status before the end. Null: there is no attempt. */
export function markPlaced(tx: Tx, attemptId: string | null, at: number): void {
  markAttempt(tx, { attemptId, status: 'placed', at });
}

/** Marks an attempt as ended, because its call is over. Null: there is no attempt. */
export function markOver(tx: Tx, attemptId: string | null, at: number): void {
  markAttempt(tx, { attemptId, status: 'ended', at });
}

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
