import { recordEvents } from '#webhooks/deliveries/record-events.js';
import type { CallAnalysis } from '#analysis/analysis.js';
import type { Tx } from '#store/transaction.js';
import { analysisData, transcriptData } from './after-call-data.js';
import type { CallRow } from '#calls/record/call.js';
import { callEventId, type FurtherChanges } from '#calls/record/call-progress.js';
import { setColumns } from '#calls/record/call-rows.js';
import type { TranscriptEntry } from '#calls/talk/talk-rows.js';
import { transcriptText } from '#calls/talk/transcript-formats.js';

// Stores the analysis of a call and announces it: after an analysis job, or at the end of a call without a talk.

/** The events that announce an analysis, recorded together. */
const ANALYSIS_EVENTS = ['call.analysis_complete', 'call.summary_ready', 'call.transcript_ready'] as const;

/** An analysis to store at `at` (epoch milliseconds), with the link to the transcript that its events carry. */
interface AnnouncedAnalysis {
  analysis: CallAnalysis;
  transcriptUrl: string;
  at: number;
}

/**
 * Stores the analysis of a call and records its three events. `entries` is the transcript. Used by the transaction that
 * ends an analysis job.
 */
export async function storeAnalysis(
  tx: Tx,
  call: CallRow,
  entries: readonly TranscriptEntry[],
  announced: AnnouncedAnalysis,
): Promise<void> {
  const { columns, events } = analysisChanges(call, entries, announced);
  setColumns(tx, call.id, { ...columns, updated_at: announced.at });
  await recordEvents(tx, events);
}

/**
 * The columns and events of an analysis, for a transaction that writes them together with other changes of the call
 * (`finishCall`).
 */
export function analysisChanges(
  call: CallRow,
  entries: readonly TranscriptEntry[],
  announced: AnnouncedAnalysis,
): FurtherChanges {
  const { at } = announced;
  const { summary, ...analysis } = announced.analysis;
  const transcript = { transcript: transcriptText(entries), transcriptUrl: announced.transcriptUrl };
  const events = ANALYSIS_EVENTS.map((type, index) => {
    // Event ids follow a sequence. The same change may record the event of the call's status: these ids come after it.
    const id = callEventId(call, type, { at, further: index + 1 });
    const analysed = { eventId: id, call, analysis: announced.analysis };
    const data =
      type === 'call.analysis_complete' ? analysisData(analysed) : transcriptData(analysed, transcript);
    return { id, workspace: call.workspace, type, subjectId: call.id, at, data };
  });
  return { columns: { summary, analysis: JSON.stringify(analysis) }, events };
}
