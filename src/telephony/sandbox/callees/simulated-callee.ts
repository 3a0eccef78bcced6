import { DtmfReceiver } from '#media/detecting/dtmf.js';
import { FRAME_SAMPLES, framesIn, SANDBOX_SAMPLE_RATE_HZ } from '#telephony/sandbox/sound/sandbox-frames.js';
import type { Action, Persona, ScriptStep } from '#telephony/sandbox/personas/persona.js';
import { TurnListener } from './turn-listener.js';
import type { CalleeAudio } from './callee-audio.js';

/** The actions of a callee other than audio, which the network carries out. */
export interface CalleeControls {
  /** Sends a DTMF digit. */
  sendDigit(digit: string): void;
  /** Hangs up. */
  hangUp(): void;
}

/** An action in progress: a sound, or a silent wait (`samples` is null). */
interface RunningAction {
  samples: Int16Array | null;
  lengthSamples: number;
}

/**
 * A simulated callee, who follows the script of a persona. Frames of 20 ms drive it: each call of `frame` takes the
 * audio that the callee hears and returns the audio that the callee says. It has no clock: time is counted in frames,
 * so equal frames result in the same talk (if its lines are synthesised in time). Used by `MediaStream` and
 * `SecondLeg`.
 */
export class SimulatedCallee {
  readonly #persona: Pick<Persona, 'script' | 'voice'>;
  readonly #calleeAudio: CalleeAudio;
  readonly #controls: CalleeControls;
  readonly #listener = new TurnListener();
  readonly #dtmf = new DtmfReceiver(SANDBOX_SAMPLE_RATE_HZ);
  /** Synthesised lines; null after a failure, missing while pending. */
  readonly #lines = new Map<string, Int16Array | null>();
  /** The number of steps whose action has begun; it goes on counting repetitions of `thereafter`. */
  #stepsBegun = 0;
  /** DTMF digits of the agent not consumed by a step. */
  #digits = '';
  /** Frames until the action of the current step; null while the step waits for its moment. */
  #framesToAction: number | null = null;
  /** The action in progress; null while the callee listens. */
  #action: RunningAction | null = null;
  /** The part of the action that is over. */
  #doneSamples = 0;

  constructor(
    persona: Pick<Persona, 'script' | 'voice'>,
    calleeAudio: CalleeAudio,
    controls: CalleeControls,
  ) {
    this.#persona = persona;
    this.#calleeAudio = calleeAudio;
    this.#controls = controls;
    for (const text of textsOf(persona)) {
      void calleeAudio.speech(text, persona.voice).then((line) => this.#lines.set(text, line));
    }
    this.#beginStep();
  }

  /** Advances by one frame: takes the audio heard (null is silence), returns the audio said (null is silence). */
  frame(heard: Int16Array | null): Int16Array | null {
    this.#digits += this.#dtmf.hear(heard) ?? '';
    // A DTMF tone is neither speech nor silence, so it does not change the turn.
    const change = this.#dtmf.isSounding ? null : this.#listener.hear(heard);
    if (this.#action) return this.#continueAction(this.#action);
    if (change === 'began') this.#onMoment('agent_speaking');
    if (change === 'ended') this.#onMoment('agent_stopped');
    this.#checkDigits();
    if (this.#framesToAction === null || this.#framesToAction-- > 0) return null;
    return this.#beginAction();
  }

  /** The current step; null after the end of a script that repeats nothing (`thereafter`). */
  get #step(): ScriptStep | null {
    const { steps, thereafter } = this.#persona.script;
    return steps[this.#stepsBegun] ?? thereafter;
  }

  /** Begins to wait for the moment of the current step. */
  #beginStep(): void {
    const step = this.#step;
    this.#framesToAction = step?.when === 'at_once' ? framesIn(step.afterMs) : null;
  }

  /**
   * Starts the countdown to the action if the step waits for this change of turn; the other change stops the countdown.
   * No effect on steps that do not wait for a turn.
   */
  #onMoment(moment: ScriptStep['when']): void {
    const step = this.#step;
    if (step?.when === 'at_once' || step?.when === 'keys_pressed') return;
    this.#framesToAction = step?.when === moment ? framesIn(step.afterMs) : null;
  }

  /** Starts the countdown if the step waits for digits that the agent has sent. */
  #checkDigits(): void {
    const step = this.#step;
    if (step?.when !== 'keys_pressed' || this.#framesToAction !== null) return;
    const { keys = '', afterMs } = step;
    const keysAt = this.#digits.indexOf(keys);
    if (keysAt < 0) return;
    this.#digits = this.#digits.slice(keysAt + keys.length);
    this.#framesToAction = framesIn(afterMs);
  }

  /** Begins the action of the current step, and returns its first frame; waits while its line is being synthesised. */
  #beginAction(): Int16Array | null {
    const { action } = this.#step!;
    if (action.kind === 'say' && !this.#lines.has(action.text)) {
      this.#framesToAction = 0;
      return null;
    }
    this.#stepsBegun += 1;
    // An action that takes time delays the next step, which begins once more at its end.
    this.#beginStep();
    if (action.kind === 'press') this.#controls.sendDigit(action.digit);
    if (action.kind === 'hang_up') this.#controls.hangUp();
    this.#action = this.#timedAction(action);
    this.#doneSamples = 0;
    return this.#action && this.#continueAction(this.#action);
  }

  /** The part of an action that takes time; null if none does, or if its line could not be synthesised. */
  #timedAction(action: Action): RunningAction | null {
    if (action.kind === 'wait') {
      return { samples: null, lengthSamples: framesIn(action.durationMs) * FRAME_SAMPLES };
    }
    const samples =
      action.kind === 'say'
        ? this.#lines.get(action.text)
        : action.kind === 'play'
          ? this.#calleeAudio.sound(action.sound)
          : null;
    return samples ? { samples, lengthSamples: samples.length } : null;
  }

  /** The next frame of the action; null for a wait. */
  #continueAction({ samples, lengthSamples }: RunningAction): Int16Array | null {
    const from = this.#doneSamples;
    this.#doneSamples += FRAME_SAMPLES;
    if (this.#doneSamples >= lengthSamples) this.#endAction();
    if (!samples) return null;
    const frame = samples.subarray(from, from + FRAME_SAMPLES);
    return frame.length === FRAME_SAMPLES ? frame : padded(frame);
  }

  /** Ends the action. The agent may have begun a turn meanwhile, for which the next step may wait. */
  #endAction(): void {
    this.#action = null;
    this.#beginStep();
    if (this.#listener.isInTurn) this.#onMoment('agent_speaking');
  }
}

/** The texts that a script speaks. */
function textsOf({ script }: Pick<Persona, 'script'>): Set<string> {
  const steps = script.thereafter ? [...script.steps, script.thereafter] : script.steps;
  return new Set(steps.flatMap(({ action }) => (action.kind === 'say' ? [action.text] : [])));
}

/** The last samples of a sound as a whole frame, filled up with silence. */
function padded(samples: Int16Array): Int16Array {
  const frame = new Int16Array(FRAME_SAMPLES);
  frame.set(samples);
  return frame;
}
