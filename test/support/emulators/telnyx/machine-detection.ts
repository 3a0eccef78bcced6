import type { AnsweredBy } from '#test/support/emulators/phone-network.js';

/** A result of machine detection, and its delay after the one before. */
export interface Finding {
  event: string;
  result: string;
  afterMs: number;
}

const HUMAN_MS = 1_000;
const MACHINE_MS = 2_500;

/** Source: Telnyx, "Answering machine detection". `detect` does not report the end of a greeting. */
export function findingsOn(who: AnsweredBy, detection: string): Finding[] {
  const detected = 'call.machine.detection.ended';
  if (who.kind === 'human') return [{ event: detected, result: 'human', afterMs: HUMAN_MS }];
  // Only premium detection recognises a fax.
  if (who.kind === 'fax') return [{ event: detected, result: 'not_sure', afterMs: MACHINE_MS }];
  const found = { event: detected, result: 'machine', afterMs: MACHINE_MS };
  if (detection !== 'greeting_end') return [found];
  const afterMs = Math.max(0, who.greetingMs - MACHINE_MS);
  const result = who.beeps ? 'beep_detected' : 'ended';
  return [found, { event: 'call.machine.greeting.ended', result, afterMs }];
}
