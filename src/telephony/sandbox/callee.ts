import { FRAME_LENGTH, framesIn } from './line.js';
import type { Action, Script, ScriptStep } from './persona.js';
import { TurnListener } from './turn-listener.js';
import type { Voicebox } from './voicebox.js';

/** What a callee can do besides speaking. */
export interface CalleeHands {
  press(digit: string): void;
  hangUp(): void;
}

/**
 * A callee in a call, moved on by frames of 20 ms: each frame it hears what its earpiece plays, and gives what its
 * mouthpiece picks up. It knows no clock, so the same frames always make the same talk.
 */
export class Callee {
  readonly #script: Script;
  readonly #hands: CalleeHands;
  readonly #listener = new TurnListener();
  /** Lines ready to be said; null when the voice failed; missing while it is being synthesised. */
  readonly #lines = new Map<string, Int16Array | null>();
  #stepsDone = 0;
  /** Frames until the action of the current step; null while its moment has not come. */
  #framesToAction: number | null = null;
  #line: Int16Array | null = null;
  #spokenSamples = 0;

  constructor(script: Script, voicebox: Voicebox, hands: CalleeHands) {
    this.#script = script;
    this.#hands = hands;
    for (const text of textsOf(script)) {
      void voicebox.line(text).then((line) => this.#lines.set(text, line));
    }
  }

  /** One frame later: takes what was heard (null is silence), returns what is said (null is silence). */
  frame(heard: Int16Array | null): Int16Array | null {
    const change = this.#listener.hear(heard);
    if (this.#line) return this.#speakOn(this.#line);
    if (change === 'began') this.#await('agent_speaking');
    if (change === 'ended') this.#await('agent_stopped');
    if (this.#framesToAction === null || this.#framesToAction-- > 0) return null;
    return this.#act();
  }

  get #step(): ScriptStep | null {
    return this.#script.steps[this.#stepsDone] ?? this.#script.thereafter;
  }

  /** A moment has come: counts down to the action when it is the one that the step waits for, else waits on. */
  #await(moment: ScriptStep['when']): void {
    const step = this.#step;
    this.#framesToAction = step?.when === moment ? framesIn(step.afterMs) : null;
  }

  #act(): Int16Array | null {
    const action = this.#step!.action;
    if (action.kind === 'say' && !this.#lines.has(action.text)) {
      this.#framesToAction = 0;
      return null;
    }
    this.#framesToAction = null;
    this.#stepsDone += 1;
    return this.#do(action);
  }

  #do(action: Action): Int16Array | null {
    if (action.kind === 'press') this.#hands.press(action.digit);
    if (action.kind === 'hang_up') this.#hands.hangUp();
    if (action.kind !== 'say') return null;
    this.#line = this.#lines.get(action.text) ?? null;
    this.#spokenSamples = 0;
    return this.#line && this.#speakOn(this.#line);
  }

  #speakOn(line: Int16Array): Int16Array {
    const frame = line.subarray(this.#spokenSamples, this.#spokenSamples + FRAME_LENGTH);
    this.#spokenSamples += frame.length;
    if (this.#spokenSamples >= line.length) this.#endLine();
    return frame.length === FRAME_LENGTH ? frame : padded(frame);
  }

  /** An agent that began before the line was over is in the middle of its turn now. */
  #endLine(): void {
    this.#line = null;
    if (this.#listener.isInTurn) this.#await('agent_speaking');
  }
}

function textsOf(script: Script): Set<string> {
  const steps = script.thereafter ? [...script.steps, script.thereafter] : script.steps;
  return new Set(steps.flatMap(({ action }) => (action.kind === 'say' ? [action.text] : [])));
}

function padded(samples: Int16Array): Int16Array {
  const frame = new Int16Array(FRAME_LENGTH);
  frame.set(samples);
  return frame;
}
