import { recordEvents } from '#webhooks/deliveries/record-events.js';
import type { CallAnalysis } from '#analysis/analysis.js';
import type { Tx } from '#store/transaction.js';
import { analysisData, transcriptData } from './after-call-data.js';
import type { CallRow } from '#calls/record/call.js';
import { callEventId, type Following } from '#calls/record/call-progress.js';
import { setColumns } from '#calls/record/call-rows.js';
import type { TranscriptEntry } from '#calls/talk/talk-rows.js';
import { transcriptText } from '#calls/talk/transcript.js';

/** The events that announce an analysis, recorded together. */
const ANALYSIS_EVENTS = ['call.analysis_complete', 'call.summary_ready', 'call.transcript_ready'] as const;

/** An analysis, and what it is announced with. */
interface ToldAnalysis {
  analysis: CallAnalysis;
  transcriptUrl: string;
  at: number;
}

/** Writes down what a call was about, and announces it. `entries` are its words. */
export async function keepAnalysis(
  tx: Tx,
  call: CallRow,
  entries: readonly TranscriptEntry[],
  told: ToldAnalysis,
): Promise<void> {
  const { columns, events } = followingAnalysis(call, entries, told);
  setColumns(tx, call.id, { ...columns, updated_at: told.at });
  await recordEvents(tx, events);
}

/** The columns and events of an analysis. */
export function followingAnalysis(
  call: CallRow,
  entries: readonly TranscriptEntry[],
  told: ToldAnalysis,
): Following {
  const { at } = told;
  const { summary, ...analysis } = told.analysis;
  const words = { transcript: transcriptText(entries), transcriptUrl: told.transcriptUrl };
  const events = ANALYSIS_EVENTS.map((type, index) => {
    const id = callEventId(call, type, { at, further: index + 1 });
    const analysed = { eventId: id, call, analysis: told.analysis };
    const data = type === 'call.analysis_complete' ? analysisData(analysed) : transcriptData(analysed, words);
    return { id, workspace: call.workspace, type, subjectId: call.id, at, data };
  });
  return { columns: { summary, analysis: JSON.stringify(analysis) }, events };
}
