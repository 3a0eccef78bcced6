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

/** What a callee does when its moment comes. */
export type Action = { kind: 'say'; text: string } | { kind: 'press'; digit: string } | { kind: 'hang_up' };

/** One thing that a callee does, and the moment it waits for. Moments are counted from the end of the step before. */
export interface ScriptStep {
  /** `agent_stopped`: the agent has finished its turn. `agent_speaking`: the agent is in the middle of one. */
  when: 'agent_stopped' | 'agent_speaking';
  /** How long after the moment, in milliseconds. A moment that passes in between is waited for anew. */
  afterMs: number;
  action: Action;
}

/** The callee's part in a talk. Callees do not understand words: a script goes by the turns of the agent. */
export interface Script {
  steps: readonly ScriptStep[];
  /** Done again at every further turn of the agent; null keeps silent. */
  thereafter: ScriptStep | null;
}

/** Somebody who lives behind a number of the sandbox network. */
export interface Persona {
  /** E.164; of the range that is reserved for fiction. */
  number: string;
  name: string;
  /** One sentence for people: what happens when this number is called. */
  description: string;
  pickup: Pickup;
  script: Script;
}

/** How long people take before they answer a question, in milliseconds. */
const HUMAN_PAUSE_MS = 400;

/** A step: says this when the agent has finished its turn. */
export function says(text: string, afterMs: number = HUMAN_PAUSE_MS): ScriptStep {
  return { when: 'agent_stopped', afterMs, action: { kind: 'say', text } };
}

/** A step: presses a key when the agent has finished its turn. */
export function presses(digit: string, afterMs: number = HUMAN_PAUSE_MS): ScriptStep {
  return { when: 'agent_stopped', afterMs, action: { kind: 'press', digit } };
}

/** A step: hangs up when the agent has spoken for so long without a pause. */
export function hangsUpInMidSentence(afterMs: number): ScriptStep {
  return { when: 'agent_speaking', afterMs, action: { kind: 'hang_up' } };
}

/** A script of someone who says nothing, ever. */
export const SILENCE: Script = { steps: [], thereafter: null };
