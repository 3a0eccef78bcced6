import { z } from 'zod';
import type { ToolReport } from '#dialogue/dialogue-observer.js';
import { ModelUse } from '#calls/record/call-cost.js';
import { insertOnce } from '#store/statements/insert.js';
import type { Tx } from '#store/transaction.js';

// Rows about language models in a call (tables `call_tools` and `call_model_uses`): tool calls and usage. Used by
// `talkTransactions`, `costTransactions` and the erasure of calls.

/** A tool call as its row holds it; milliseconds count from the start of the call's audio. */
export const CallTool = z.object({
  sequence: z.number().int(),
  tool_call_id: z.string(),
  name: z.string(),
  /** JSON, as the model wrote it. */
  arguments: z.string(),
  status: z.string(),
  result: z.string(),
  start_ms: z.number().int(),
  latency_ms: z.number().int(),
});
export type CallTool = z.infer<typeof CallTool>;

/** What one turn of a call has used of one model; a count is null unless all requests of the turn were counted. */
export const ModelTurn = z.object({
  turn: z.number().int(),
  provider: z.string(),
  model: z.string(),
  /** How many requests the turn made: one, and one more after each round of tool calls. */
  rounds: z.number().int(),
  input_tokens: z.number().int().nullable(),
  cached_input_tokens: z.number().int().nullable(),
  output_tokens: z.number().int().nullable(),
  first_token_ms: z.number().int().nullable(),
});
export type ModelTurn = z.infer<typeof ModelTurn>;

/** Stores a tool call. */
export function storeToolCall(
  tx: Tx,
  tool: { callId: string; sequence: number; startMs: number; report: ToolReport },
): void {
  const { callId, sequence, startMs, report } = tool;
  insertOnce(tx, 'call_tools', {
    call_id: callId,
    sequence,
    tool_call_id: report.id,
    name: report.name,
    arguments: report.arguments,
    status: report.status,
    result: report.result,
    start_ms: Math.round(startMs),
    latency_ms: Math.round(report.latencyMs),
  });
}

/** The tool calls of a call, in order. */
export async function toolCallsOf(tx: Tx, callId: string): Promise<CallTool[]> {
  const rows = await tx.all('select * from call_tools where call_id = ? order by sequence', callId);
  return rows.map((row) => CallTool.parse(row));
}

/** SQL: the sum of a column over all rows; null if one row has no value. */
const sumIfComplete = (column: string) =>
  `case when count(${column}) = count(*) then sum(${column}) end as ${column}`;

/** What a call has used of language models, by model. */
export async function modelUsesOf(tx: Tx, callId: string): Promise<ModelUse[]> {
  const rows = await tx.all(
    `select provider, model, count(*) as requests, ${sumIfComplete('input_tokens')}, ${sumIfComplete('cached_input_tokens')},
       ${sumIfComplete('output_tokens')}
     from call_model_uses where call_id = ? group by provider, model order by provider, model`,
    callId,
  );
  return rows.map((row) => ModelUse.parse(numbersIn(row)));
}

/**
 * What a call has used of language models by turn and model, in order. The time to the first token is that of the first
 * request in the turn to this model.
 */
export async function modelTurnsOf(tx: Tx, callId: string): Promise<ModelTurn[]> {
  const rows = await tx.all(
    `select turn, provider, model, count(*) as rounds, ${sumIfComplete('input_tokens')}, ${sumIfComplete('cached_input_tokens')},
       ${sumIfComplete('output_tokens')}, min(sequence) as first_sequence
     from call_model_uses where call_id = ? and turn is not null
     group by turn, provider, model order by min(sequence)`,
    callId,
  );
  const firsts = await tx.all(
    'select sequence, first_token_ms from call_model_uses where call_id = ? and turn is not null',
    callId,
  );
  const firstTokenMs = new Map(firsts.map((row) => [Number(row['sequence']), row['first_token_ms']]));
  return rows.map((row) =>
    ModelTurn.parse({
      ...numbersIn(row),
      first_token_ms: firstTokenMs.get(Number(row['first_sequence'])) ?? null,
    }),
  );
}

/** The row with its counts and sums as numbers: PostgreSQL returns sums as text. */
function numbersIn(row: Record<string, unknown>): Record<string, unknown> {
  const numeric = ['requests', 'rounds', 'input_tokens', 'cached_input_tokens', 'output_tokens'];
  const read = numeric
    .filter((name) => name in row)
    .map((name) => [name, row[name] === null ? null : Number(row[name])]);
  return { ...row, ...Object.fromEntries(read) };
}

/** Deletes the tool calls of a call, with arguments and results. */
export async function deleteToolCalls(tx: Tx, callId: string): Promise<void> {
  await tx.run('delete from call_tools where call_id = ?', callId);
}
