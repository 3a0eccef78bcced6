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

/** From `active` on, something may have been said and recorded. */
const TALKING = new Set<CallRow['status']>(['active', 'ending']);

/** What a call's end brings with it. */
export interface FinishDetails {
  context: TxContext;
  /** Why it ends, unless a reason was written before. */
  reason: EndedReason;
  /** The reason instead, for a call that turns out not to have been answered when its end is written. */
  unansweredReason?: EndedReason;
  /** The reason instead, for a call that was answered and whose sound had not begun. */
  soundlessReason?: EndedReason;
  providerCode?: string | null;
  /** When it was over, where that was before `moment`. */
  endedAt?: number;
  /** What the talk left behind; null when there was none, or when it died with its process. */
  talk: { outcome: CallOutcome; audioQuality: number } | null;
  /** Ids for the after-call jobs. */
  jobIds: { recording: string; analysis: string };
  /** Ids for what is announced of a call in which no talk began: its analysis is part of its end. */
  analysisEventIds: AnalysisEventIds;
}

/**
 * Ends a call, once: its last state and terminal event, its numbers, the after-call work, and the end of whatever was
 * still going to dial it. A batch or schedule finds it as `unsettled`. For a call that is over already this changes
 * nothing.
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
  // Of what a carrier was asked for, and has not answered, a line may become known yet: the reconciler minds that.
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
 * A batch asks the policy as it puts a number into the queue: of what nobody has dialled then, no cap counts anything.
 */
async function forgetAttempts(tx: Tx, { id, workspace, to_phone: phoneNumber }: CallRow): Promise<void> {
  for (const attempt of await tx.all('select id from dial_attempts where call_id = ?', id))
    await forgetAttempt(tx, { workspace, phoneNumber, subjectId: String(attempt['id']) });
}

/** The reason of a call that ends before somebody talked, where there is one of its own. */
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

/** Where no talk began there is nothing to think about. */
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
    `select id from recordings where call_id = ? and status = 'writing'`,
    call.id,
  );
  const { at } = details.context;
  if (recording)
    await enqueueJob(tx, { id: details.jobIds.recording, kind: 'recording', callId: call.id, at });
  if (call.answered_at !== null && call.enable_transcription) {
    await enqueueJob(tx, { id: details.jobIds.analysis, kind: 'analysis', callId: call.id, at });
  }
}
