import { forgetAttempt } from '#policy/decisions/decision-rows.js';
import { analysisOfSilence } from '#analysis/summary.js';
import type { Tx } from '#store/transaction.js';
import { hasOwner, type CallRow, type StoredMetrics } from '#calls/record/call.js';
import { callMachine } from '#calls/record/call-machine.js';
import { moveCall, type TxContext } from '#calls/record/call-progress.js';
import { ENDED_REASONS, type EndedReason } from '#calls/record/ended-reason.js';
import type { CallOutcome } from '#calls/record/follow-up.js';
import { SETTLEMENT } from '#calls/end-delivery/settlement.js';
import { enqueueJob } from '#calls/jobs/job-queue.js';
import { keepAnalysis, type AnalysisEventIds } from '#calls/after-call/keep-analysis.js';
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
  /** Ids for the after-call jobs. */
  jobIds: { recording: string; analysis: string };
  /** Ids for the analysis events of a call without a talk, whose analysis is written with its end. */
  analysisEventIds: AnalysisEventIds;
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
  if (hasTalked || hasOwner(call)) {
    await tx.run(
      'update calls set metrics = ?, outcome = ?, unsettled = ? where id = ?',
      metrics && JSON.stringify(metrics),
      details.talk && JSON.stringify(details.talk.outcome),
      hasOwner(call) ? SETTLEMENT.unsettled : SETTLEMENT.settled,
      call.id,
    );
  }
  // Attempts in `dialling` or `uncertain` stay open: the carrier may still report a line, which the reconciler settles.
  await tx.run(
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
  });
  if (!hasTalked) return { ...(await analyseSilence(tx, ended, details)), metrics };
  await enqueueAfterCallWork(tx, ended, details);
  return { ...ended, metrics };
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

/** Without a talk there is nothing to analyse: a fixed analysis is stored at once. */
async function analyseSilence(tx: Tx, call: CallRow, details: FinishDetails): Promise<CallRow> {
  if (call.answered_at === null || !call.enable_transcription) return call;
  return keepAnalysis(tx, call, [], {
    analysis: analysisOfSilence(call.ended_reason === 'voicemail' ? 'machine' : 'person'),
    eventIds: details.analysisEventIds,
    transcriptUrl: details.context.links.transcriptUrl,
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
    await enqueueJob(tx, { id: details.jobIds.recording, kind: 'recording', callId: call.id, at, folderId });
  }
  if (call.answered_at !== null && call.enable_transcription) {
    await enqueueJob(tx, { id: details.jobIds.analysis, kind: 'analysis', callId: call.id, at });
  }
}
