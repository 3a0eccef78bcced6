import type { Outcome } from '#dialogue/outcome.js';

/**
 * The part of a talk's outcome that is stored with its call, for `LiveSession`. A call without a transcript keeps
 * neither the caller's own words nor the summary, which may repeat them. Dates, choices and other values are kept: they
 * are the purpose of the call.
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

/** The answers except those to the named questions. */
function without(
  answers: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(Object.entries(answers).filter(([name]) => !names.includes(name)));
}
