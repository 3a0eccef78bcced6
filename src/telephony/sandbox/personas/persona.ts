import type { CarrierStatus } from '#telephony/port/carrier.js';

/**
 * The simulated people of the sandbox network (personas): who they are, how they react to a call, and what they do in
 * it. `NetworkCall` lets them answer; `SimulatedCallee` follows their scripts.
 */

/** The reaction of a persona's phone to a call. */
export type Pickup =
  /** Answers after this ring time (null: the network's default) and talks. */
  | { kind: 'answers'; ringMs: number | null }
  /** Answers and hangs up at once, without audio: for load tests. */
  | { kind: 'hangs_up_at_once' }
  | { kind: 'busy' }
  | { kind: 'no_answer' }
  | { kind: 'rejects' }
  /** The number does not exist: the network refuses to dial it. */
  | { kind: 'unassigned' };

/** A sound of a callee that is not synthesised speech. */
export type Sound =
  /** The tone of an answering machine. */
  | { kind: 'beep'; durationMs: number }
  | { kind: 'music'; durationMs: number }
  | { kind: 'cough'; durationMs: number }
  /** Recorded audio at the sandbox's sample rate, with or without words. */
  | { kind: 'recorded'; samples: Int16Array };

/** An action of a callee. */
export type Action =
  | { kind: 'say'; text: string }
  | { kind: 'play'; sound: Sound }
  | { kind: 'wait'; durationMs: number }
  | { kind: 'press'; digit: string }
  | { kind: 'hang_up' };

/** An action of a script, and the moment that it waits for after the step before. */
export interface ScriptStep {
  /**
   * `agent_stopped`: the agent has finished its turn. `agent_speaking`: the agent is in a turn. `at_once`: the step
   * before is over, or the call was answered. `keys_pressed`: the agent has sent the digits of `keys` in a row, now or
   * before; other digits are ignored.
   */
  when: 'agent_stopped' | 'agent_speaking' | 'at_once' | 'keys_pressed';
  /** The DTMF digits of `keys_pressed`. */
  keys?: string;
  /**
   * Delay after the moment in milliseconds. After `agent_stopped` and `agent_speaking`, the next change of the agent's
   * turn stops the delay; the moment starts it again.
   */
  afterMs: number;
  action: Action;
}

/** The behaviour of a callee. Callees do not understand words: scripts follow the agent's turns and DTMF digits. */
export interface Script {
  steps: readonly ScriptStep[];
  /** Repeated after all steps; null for silence. */
  thereafter: ScriptStep | null;
}

/** The background noise of a line. */
export interface LineNoise {
  /** `pink`: a fan, a car, wind. `babble`: other people talking. */
  kind: 'pink' | 'babble';
  /** Level of the callee's voice above the noise, in dB. */
  snrDb: number;
}

/** The impairments of a line, from callee to service. Shares are parts of all frames of 20 ms, from 0 to 1. */
export interface LineConditions {
  noise: LineNoise | null;
  /** Frames lost. */
  lostShare: number;
  /** Frames delayed by `lateMs` with all that follow, then sent in a burst. */
  lateShare: number;
  lateMs: number;
  /** Frames swapped with their successor. */
  swappedShare: number;
}

/** A simulated person at a number of the sandbox network. */
export interface Persona {
  /** E.164. Built-in personas have the area code 555, which no region has. */
  number: string;
  name: string;
  /** One sentence on what happens when the number is called. */
  description: string;
  pickup: Pickup;
  /** Voice of the synthesiser; the default voice if unknown or missing. */
  voice?: string;
  script: Script;
  /** Missing: a line without impairments. */
  line?: LineConditions;
}

/** The pause of a person before an answer, in milliseconds. */
export const HUMAN_PAUSE_MS = 400;

/** The status of a call after ringing, by the callee's reaction. */
export const STATUS_AFTER_RINGING: Readonly<Record<Exclude<Pickup['kind'], 'unassigned'>, CarrierStatus>> = {
  answers: 'answered',
  hangs_up_at_once: 'answered',
  busy: 'busy',
  no_answer: 'no_answer',
  rejects: 'rejected',
};

/** How long a persona's phone rings until the persona reacts, in milliseconds; `defaultMs` if the persona sets none. */
export function ringMsOf({ pickup }: Pick<Persona, 'pickup'>, defaultMs: number): number {
  if (pickup.kind === 'answers') return pickup.ringMs ?? defaultMs;
  if (pickup.kind === 'no_answer') return Number.POSITIVE_INFINITY;
  return pickup.kind === 'hangs_up_at_once' ? 0 : defaultMs;
}
