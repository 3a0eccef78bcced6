/** What becomes of a call when the network reaches a number. */
export type Pickup =
  /** Picks up after ringing so long (null: as long as the network lets every phone ring) and talks. */
  | { kind: 'answers'; ringMs: number | null }
  /** Picks up at once and hangs up at once; no audio is ever connected, so thousands of these cost little. */
  | { kind: 'hangs_up_at_once' }
  | { kind: 'busy' }
  | { kind: 'no_answer' }
  | { kind: 'rejects' }
  /** There is no such number: the network refuses to dial it. */
  | { kind: 'unassigned' };

/** What can be heard of a callee besides words. */
export type Sound =
  /** The tone of an answering machine. */
  | { kind: 'beep'; durationMs: number }
  | { kind: 'music'; durationMs: number }
  | { kind: 'cough'; durationMs: number }
  /** Sound of the persona's own, at the line's rate. */
  | { kind: 'recorded'; samples: Int16Array };

/** What a callee does when its moment comes. */
export type Action =
  | { kind: 'say'; text: string }
  | { kind: 'play'; sound: Sound }
  | { kind: 'wait'; durationMs: number }
  | { kind: 'press'; digit: string }
  | { kind: 'hang_up' };

/** One thing that a callee does, and the moment it waits for. Moments are counted from the end of the step before. */
export interface ScriptStep {
  /**
   * `agent_stopped`: the agent has finished its turn. `agent_speaking`: the agent is in the middle of one.
   * `at_once`: the step before is over; for the first one, the call was answered. `keys_pressed`: the agent has pressed
   * `keys`, now or before, one after the other; what it has pressed otherwise does not matter.
   */
  when: 'agent_stopped' | 'agent_speaking' | 'at_once' | 'keys_pressed';
  /** Those that `keys_pressed` waits for. */
  keys?: string;
  /** How long after the moment, in milliseconds. A turn of the agent that passes in between is waited for anew. */
  afterMs: number;
  action: Action;
}

/**
 * The callee's part in a talk. Callees do not understand words: a script goes by the turns of the agent, and by its
 * keys.
 */
export interface Script {
  steps: readonly ScriptStep[];
  /** Done again and again when all steps are done; null keeps silent. */
  thereafter: ScriptStep | null;
}

/** What a line adds to the sound of its callee. */
export interface LineNoise {
  /** `pink`: a fan, a car, wind. `babble`: other people talking. */
  kind: 'pink' | 'babble';
  /** How far the callee's voice stands above it, in dB. */
  snrDb: number;
}

/** What a line does to what its callee says. Shares are from 0 (never) to 1 (always), of frames of 20 ms. */
export interface LineConditions {
  noise: LineNoise | null;
  /** Frames that never arrive. */
  lostShare: number;
  /** Frames that are held up for `lateMs`, with all that follow; then they come in a burst. */
  lateShare: number;
  lateMs: number;
  /** Frames that arrive after the one that follows them. */
  swappedShare: number;
}

/** Somebody who lives behind a number of the sandbox network. */
export interface Persona {
  /** E.164; of the range that is reserved for fiction. */
  number: string;
  name: string;
  /** One sentence for people: what happens when this number is called. */
  description: string;
  pickup: Pickup;
  /** A voice of the synthesiser; unknown or missing: the callees' usual one. */
  voice?: string;
  script: Script;
  /** Missing: a line without faults. */
  line?: LineConditions;
}

/** How long people take before they answer a question, in milliseconds. */
export const HUMAN_PAUSE_MS = 400;
