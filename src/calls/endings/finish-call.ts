import { removeAttemptDecision } from '#policy/decisions/decision-rows.js';
import { analysisOfSilence } from '#analysis/summary.js';
import type { SqlValue, Tx } from '#store/transaction.js';
import { hasOwner, type CallRow, type StoredMetrics } from '#calls/record/call.js';
import { callMachine } from '#calls/record/call-machine.js';
import { moveCall, type FurtherChanges, type TxContext } from '#calls/record/call-progress.js';
import { ENDED_REASONS, type EndedReason } from '#calls/record/ended-reason.js';
import type { CallOutcome } from '#calls/record/follow-up.js';
import { SETTLEMENT } from '#calls/end-delivery/settlement.js';
import { enqueueJob } from '#calls/jobs/job-queue.js';
import { analysisChanges } from '#calls/after-call/store-analysis.js';
import { entriesOf, runningMetrics, turnsOf } from '#calls/talk/talk-rows.js';

/** The statuses of a call that may have speech and a recording. */
const TALKING = new Set<CallRow['status']>(['active', 'ending']);

/** What a transaction writes at the end of a call; made by `TxContexts.finish`. */
export interface FinishDetails {
  context: TxContext;
  /** The ended reason, unless the call has a reason already, or `unansweredReason` or `soundlessReason` applies. */
  reason: EndedReason;
  /** Replaces `reason` if the call is unanswered when its end is written. */
  unansweredReason?: EndedReason;
  /** Replaces `reason` if the call was answered but its audio had not begun. */
  soundlessReason?: EndedReason;
  /** The carrier's own code for the end, as given. */
  providerCode?: string | null;
  /** When the call was over, if before `context.at` (epoch milliseconds). */
  endedAt?: number;
  /** The result of the talk; null without a talk, or when its process died. */
  talk: { outcome: CallOutcome; audioQuality: number } | null;
}

/**
 * Ends a call, once: writes its final status, terminal event, metrics and after-call jobs, and ends the attempts to
 * dial it. The end reaches the call's batch or schedule by the column `unsettled`. A call that is already over stays as
 * it is. Returns the ended call. Called inside every transaction that ends a call, except where the batches module ends
 * a waiting call that it settles itself (by `moveCall`).
 */
export async function finishCall(tx: Tx, call: CallRow, details: FinishDetails): Promise<CallRow> {
  if (callMachine.isFinal(call.status)) return call;
  const { at } = details.context;
  const reason = call.ended_reason ?? reasonBeforeTalk(call, details) ?? details.reason;
  const hasTalked = details.talk !== null || TALKING.has(call.status);
  const metrics = hasTalked ? await measure(tx, call.id, details.talk) : null;
  // Attempts in `dialling` or `uncertain` stay: the carrier may have placed a leg although its answer is missing. The
  // reconciler finds that leg and hangs it up.
  tx.post(
    `update dial_attempts set status = 'ended', updated_at = ?
     where call_id = ? and status in ('pending', 'claimed', 'placed')`,
    at,
    call.id,
  );
  if (call.batch_id !== null && call.started_at === null) await uncountUndialledAttempts(tx, call);
  const withOutcome = details.talk === null ? call : { ...call, outcome: details.talk.outcome };
  const ended = await moveCall(tx, withOutcome, {
    to: ENDED_REASONS[reason].status,
    context: details.context,
    reason,
    ...(details.providerCode === undefined ? {} : { providerCode: details.providerCode }),
    ...(details.endedAt === undefined ? {} : { endedAt: details.endedAt }),
    follow: (moved) => {
      const analysis = hasTalked ? null : analysisWithoutTalk(moved, details);
      const columns = { ...endColumns(call, details, metrics), ...analysis?.columns };
      return { columns, events: analysis?.events ?? [] };
    },
  });
  if (hasTalked) await enqueueAfterCallWork(tx, ended, details);
  return { ...ended, metrics };
}

/** The columns of an end other than those of the status: metrics and outcome of a talk, and the mark for an owner. */
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
 * Deletes the policy's decisions that allowed the dial attempts of a batch call that was never dialled. A decision
 * counts as an attempt from the moment when the batch queues the call. Without the deletion, the call would count
 * against the number's cap of attempts.
 */
async function uncountUndialledAttempts(
  tx: Tx,
  { id, workspace, to_phone: phoneNumber }: CallRow,
): Promise<void> {
  for (const attempt of await tx.all('select id from dial_attempts where call_id = ?', id))
    await removeAttemptDecision(tx, { workspace, phoneNumber, subjectId: String(attempt['id']) });
}

/** The specific reason of a call that ends before a talk, if there is one. */
function reasonBeforeTalk(call: CallRow, details: FinishDetails): EndedReason | undefined {
  if (call.answered_at === null) return details.unansweredReason;
  return call.status === 'connected' ? details.soundlessReason : undefined;
}

/** The metrics to store with the call; null if nothing was said and there is no result of a talk. */
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

/**
 * The columns and events of the analysis of an answered call that had no talk: its content is fixed, and no analyst is
 * asked. Null for an unanswered call, or one that is not transcribed.
 */
function analysisWithoutTalk(call: CallRow, details: FinishDetails): FurtherChanges | null {
  if (call.answered_at === null || !call.enable_transcription) return null;
  return analysisChanges(call, [], {
    analysis: analysisOfSilence(call.ended_reason === 'voicemail' ? 'machine' : 'person'),
    transcriptUrl: details.context.links?.transcriptUrl ?? '',
    at: details.context.at,
  });
}

/**
 * Queues the completion of the recording, if the call is recorded, and the analysis of the talk, if it is transcribed.
 */
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
