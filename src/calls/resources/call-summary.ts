import { z } from 'zod';
import { callAnswers } from '#analysis/analysis.js';
import { storedAnalysis, type CallRow } from '#calls/record/call.js';

/**
 * The response of `GET /api/calls/{call_id}/summary`, and of the request that repeats the analysis. For `CallViews` and
 * the routes.
 */
export const callSummary = z
  .object({
    call_id: z.string(),
    status: z.enum(['pending', 'ready', 'disabled']).meta({
      description: '`disabled` for a call without transcription, or that nobody answered.',
    }),
    summary: z.string().nullable(),
    answers: callAnswers,
    analysis: storedAnalysis.nullable(),
  })
  .meta({
    id: 'CallSummary',
    description: 'What a call was about.',
    examples: [
      {
        call_id: 'call_01kakb8x6te1tr7m3qf0c9w2af',
        status: 'pending',
        summary: null,
        answers: {},
        analysis: null,
      },
    ],
  });

/** Builds the response from the call's row. */
export function toCallSummary(call: CallRow): z.infer<typeof callSummary> {
  return {
    call_id: call.id,
    status: statusOf(call),
    summary: call.summary,
    answers: call.outcome?.answers ?? {},
    analysis: call.analysis,
  };
}

/** `pending` until the summary is stored; `disabled` if the call is not transcribed, or ended without an answer. */
function statusOf(call: CallRow): 'pending' | 'ready' | 'disabled' {
  if (call.summary !== null) return 'ready';
  const isUnanswered = call.ended_at !== null && call.answered_at === null;
  return call.enable_transcription && !isUnanswered ? 'pending' : 'disabled';
}
