import type { AnsweredBy } from '#test/support/emulators/phone-network.js';

/** A result of machine detection, and its time after the answer. */
export interface Verdict {
  answeredBy: string;
  afterMs: number;
}

const HUMAN_MS = 1_000;
const MACHINE_MS = 2_500;

/**
 * The result for who has answered. `Enable` reports it during the greeting, `DetectMessageEnd` after it. Source:
 * Twilio's "Answering Machine Detection".
 */
export function verdictOn(who: AnsweredBy, detection: string): Verdict {
  if (who.kind === 'human') return { answeredBy: 'human', afterMs: HUMAN_MS };
  if (who.kind === 'fax') return { answeredBy: 'fax', afterMs: MACHINE_MS };
  if (detection !== 'DetectMessageEnd') return { answeredBy: 'machine_start', afterMs: MACHINE_MS };
  return {
    answeredBy: who.beeps ? 'machine_end_beep' : 'machine_end_silence',
    afterMs: Math.max(MACHINE_MS, who.greetingMs),
  };
}
