import type { AnsweredBy } from '#test/support/emulators/phone-network.js';

/** A result of machine detection, and its time after the answer. */
export interface Finding {
  type: string;
  afterMs: number;
  further?: Readonly<Record<string, unknown>>;
}

/** The results for who has answered, in order. Source: jambonz, `amd`. */
export function findingsOn(who: AnsweredBy): Finding[] {
  if (who.kind === 'human')
    return [
      {
        type: 'amd_human_detected',
        afterMs: 1_000,
        further: { reason: 'short greeting', greeting: 'hello' },
      },
      { type: 'amd_stopped', afterMs: 1_000 },
    ];
  if (who.kind === 'fax') return [{ type: 'amd_no_speech_detected', afterMs: 5_000 }];
  const endMs = Math.max(2_500, who.greetingMs);
  const beep: Finding = { type: 'amd_tone_detected', afterMs: endMs, further: { frequency: 1_000 } };
  return [
    { type: 'amd_machine_detected', afterMs: 2_500, further: { reason: 'long greeting' } },
    ...(who.beeps ? [beep] : []),
    { type: 'amd_machine_stopped_speaking', afterMs: endMs + (who.beeps ? 1_000 : 2_000) },
  ];
}
