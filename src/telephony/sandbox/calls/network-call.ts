import type { Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import { defineMachine } from '#kernel/work/machine.js';
import type { PacingTimer } from '#media/pacing/pacing-timer.js';
import type {
  CarrierHost,
  CarrierReport,
  CarrierStatus,
  PlaceRequest,
  StreamInstruction,
} from '#telephony/port/carrier.js';
import { MediaStream, type StreamEnd } from './media-stream.js';
import { type Persona, STATUS_AFTER_RINGING, ringMsOf } from '#telephony/sandbox/personas/persona.js';
import { SecondLeg } from './second-leg.js';
import type { CalleeAudio } from '#telephony/sandbox/callees/callee-audio.js';

/** The life cycle of a call in the sandbox network. An accepted call is at least `ringing`. */
const networkCallMachine = defineMachine<CarrierStatus>({
  ringing: { rank: 0, to: ['answered', 'busy', 'no_answer', 'rejected', 'cancelled', 'failed'] },
  answered: { rank: 1, to: ['completed', 'failed'] },
  completed: { rank: 2, to: [] },
  busy: { rank: 2, to: [] },
  no_answer: { rank: 2, to: [] },
  /** This network reports `no_answer` instead. */
  timeout: { rank: 2, to: [] },
  rejected: { rank: 2, to: [] },
  cancelled: { rank: 2, to: [] },
  failed: { rank: 2, to: [] },
  /** Refused when placed, so no accepted call has this status. */
  invalid_number: { rank: 2, to: [] },
});

/** The codes of unanswered calls in reports: SIP responses (RFC 3261). */
const SIP_CODES: Partial<Record<CarrierStatus, string>> = {
  busy: '486',
  no_answer: '480',
  rejected: '603',
  cancelled: '487',
};

/** Neither side hung up. */
const NEITHER_SIDE: StreamEnd = { hungUpBy: null, code: null };
/** The call was answered, but the service did not want it any more. */
const NOT_WANTED: StreamEnd = { hungUpBy: 'agent', code: null };
/** The call was answered, but the service failed to provide a stream; Twilio's code for that. */
const NO_INSTRUCTION: StreamEnd = { hungUpBy: null, code: '11200' };

/** The dependencies of the calls of a network. */
export interface NetworkContext {
  carrierName: string;
  host: CarrierHost;
  clock: Clock;
  ids: Ids;
  log: Log;
  pacingTimer: PacingTimer;
  calleeAudio: CalleeAudio;
  /**
   * The time until a callee answers or rejects, or is reported as busy, in milliseconds, for personas that set no time
   * of their own.
   */
  ringMs: number;
  /** Called with every status in order; with the final status exactly once. */
  onReport(call: NetworkCall, report: CarrierReport, isFinal: boolean): void;
}

/**
 * One call in the sandbox network, from the first ring to its end: rings, lets the persona answer, connects the audio,
 * and reports every status. Used by the sandbox carrier.
 */
export class NetworkCall {
  readonly request: PlaceRequest;
  readonly providerCallId: string;
  readonly #persona: Persona;
  readonly #parts: NetworkContext;
  #status: CarrierStatus = 'ringing';
  #stopRinging = () => {};
  /** The audio between callee and service; null before the answer and after a transfer. */
  #stream: MediaStream | null = null;
  /** The second leg of a transferred call. */
  #leg: SecondLeg | null = null;

  constructor(request: PlaceRequest, providerCallId: string, persona: Persona, parts: NetworkContext) {
    this.request = request;
    this.providerCallId = providerCallId;
    this.#persona = persona;
    this.#parts = parts;
  }

  get status(): CarrierStatus {
    return this.#status;
  }

  /**
   * Starts ringing. After the ring time the persona's reaction decides; if the ring timeout ends first, the call ends
   * as `no_answer`.
   */
  start(): void {
    const { kind } = this.#persona.pickup;
    // A busy phone does not ring.
    if (kind !== 'busy') this.#report('ringing', NEITHER_SIDE);
    const ringLimitMs = this.request.ringTimeoutSeconds * 1000;
    const ringMs = ringMsOf(this.#persona, this.#parts.ringMs);
    this.#stopRinging = this.#parts.clock.after(Math.min(ringMs, ringLimitMs), () => {
      // Calls to unassigned numbers are refused before: the check is for the type.
      if (ringMs > ringLimitMs || kind === 'unassigned') this.#moveTo('no_answer');
      else this.#moveTo(STATUS_AFTER_RINGING[kind]);
    });
  }

  /** Ends the call because the service hangs up; no effect on an ended call. */
  hangUp(): void {
    this.end({ hungUpBy: 'agent', code: null });
  }

  /** True if the callee talks with the agent, so that the call can be transferred. */
  get isTalking(): boolean {
    return this.#status === 'answered' && this.#stream !== null;
  }

  /** Transfers the callee to another persona. @param onLegEnd receives the final status of the second leg */
  handOver(persona: Persona, onLegEnd: (status: CarrierStatus) => void): void {
    const onOver = (status: CarrierStatus, hungUpBy: StreamEnd['hungUpBy']) => {
      onLegEnd(status);
      this.end({ hungUpBy, code: null });
    };
    const callee = this.#stream!.handOver(() => this.#leg?.hangUp('customer'));
    this.#stream = null;
    this.#leg = new SecondLeg(
      { callee, persona, ringMs: ringMsOf(persona, this.#parts.ringMs) },
      this.#parts,
      onOver,
    );
  }

  /** Ends the call as `completed` if it was answered, else as `cancelled`. */
  end(cause: StreamEnd): void {
    this.#moveTo(this.#status === 'answered' ? 'completed' : 'cancelled', cause);
    this.#stream?.hangUp(cause.hungUpBy);
    this.#leg?.hangUp(cause.hungUpBy);
  }

  /** Changes the status and reports it; no effect if the life cycle does not allow the change. */
  #moveTo(status: CarrierStatus, cause: StreamEnd = NEITHER_SIDE): void {
    if (!networkCallMachine.canMove(this.#status, status)) return;
    this.#status = status;
    this.#stopRinging();
    this.#report(status, { ...cause, code: cause.code ?? SIP_CODES[status] ?? null });
    if (status === 'answered') void this.#answered();
  }

  /** Asks the service for the audio stream of an answered call, unless the persona hangs up at once. */
  async #answered(): Promise<void> {
    if (this.#persona.pickup.kind === 'hangs_up_at_once')
      return this.end({ hungUpBy: 'customer', code: null });
    const { host, carrierName, log } = this.#parts;
    const { dialRef } = this.request;
    try {
      const call = { carrier: carrierName, dialRef, providerCallId: this.providerCallId };
      const instruction = await host.answer(call);
      if (!instruction) this.end(NOT_WANTED);
      else if (this.#status === 'answered') this.#connect(instruction);
    } catch (error) {
      log.warn({ err: error, dial_ref: dialRef }, 'an answered call could not be connected');
      this.end(NO_INSTRUCTION);
    }
  }

  /** Connects the call's audio. @throws SyntaxError if the instruction has no WebSocket address */
  #connect(instruction: StreamInstruction): void {
    const streamSid = `MZ${this.#parts.ids.secret(16).toString('hex')}`;
    const call = {
      instruction,
      streamSid,
      providerCallId: this.providerCallId,
      persona: this.#persona,
    };
    this.#stream = new MediaStream(call, this.#parts, (end) => this.end(end));
  }

  /** Reports a status to the network, which sends it to the service. */
  #report(status: CarrierStatus, cause: StreamEnd): void {
    const report: CarrierReport = {
      carrier: this.#parts.carrierName,
      dialRef: this.request.dialRef,
      providerCallId: this.providerCallId,
      status,
      code: cause.code,
      hungUpBy: cause.hungUpBy,
      at: this.#parts.clock.wallMs(),
    };
    this.#parts.onReport(this, report, networkCallMachine.isFinal(status));
  }
}
