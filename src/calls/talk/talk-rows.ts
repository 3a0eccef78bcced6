import { z } from 'zod';
import { FreeForm } from '#kernel/input/free-form.js';
import { flagColumn, jsonColumn } from '#store/statements/columns.js';
import { placeholders } from '#store/statements/placeholders.js';
import type { Tx } from '#store/transaction.js';
import type { StoredMetrics } from '#calls/record/call.js';

// Rows about the talk of a call (tables `transcript_entries`, `call_turns`, `call_events`), and the metrics computed
// from them. Used by `talkTransactions`, by the end of a call and by the resources of the API.

/** An utterance as its row holds it; milliseconds count from the start of the call's audio. */
export const TranscriptEntry = z.object({
  call_id: z.string(),
  sequence: z.number().int(),
  speaker: z.enum(['agent', 'customer']),
  text: z.string(),
  confidence: z.number(),
  start_ms: z.number().int(),
  end_ms: z.number().int(),
  interrupted: flagColumn,
  /** What the agent had ready, but not said, when it was interrupted; null when nothing was. */
  unheard: z.string().nullable(),
  /** Who spoke in the agent's place, if a person did. */
  spoken_by: z.enum(['operator', 'person']).nullable(),
  /** The language of the utterance (a tag), if known. */
  language: z.string().nullable(),
});
export type TranscriptEntry = z.infer<typeof TranscriptEntry>;

/**
 * A turn as its row holds it: the parts of the agent's response time in milliseconds, as `TurnTiming` explains them.
 */
export const CallTurn = z.object({
  turn: z.number().int(),
  end_of_turn_ms: z.number().int(),
  stt_ms: z.number().int(),
  llm_first_token_ms: z.number().int(),
  tts_first_byte_ms: z.number().int(),
  total_ms: z.number().int(),
  interrupted: flagColumn,
  /** When the first sound of the response was sent, since the start of the audio; null in calls of older releases. */
  sounded_at_ms: z.number().int().nullable(),
});
export type CallTurn = z.infer<typeof CallTurn>;

/** An entry of the life-cycle log as its row holds it. */
export const CallEvent = z.object({
  sequence: z.number().int(),
  type: z.string(),
  from_status: z.string().nullable(),
  to_status: z.string().nullable(),
  at: z.number().int(),
  data: jsonColumn(FreeForm),
});
export type CallEvent = z.infer<typeof CallEvent>;

/** Groups rows by their call, and converts each row by `valueOf`; each group keeps the order of the rows. */
export function groupBy<Row, Value>(
  rows: readonly Row[],
  callIdOf: (row: Row) => string,
  valueOf: (row: Row) => Value,
): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const row of rows) {
    const group = groups.get(callIdOf(row));
    if (group) group.push(valueOf(row));
    else groups.set(callIdOf(row), [valueOf(row)]);
  }
  return groups;
}

/** The transcript entries of some calls, sorted by call and then by time. */
export async function entriesOf(tx: Tx, callIds: readonly string[]): Promise<TranscriptEntry[]> {
  const rows = await tx.all(
    `select * from transcript_entries where call_id in (${placeholders(callIds)}) order by call_id, start_ms, sequence`,
    ...callIds,
  );
  return rows.map((row) => TranscriptEntry.parse(row));
}

/** The turns of some calls, in order; calls without any are left out. */
export async function turnsOf(tx: Tx, callIds: readonly string[]): Promise<Map<string, CallTurn[]>> {
  const rows = await tx.all(
    `select * from call_turns where call_id in (${placeholders(callIds)}) order by call_id, turn`,
    ...callIds,
  );
  return groupBy(
    rows,
    (row) => String(row['call_id']),
    (row) => CallTurn.parse(row),
  );
}

/**
 * The metrics of a talk so far: mean latencies in milliseconds; null before the first utterance. The audio quality is
 * 0, as it is known only at the end.
 */
export function runningMetrics(
  turns: readonly CallTurn[],
  entries: readonly TranscriptEntry[],
): StoredMetrics | null {
  if (turns.length === 0 && entries.length === 0) return null;
  const mean = (values: number[]) =>
    Math.round(values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length));
  return {
    transcription_latency_ms: mean(turns.map((turn) => turn.stt_ms)),
    response_latency_ms: mean(turns.map((turn) => turn.total_ms)),
    audio_quality: 0,
    speaker_changes: speakerChanges(entries),
  };
}

/** How often an entry has another speaker than the entry before it. */
function speakerChanges(entries: readonly Pick<TranscriptEntry, 'speaker'>[]): number {
  return entries.filter((entry, index) => index > 0 && entry.speaker !== entries[index - 1]?.speaker).length;
}
