import { setMaxListeners } from 'node:events';
import { sleep, type Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import { Tasks } from '#kernel/work/tasks.js';
import { createPacingTimer } from '#media/pacing/pacing-timer.js';
import type { Tts } from '#speech/tts.js';
import {
  CarrierError,
  type Carrier,
  type CarrierHost,
  type CarrierReport,
  type CarrierStatus,
  type CarrierTraits,
  type LookUp,
  type PlaceRequest,
  type TransferRequest,
} from '#telephony/port/carrier.js';
import { occurs, NO_FAULTS, type SandboxFaults } from './faults.js';
import { JournalFile } from './journal-file.js';
import { createMemoryJournal, type CallJournal, type JournalCall } from './call-journal.js';
import { NetworkCall, type NetworkContext } from '#telephony/sandbox/calls/network-call.js';
import type { Persona } from '#telephony/sandbox/personas/persona.js';
import { createPersonaLookup, PERSONAS } from '#telephony/sandbox/personas/personas.js';
import { StatusCallbackSender } from './status-callback-sender.js';
import { createCalleeAudio, type CalleeAudio } from '#telephony/sandbox/callees/callee-audio.js';

const CARRIER_NAME = 'sandbox';

/** The options of the sandbox network. */
export interface SandboxOptions {
  /**
   * The time until a callee answers or rejects, or is reported as busy, in milliseconds. Default 700. A persona may
   * have a time of its own.
   */
  ringMs?: number;
  /** `exact` (default) finds calls by their dial reference, `none` never finds any. */
  lookUp?: 'exact' | 'none';
  /** True (default) if a repeated reference is not dialled again. */
  idempotentPlace?: boolean;
  /** The rate limit in the traits of this carrier, which the network does not enforce. Default 1,000. */
  callsPerSecond?: number;
  /** True (default) if its calls can be joined (warm transfer). */
  joinsLegs?: boolean;
  /** File of the call journal; without one the journal is in memory. */
  journalPath?: string | null;
  /** The simulated people; the first also answers unlisted numbers. Default {@link PERSONAS}. */
  personas?: readonly Persona[];
  faults?: SandboxFaults;
}

/** The dependencies of the sandbox network. */
export interface SandboxContext {
  host: CarrierHost;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** The voices of the callees. The owner closes them, not the network. */
  tts: Tts;
}

/**
 * Creates the sandbox network: a telephone network inside the process, with simulated callees, for tests and
 * demonstrations without a carrier (docs/sandbox.md).
 */
export function createSandboxCarrier(options: SandboxOptions, parts: SandboxContext): Carrier {
  return new SandboxCarrier(options, parts);
}

/**
 * The network: places calls to personas, keeps the journal, and reports to the service like a carrier. Its refusals
 * have Twilio's error codes, and `486`, the SIP response for busy.
 */
class SandboxCarrier implements Carrier {
  readonly name = CARRIER_NAME;
  readonly traits: CarrierTraits;
  readonly #parts: SandboxContext;
  readonly #faults: Required<SandboxFaults>;
  readonly #journal: CallJournal;
  readonly #callbacks: StatusCallbackSender;
  readonly #calleeAudio: CalleeAudio;
  /** The persona of a number; null for an unassigned or invalid number. */
  readonly #personaAt: (number: string) => Persona | null;
  readonly #callParts: NetworkContext;
  /** Active calls by the network's id. */
  readonly #calls = new Map<string, NetworkCall>();
  /** Place requests in progress. */
  readonly #requests = new Tasks();
  /** Aborted when the network closes: injected delays then end at once. */
  readonly #closing = new AbortController();
  #closed: Promise<void> | null = null;

  constructor(options: SandboxOptions, parts: SandboxContext) {
    this.#parts = parts;
    // Every waiting request listens to the signal.
    setMaxListeners(0, this.#closing.signal);
    this.traits = {
      lookUp: options.lookUp ?? 'exact',
      idempotentPlace: options.idempotentPlace ?? true,
      callsPerSecond: options.callsPerSecond ?? 1_000,
      joinsLegs: options.joinsLegs ?? true,
    };
    this.#faults = { ...NO_FAULTS, ...options.faults };
    this.#journal = options.journalPath
      ? new JournalFile(options.journalPath, parts.clock)
      : createMemoryJournal(parts.clock);
    this.#callbacks = new StatusCallbackSender(parts, this.#faults);
    this.#calleeAudio = createCalleeAudio(parts);
    this.#personaAt = createPersonaLookup(options.personas ?? PERSONAS);
    this.#callParts = {
      ...parts,
      carrierName: this.name,
      pacingTimer: createPacingTimer(parts),
      calleeAudio: this.#calleeAudio,
      ringMs: options.ringMs ?? 700,
      onReport: (call, report, isFinal) => this.#onReport(call, report, isFinal),
    };
  }

  /** Resolves with the network's id when the dial request is accepted; the call rings in the background. */
  place(request: PlaceRequest, signal: AbortSignal): Promise<{ providerCallId: string }> {
    if (this.#closed)
      return Promise.reject(new CarrierError('not_dialled', 'unreachable', 'the network is closed'));
    if (signal.aborted)
      return Promise.reject(new CarrierError('not_dialled', 'timeout', 'the request was not sent'));
    const answer = this.#executePlace(request);
    this.#requests.add(answer.catch(() => {}));
    return untilAborted(answer, signal);
  }

  async hangUp(providerCallId: string): Promise<void> {
    await this.#delay(this.#faults.latencyMs);
    this.#calls.get(providerCallId)?.hangUp();
  }

  /**
   * Transfers an answered call. The transfer is refused if the number is busy, invalid or unassigned; any other callee
   * is called, and may not answer.
   */
  async transfer({ providerCallId, to, from }: TransferRequest): Promise<void> {
    await this.#delay(this.#faults.latencyMs);
    const call = this.#calls.get(providerCallId);
    if (!call?.isTalking)
      throw new CarrierError('not_dialled', 'refused', 'the call is not answered', '21220');
    const persona = this.#personaAt(to);
    if (!persona) throw new CarrierError('not_dialled', 'invalid_number', 'no such number', '21211');
    if (from === '')
      throw new CarrierError('not_dialled', 'refused', 'a transfer needs a caller id', '21212');
    if (persona.pickup.kind === 'busy')
      throw new CarrierError('not_dialled', 'refused', 'they are busy', '486');
    const leg = {
      dialRef: `${call.request.dialRef}/transfer`,
      to,
      providerCallId: `CA${this.#parts.ids.secret(16).toString('hex')}`,
    };
    // A call may be transferred again after a refusal, and a transfer has no deadline.
    const conditions = { mayRepeat: true, sendBefore: Number.MAX_SAFE_INTEGER };
    await this.#journal.dial(leg, conditions).catch((error: unknown) => {
      this.#parts.log.error({ err: error }, 'the call journal cannot be written');
      throw new CarrierError('unknown', 'server_error', 'the network cannot keep its call journal');
    });
    const end = (status: CarrierStatus) => this.#journal.end(leg, status);
    // The callee may have hung up during the write.
    if (call.isTalking) return call.handOver(persona, end);
    end('cancelled');
    throw new CarrierError('not_dialled', 'refused', 'the call is over', '21220');
  }

  /**
   * Looks up a call by its dial reference in the journal, which also has calls of earlier processes if it is a file.
   */
  async lookUp(dialRef: string): Promise<LookUp> {
    await this.#delay(this.#faults.latencyMs);
    if (this.traits.lookUp === 'none') return { found: false };
    const call = await this.#journal.find(dialRef);
    if (!call) return { found: false };
    const { providerCallId, end } = call;
    // A call of an earlier process ended with it; without a recorded end, `completed` is assumed.
    const status = this.#calls.get(providerCallId)?.status ?? end ?? 'completed';
    return { found: true, providerCallId, status };
  }

  close(): Promise<void> {
    this.#closed ??= this.#shutDown();
    return this.#closed;
  }

  /** Carries out a dial request, even after the client's timeout: a sent request cannot be taken back. */
  async #executePlace(request: PlaceRequest): Promise<{ providerCallId: string }> {
    await this.#delay(this.#faults.latencyMs / 2);
    const persona = this.#personaAt(request.to);
    if (!persona) throw new CarrierError('not_dialled', 'invalid_number', 'no such number', '21211');
    const providerCallId = await this.#dial(request, persona);
    await this.#delay(this.#faults.latencyMs / 2);
    if (occurs(this.#faults.lostAnswers, this.#parts.ids))
      throw new CarrierError('unknown', 'timeout', 'the network did not answer in time');
    return { providerCallId };
  }

  /**
   * Records the call and lets it ring. If its reference was dialled before and may not be repeated, no phone rings: the
   * result is the id of the earlier call. If the process of that call ended before the call's end was recorded, the end
   * is recorded and reported now.
   */
  async #dial(request: PlaceRequest, persona: Persona): Promise<string> {
    const { dialRef, to, sendBefore } = request;
    // `CA` and 32 hexadecimal digits, like the ids (SIDs) of Twilio.
    const providerCallId = `CA${this.#parts.ids.secret(16).toString('hex')}`;
    const { call, isNew } = await this.#journal
      .dial({ dialRef, to, providerCallId }, { mayRepeat: !this.traits.idempotentPlace, sendBefore })
      .catch((error: unknown) => {
        if (error instanceof CarrierError) throw error;
        this.#parts.log.error({ err: error }, 'the call journal cannot be written');
        throw new CarrierError('unknown', 'server_error', 'the network cannot keep its call journal');
      });
    if (isNew) this.#start(new NetworkCall(request, providerCallId, persona, this.#callParts));
    else if (!this.#calls.has(call.providerCallId) && call.end === null) this.#reportMissedEnd(call);
    return call.providerCallId;
  }

  /** Lets a call ring. */
  #start(call: NetworkCall): void {
    this.#calls.set(call.providerCallId, call);
    call.start();
  }

  /** Records and reports the end of a call that ended with its process, before its end was recorded. */
  #reportMissedEnd(call: JournalCall): void {
    this.#journal.end(call, 'completed');
    const { dialRef, providerCallId } = call;
    this.#callbacks.send({
      carrier: this.name,
      dialRef,
      providerCallId,
      status: 'completed',
      code: 'network_restarted',
      hungUpBy: null,
      at: this.#parts.clock.wallMs(),
    });
  }

  /** Sends a report of a call to the service, and records the end of the call. */
  #onReport(call: NetworkCall, report: CarrierReport, isFinal: boolean): void {
    if (isFinal) {
      this.#calls.delete(call.providerCallId);
      const { dialRef, to } = call.request;
      this.#journal.end({ dialRef, to, providerCallId: call.providerCallId }, report.status);
    }
    this.#callbacks.send(report);
  }

  /** Waits for the injected latency, unless the network is closing. */
  async #delay(durationMs: number): Promise<void> {
    if (durationMs > 0) await sleep(this.#parts.clock, durationMs, this.#closing.signal);
  }

  /** Ends all calls, and waits until their reports are sent and their ends are recorded. */
  async #shutDown(): Promise<void> {
    this.#closing.abort();
    await this.#requests.settled();
    for (const call of this.#calls.values()) call.end({ hungUpBy: null, code: 'network_closed' });
    this.#calleeAudio.close();
    await this.#callbacks.close();
    await this.#journal.close();
  }
}

/** The answer, or a timeout error as soon as the signal aborts. */
function untilAborted<Value>(answer: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const rejectWithTimeout = () =>
      reject(new CarrierError('unknown', 'timeout', 'the network did not answer in time'));
    signal.addEventListener('abort', rejectWithTimeout, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', rejectWithTimeout));
  });
}
