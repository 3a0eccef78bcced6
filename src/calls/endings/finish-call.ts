import { forgetAttempt } from '#policy/decisions/decision-rows.js';
import { analysisOfSilence } from '#analysis/summary.js';
import type { SqlValue, Tx } from '#store/transaction.js';
import { hasOwner, type CallRow, type StoredMetrics } from '#calls/record/call.js';
import { callMachine } from '#calls/record/call-machine.js';
import { moveCall, type Following, type TxContext } from '#calls/record/call-progress.js';
import { ENDED_REASONS, type EndedReason } from '#calls/record/ended-reason.js';
import type { CallOutcome } from '#calls/record/follow-up.js';
import { SETTLEMENT } from '#calls/end-delivery/settlement.js';
import { enqueueJob } from '#calls/jobs/job-queue.js';
import { followingAnalysis } from '#calls/after-call/keep-analysis.js';
import { entriesOf, runningMetrics, turnsOf } from '#calls/talk/talk-rows.js';

/** From `active` on, there may be speech and a recording. */
const TALKING = new Set<CallRow['status']>(['active', 'ending']);

/** What is written at the end of a call. */
export interface FinishDetails {
  context: TxContext;
  /** The ended reason, unless the call already has one. */
  reason: EndedReason;
  /** The reason instead, if the call is unanswered when its end is written. */
  unansweredReason?: EndedReason;
  /** The reason instead, if the call was answered but its audio had not begun. */
  soundlessReason?: EndedReason;
  providerCode?: string | null;
  /** When the call was over, if before `context.at` (epoch milliseconds). */
  endedAt?: number;
  /** The result of the talk; null without a talk, or when its process died. */
  talk: { outcome: CallOutcome; audioQuality: number } | null;
}

/**
 * Ends a call, once: writes its final status, terminal event, metrics and after-call jobs, and ends the attempts to
 * dial it. A batch or schedule finds the call as `unsettled`. A call that is already over stays as it is.
 */
export async function finishCall(tx: Tx, call: CallRow, details: FinishDetails): Promise<CallRow> {
  if (callMachine.isFinal(call.status)) return call;
  const { at } = details.context;
  const reason = call.ended_reason ?? reasonBefore(call, details) ?? details.reason;
  const hasTalked = details.talk !== null || TALKING.has(call.status);
  const metrics = hasTalked ? await measure(tx, call.id, details.talk) : null;
  // Of what a carrier was asked for, and has not answered, a line may become known yet: the reconciler minds that.
  tx.post(
    `update dial_attempts set status = 'ended', updated_at = ?
     where call_id = ? and status in ('pending', 'claimed', 'placed')`,
    at,
    call.id,
  );
  if (call.batch_id !== null && call.started_at === null) await forgetAttempts(tx, call);
  const talked = details.talk === null ? call : { ...call, outcome: details.talk.outcome };
  const ended = await moveCall(tx, talked, {
    to: ENDED_REASONS[reason].status,
    context: details.context,
    reason,
    ...(details.providerCode === undefined ? {} : { providerCode: details.providerCode }),
    ...(details.endedAt === undefined ? {} : { endedAt: details.endedAt }),
    follow: (moved) => {
      const silence = hasTalked ? null : followingSilence(moved, details);
      const columns = { ...endColumns(call, details, metrics), ...silence?.columns };
      return { columns, events: silence?.events ?? [] };
    },
  });
  if (hasTalked) await enqueueAfterCallWork(tx, ended, details);
  return { ...ended, metrics };
}

/** What stays as it was is not written: most calls have neither talked nor an owner. */
function endColumns(
  call: CallRow,
  { talk }: FinishDetails,
  metrics: StoredMetrics | null,
): Readonly<Record<string, SqlValue>> {
  return {
    ...(metrics && { metrics: JSON.stringify(metrics) }),
    ...(talk && { outcome: JSON.stringify(talk.outcome) }),
    ...(hasOwner(call) && { unsettled: SETTLEMENT.unsettled }),
  };
}

/**
 * A batch asks the policy when it queues a number. A call that was never dialled must not count towards the policy's
 * caps.
 */
async function forgetAttempts(tx: Tx, { id, workspace, to_phone: phoneNumber }: CallRow): Promise<void> {
  for (const attempt of await tx.all('select id from dial_attempts where call_id = ?', id))
    await forgetAttempt(tx, { workspace, phoneNumber, subjectId: String(attempt['id']) });
}

/** The specific reason of a call that ends before a talk, if there is one. */
function reasonBefore(call: CallRow, details: FinishDetails): EndedReason | undefined {
  if (call.answered_at === null) return details.unansweredReason;
  return call.status === 'connected' ? details.soundlessReason : undefined;
}

async function measure(tx: Tx, callId: string, talk: FinishDetails['talk']): Promise<StoredMetrics | null> {
  const turns = (await turnsOf(tx, [callId])).get(callId) ?? [];
  const measured = runningMetrics(turns, await entriesOf(tx, [callId]));
  if (!talk && !measured) return null;
  return {
    transcription_latency_ms: measured?.transcription_latency_ms ?? 0,
    response_latency_ms: measured?.response_latency_ms ?? 0,
    audio_quality: talk?.audioQuality ?? 0,
    speaker_changes: measured?.speaker_changes ?? 0,
  };
}

/** The analysis of a call without a talk: there is nothing to think about. Null where none is wanted. */
function followingSilence(call: CallRow, details: FinishDetails): Following | null {
  if (call.answered_at === null || !call.enable_transcription) return null;
  return followingAnalysis(call, [], {
    analysis: analysisOfSilence(call.ended_reason === 'voicemail' ? 'machine' : 'person'),
    transcriptUrl: details.context.links?.transcriptUrl ?? '',
    at: details.context.at,
  });
}

async function enqueueAfterCallWork(tx: Tx, call: CallRow, details: FinishDetails): Promise<void> {
  const recording = await tx.get(
    `select folder_id from recordings where call_id = ? and status = 'writing'`,
    call.id,
  );
  const { at } = details.context;
  if (recording) {
    const folderId = recording['folder_id'] as string | null;
    enqueueJob(tx, { kind: 'recording', callId: call.id, at, folderId });
  }
  if (call.answered_at !== null && call.enable_transcription) {
    enqueueJob(tx, { kind: 'analysis', callId: call.id, at });
  }
}
