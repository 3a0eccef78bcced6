import type { AnsweredBy } from '#test/support/emulators/phone-network.js';

/** A result of machine detection, and its time after the answer. */
export interface MachineEvent {
  afterMs: number;
  status: 'human' | 'machine';
  sub_state?: 'beep_start' | 'beep_timeout';
}

const HUMAN_MS = 1_000;
const MACHINE_MS = 2_500;
const BEEP_TIMEOUT_MS = 45_000;

/** Source: Vonage's "Voicemail Detection", mode `default`. */
export function machineEvents(who: AnsweredBy): MachineEvent[] {
  if (who.kind === 'human') return [{ afterMs: HUMAN_MS, status: 'human' }];
  const found: MachineEvent = { afterMs: MACHINE_MS, status: 'machine' };
  if (who.kind === 'fax') return [found];
  const beep: MachineEvent = who.beeps
    ? { afterMs: Math.max(MACHINE_MS, who.greetingMs), status: 'machine', sub_state: 'beep_start' }
    : { afterMs: BEEP_TIMEOUT_MS, status: 'machine', sub_state: 'beep_timeout' };
  return [found, beep];
}
