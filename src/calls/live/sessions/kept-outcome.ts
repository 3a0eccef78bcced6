import type { Outcome } from '#dialogue/outcome.js';

/**
 * As much of an outcome as a call keeps. Without a transcript nothing stays that callers said in words of their own,
 * nor the summary, which may repeat it; days, choices and other values are what the call was made for (our choice).
 */
export function keptOutcome(
  { inOwnWords = [], ...outcome }: Outcome,
  call: { enable_transcription: boolean },
): Omit<Outcome, 'inOwnWords'> {
  if (call.enable_transcription) return outcome;
  const { answers, said } = outcome;
  return {
    ...outcome,
    answers: without(answers, inOwnWords),
    said: said && without(said, inOwnWords),
    summary: null,
  };
}

function without(
  answers: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(Object.entries(answers).filter(([name]) => !names.includes(name)));
}
