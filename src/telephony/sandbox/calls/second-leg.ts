import type { Clock } from '#kernel/time/clock.js';
import type { PacingTimer } from '#media/pacing/pacing-timer.js';
import type { CarrierStatus } from '#telephony/port/carrier.js';
import { SimulatedCallee } from '#telephony/sandbox/callees/simulated-callee.js';
import { FRAME_SAMPLES } from '#telephony/sandbox/sound/sandbox-frames.js';
import type { StreamEnd } from './media-stream.js';
import { type Persona, STATUS_AFTER_RINGING } from '#telephony/sandbox/personas/persona.js';
import type { CalleeAudio } from '#telephony/sandbox/callees/callee-audio.js';

/** The ring timeout of the second phone. */
const RING_TIMEOUT_MS = 30_000;
/** The longest talk of two callees who do not hang up. */
const MAX_TALK_MS = 120_000;

/** Called with the final status of the second leg, and the side that hung up. */
export type OnLegEnd = (status: CarrierStatus, hungUpBy: StreamEnd['hungUpBy']) => void;

/**
 * The second leg of a transferred sandbox call: another phone rings, and then the two simulated callees hear each
 * other. Used by `NetworkCall`.
 */
export class SecondLeg {
  readonly #pacingTimer: PacingTimer;
  readonly #calleeAudio: CalleeAudio;
  readonly #clock: Clock;
  readonly #first: SimulatedCallee;
  readonly #persona: Persona;
  readonly #onEnd: OnLegEnd;
  /** The last frame of the second callee, which the first callee hears next. */
  readonly #heardByFirst = new Int16Array(FRAME_SAMPLES);
  /** True if the second callee's last frame was no silence. */
  #hasSpoken = false;
  #status: CarrierStatus = 'ringing';
  /** Cancels the timer of ringing, or of the longest talk. */
  #stop = () => {};
  /** Stops the exchange of frames. */
  #leaveTimer = () => {};
  #isOver = false;

  constructor(
    call: { callee: SimulatedCallee; persona: Persona; ringMs: number },
    parts: { clock: Clock; pacingTimer: PacingTimer; calleeAudio: CalleeAudio },
    onEnd: OnLegEnd,
  ) {
    this.#first = call.callee;
    this.#persona = call.persona;
    this.#onEnd = onEnd;
    this.#clock = parts.clock;
    this.#pacingTimer = parts.pacingTimer;
    this.#calleeAudio = parts.calleeAudio;
    const { kind } = call.persona.pickup;
    this.#stop = this.#clock.after(Math.min(call.ringMs, RING_TIMEOUT_MS), () => {
      // Unassigned numbers are refused before: the check is for the type.
      const isTooLate = call.ringMs > RING_TIMEOUT_MS || kind === 'unassigned';
      const status = isTooLate ? 'no_answer' : STATUS_AFTER_RINGING[kind];
      // A persona who hangs up at once has answered, too.
      if (status === 'answered' && kind === 'answers') this.#answer();
      else this.#end(status === 'answered' ? 'completed' : status, null);
    });
  }

  /** Ends the leg; no effect on an ended leg. */
  hangUp(hungUpBy: StreamEnd['hungUpBy']): void {
    this.#end(this.#status === 'answered' ? 'completed' : 'cancelled', hungUpBy);
  }

  /** Connects the callees. */
  #answer(): void {
    this.#status = 'answered';
    this.#stop = this.#clock.after(MAX_TALK_MS, () => this.hangUp(null));
    // To the service, the second callee is on the agent's side of the call.
    const controls = { sendDigit: () => {}, hangUp: () => this.hangUp('agent') };
    const second = new SimulatedCallee(this.#persona, this.#calleeAudio, controls);
    this.#leaveTimer = this.#pacingTimer.join((due) => {
      for (let done = 0; done < due && !this.#isOver; done++) this.#exchangeFrame(second);
    });
  }

  /** Exchanges one frame of 20 ms between the callees. */
  #exchangeFrame(second: SimulatedCallee): void {
    const fromFirst = this.#first.frame(this.#hasSpoken ? this.#heardByFirst : null);
    if (this.#isOver) return;
    const fromSecond = second.frame(fromFirst);
    this.#hasSpoken = fromSecond !== null;
    if (fromSecond) this.#heardByFirst.set(fromSecond);
  }

  /** Ends the leg and reports it, once. */
  #end(status: CarrierStatus, hungUpBy: StreamEnd['hungUpBy']): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stop();
    this.#leaveTimer();
    this.#onEnd(status, hungUpBy);
  }
}
