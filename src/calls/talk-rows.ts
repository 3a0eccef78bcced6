import { z } from 'zod';
import { flagColumn } from '../store/columns.js';
import type { Tx } from '../store/unit.js';
import type { StoredMetrics } from './call.js';
import { TranscriptEntry } from './transcript.js';

/** The parts of one response, in milliseconds (Interface names where it has them). */
export const CallTurn = z.object({
  turn: z.number().int(),
  end_of_turn_ms: z.number().int(),
  stt_ms: z.number().int(),
  llm_first_token_ms: z.number().int(),
  tts_first_byte_ms: z.number().int(),
  total_ms: z.number().int(),
  interrupted: flagColumn,
});
export type CallTurn = z.infer<typeof CallTurn>;

/** One line of the life-cycle log, as its row holds it. */
export const CallEvent = z.object({
  sequence: z.number().int(),
  type: z.string(),
  from_status: z.string().nullable(),
  to_status: z.string().nullable(),
  at: z.number().int(),
  data: z.string().transform((text) => z.record(z.string(), z.unknown()).parse(JSON.parse(text))),
});
export type CallEvent = z.infer<typeof CallEvent>;

/** Everything said in some calls: by call, then in order. */
export async function entriesOf(tx: Tx, callIds: readonly string[]): Promise<TranscriptEntry[]> {
  const places = callIds.map(() => '?').join(', ');
  const rows = await tx.all(
    `select * from transcript_entries where call_id in (${places}) order by call_id, start_ms, sequence`,
    ...callIds,
  );
  return rows.map((row) => TranscriptEntry.parse(row));
}

/** The responses of a call, in order. */
export async function turnsOf(tx: Tx, callId: string): Promise<CallTurn[]> {
  const rows = await tx.all('select * from call_turns where call_id = ? order by turn', callId);
  return rows.map((row) => CallTurn.parse(row));
}

/** The numbers of a talk that is still going on; null before the first response. */
export function runningMetrics(
  turns: readonly CallTurn[],
  entries: readonly TranscriptEntry[],
): StoredMetrics | null {
  if (turns.length === 0) return null;
  const mean = (values: number[]) =>
    Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
  return {
    transcription_latency_ms: mean(turns.map((turn) => turn.stt_ms)),
    response_latency_ms: mean(turns.map((turn) => turn.total_ms)),
    audio_quality: 0,
    speaker_changes: speakerChanges(entries),
    customer_sentiment: null,
    resolution_achieved: null,
  };
}

/** How often the word passed from one side to the other. */
export function speakerChanges(entries: readonly Pick<TranscriptEntry, 'speaker'>[]): number {
  return entries.filter((entry, at) => at > 0 && entry.speaker !== entries[at - 1]?.speaker).length;
}
