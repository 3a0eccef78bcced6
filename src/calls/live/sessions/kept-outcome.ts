import type { Outcome } from '#dialogue/outcome.js';

/**
 * The part of an outcome that a call keeps. Without a transcript, neither the caller's own words are kept nor the
 * summary, which may repeat those words; dates, choices and other values are, since they are the purpose of the call.
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
