import type { ModuleContext } from '#store/module-context.js';
import type { CallPrice } from '#calls/after-call/carrier-prices.js';
import { Semaphore } from '#kernel/work/semaphore.js';
import type { CarrierReport, CarrierStatus, StreamInstruction } from '#telephony/port/carrier.js';
import type {
  ArrivedCall,
  CarrierPrice,
  MachineDetection,
  Reception,
  RemoteCarrierHost,
} from '#telephony/port/remote-host.js';
import type { CallEndings } from '#calls/endings/call-endings.js';
import type { CallRow } from '#calls/record/call.js';
import { callMachine } from '#calls/record/call-machine.js';
import { carrierTransactions, type OrphanedLeg, type ReportedCall } from './carrier-store.js';
import type { LoadShedding } from '#calls/lines/load-shedding.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import type { InboundCalls } from '#calls/inbound/inbound-calls.js';
import type { ActionExchange } from '#calls/live/actions/action-exchange.js';
import type { LiveSessions } from '#calls/live/sessions/live-sessions.js';
import type { TxContexts } from '#calls/endings/tx-contexts.js';
import type { CallLegCache } from '#calls/lines/call-leg-cache.js';

/**
 * How many reports are written at the same time: usually, and during load shedding (`LoadShedding`). Many dialled calls
 * cause many reports at once: they must not block other requests at the database, and during load shedding they must
 * not delay the dialling. Requests for the audio stream of an answered call are never limited.
 */
const REPORTS_AT_ONCE = 256;
const REPORTS_WHILE_SHEDDING = 4;

/** The dependencies of {@link CarrierReports}. */
export interface CarrierReportsParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  txContexts: TxContexts;
  sessions: LiveSessions;
  /** Passes actions to the process that has the audio of a call. */
  exchange: Pick<ActionExchange, 'ask'>;
  endings: CallEndings;
  legs: CallLegCache;
  loadShedding: Pick<LoadShedding, 'isOn'>;
  inbound: Pick<InboundCalls, 'receive' | 'whenStored'>;
  hangUp(call: Pick<CallRow, 'id' | 'provider' | 'provider_call_id' | 'ended_reason'>): Promise<void>;
  /** Stores the price that a carrier reports for a call. */
  keepPrice(price: CallPrice): Promise<void>;
  /** Mints the single-use token and names the socket for an answered call. */
  streamFor(call: CallRow): Promise<StreamInstruction>;
}

/** The facts of a call that decide how a report changes it. */
interface CallOfReport {
  id: string;
  isInbound: boolean;
  /** True if the row has the carrier's id of the call. False if the row was not read. */
  isPlaced: boolean;
  /** True if the row has a final status. False if the row was not read. */
  isOver: boolean;
}

/** Applies a report about a call. Returns the call leg if the call is already over: the leg must be hung up. */
type ReportHandler = (call: CallOfReport, report: CarrierReport) => Promise<OrphanedLeg | null>;

/**
 * Applies the reports of carriers about calls, in any order and with repeats, and answers their requests about answered
 * and inbound calls. The carrier webhooks and the sandbox carrier call it as a `CarrierHost`.
 */
export class CarrierReports implements RemoteCarrierHost {
  readonly #parts: CarrierReportsParts;
  readonly #semaphore = new Semaphore(() =>
    this.#parts.loadShedding.isOn ? REPORTS_WHILE_SHEDDING : REPORTS_AT_ONCE,
  );
  /** The handlers by the carrier's status. The argument of `#endWith` is the ended reason of an unanswered call. */
  readonly #handlers: Record<CarrierStatus, ReportHandler> = {
    ringing: (call, report) => this.#ringing(call, report),
    answered: (call, report) => this.#answered(call, report),
    completed: this.#endWith('customer_hangup'),
    busy: this.#endWith('busy'),
    no_answer: this.#endWith('no_answer'),
    timeout: this.#endWith('ring_timeout'),
    rejected: this.#endWith('rejected'),
    invalid_number: this.#endWith('invalid_number'),
    failed: this.#endWith('provider_error'),
    cancelled: this.#endWith('cancelled'),
  };

  constructor(parts: CarrierReportsParts) {
    this.#parts = parts;
  }

  /**
   * Applies a report about the status of a call. Only its database work is limited by the semaphore: waiting for a
   * lookup or a hang-up does not delay other reports.
   */
  async report(report: CarrierReport): Promise<void> {
    const { inbound, hangUp } = this.#parts;
    // A caller may hang up while the inbound call is still being stored: the report waits until the call is known.
    await inbound.whenStored(report);
    const orphanedLeg = await this.#semaphore.run(() => this.#apply(report));
    // The leg is still up although its call is over: the hang-up failed, or the carrier's id was unknown at the end.
    if (orphanedLeg) await hangUp(orphanedLeg);
  }

  /** Finds the call of a report and applies the report; a report about an unknown call has no effect. */
  async #apply(report: CarrierReport): Promise<OrphanedLeg | null> {
    const call = await this.#callOf(report);
    return call && this.#handlers[report.status](call, report);
  }

  /** The phone of an outbound call rings: proves that the carrier has placed the call, and under which id. */
  async #ringing(
    { id: callId, isInbound, isPlaced, isOver }: CallOfReport,
    report: CarrierReport,
  ): Promise<OrphanedLeg | null> {
    if (isInbound) return null;
    const { store, clock, legs } = this.#parts;
    // Nothing to write: the row has the carrier's id, or the answer to the dial request has been stored meanwhile.
    if ((isPlaced && !isOver) || (await legs.find(report)?.isWritten)) return null;
    return store.write(carrierTransactions.ringing, { callId, report, at: clock.wallMs() });
  }

  /**
   * The callee of an outbound call has picked up. Some carriers also ask for the audio socket then ({@link answer});
   * either of the two may come first.
   */
  async #answered(
    { id: callId, isInbound }: CallOfReport,
    report: CarrierReport,
  ): Promise<OrphanedLeg | null> {
    // An inbound call is answered by this service, when its socket opens.
    if (isInbound) return null;
    const { store, txContexts } = this.#parts;
    return store.write(carrierTransactions.connected, { callId, report, context: txContexts.now(callId) });
  }

  /** The handler of a final status. `unansweredReason`: why an outbound call ends that was not answered. */
  #endWith(unansweredReason: EndedReason): ReportHandler {
    return async ({ id, isInbound }, report) => {
      const { sessions, endings } = this.#parts;
      const reason = answeredReasonOf(report);
      // A live conversation ends itself and stores its last words and its recording.
      if (sessions.end(id, reason, { byCarrier: true })) return null;
      await endings.endWithoutAudio(id, reason, {
        // An answered call without audio: unless the callee hung up, its stream was not opened.
        ...(report.hungUpBy === 'customer' ? {} : { soundlessReason: 'stream_not_opened' }),
        unansweredReason: isInbound ? 'caller_hangup' : unansweredReason,
        providerCode: report.code,
      });
      return null;
    };
  }

  /** Accepts an inbound call and decides what happens to it; see {@link InboundCalls.receive}. */
  receive(call: ArrivedCall): Promise<Reception> {
    return this.#parts.inbound.receive(call);
  }

  /**
   * Handles a machine or fax that the carrier has detected on an outbound call. A running conversation handles a
   * machine itself. Before the audio, a machine ends the call if the agent hangs up on machines; a fax always ends it.
   * For an inbound call the detection is ignored.
   */
  async acceptDetection(detection: MachineDetection): Promise<void> {
    if (detection.answeredBy !== 'machine' && detection.answeredBy !== 'fax') return;
    const { store, sessions, endings } = this.#parts;
    const call = await store.read(carrierTransactions.find, detection);
    if (!call || call.direction === 'inbound' || callMachine.isFinal(call.status)) return;
    const session = sessions.get(call.id);
    const isMachine = detection.answeredBy === 'machine';
    if (session && isMachine) return session.machineAnswered(detection.greetingEnded);
    if (isMachine && call.status === 'active' && (await this.#forwardDetection(call.id, detection))) return;
    // The agent leaves its message once the audio has begun.
    const isForAgent = isMachine && (await this.#handlesMachines(call.id));
    if (isForAgent || sessions.end(call.id, 'voicemail')) return;
    const ended = await endings.endWithoutAudio(call.id, 'voicemail');
    if (ended) await this.#parts.hangUp(ended);
  }

  /** Passes the detection to the process that carries the call; false when that fails. */
  async #forwardDetection(callId: string, { greetingEnded }: MachineDetection): Promise<boolean> {
    const { exchange, log } = this.#parts;
    try {
      await exchange.ask({ callId, action: { name: 'machine_answered', greetingEnded }, by: null });
      return true;
    } catch (error) {
      log.warn({ err: error, call_id: callId }, 'an agent was not told that a machine has answered');
      return false;
    }
  }

  /** Stores the carrier's price of a call, however late, and corrects the cost of the call. */
  acceptPrice({ usd, ...leg }: CarrierPrice): Promise<void> {
    return this.#semaphore.run(async () => {
      const { store, keepPrice } = this.#parts;
      const call = await store.read(carrierTransactions.find, leg);
      if (call) await keepPrice({ callId: call.id, usd });
    });
  }

  /** Ends a call whose stream was not opened. A conversation that has begun ends when its socket closes. */
  async streamFailed(leg: { carrier: string; providerCallId: string }): Promise<void> {
    const ended = await this.#endUnopened(leg);
    if (ended) await this.#parts.hangUp(ended);
  }

  /**
   * Handles the end of a call's audio stream. If the stream had never opened, the call is ended. The result is then the
   * language of the carrier's apology to an inbound caller, after which the carrier hangs up; null for other calls.
   */
  async streamEnded(leg: { carrier: string; providerCallId: string }): Promise<{ language: string } | null> {
    const ended = await this.#endUnopened(leg);
    return ended?.direction === 'inbound' ? { language: ended.language } : null;
  }

  /** Ends a call whose stream never opened, and returns it; null for any other call. */
  async #endUnopened(leg: { carrier: string; providerCallId: string }): Promise<CallRow | null> {
    const { store, endings } = this.#parts;
    const call = await store.read(carrierTransactions.find, { ...leg, dialRef: null });
    return call && endings.endUnopened(call.id);
  }

  /** True unless the agent of a call hangs up on machines: its conversation then handles the machine. */
  async #handlesMachines(callId: string): Promise<boolean> {
    return (await this.#parts.store.read(carrierTransactions.voicemailOf, { callId }))?.action !== 'hang_up';
  }

  /**
   * Stores the answer of an outbound call. Returns the socket for its audio; null for a call that is unknown or over.
   * @param answered.placedAs see {@link CarrierReport}: the id in the carrier's answer to the dial request, if the
   *   carrier now uses another
   */
  async answer(answered: {
    carrier: string;
    dialRef: string;
    providerCallId: string;
    placedAs?: string;
  }): Promise<StreamInstruction | null> {
    const { store, txContexts, clock } = this.#parts;
    const report: CarrierReport = {
      ...answered,
      status: 'answered',
      code: null,
      hungUpBy: null,
      at: clock.wallMs(),
    };
    const found = await this.#callOf(report);
    if (!found) return null;
    const call = await store.write(carrierTransactions.answered, {
      callId: found.id,
      report,
      context: txContexts.now(found.id),
    });
    return call === null || call.ended_reason !== null ? null : this.#parts.streamFor(call);
  }

  /** Finds the call of a report. A leg that this process has placed is found in the cache, without a query. */
  async #callOf(report: CarrierReport): Promise<CallOfReport | null> {
    const leg = this.#parts.legs.find(report);
    if (leg) return { id: leg.callId, isInbound: false, isPlaced: false, isOver: false };
    const call = await this.#parts.store.read(carrierTransactions.find, report);
    if (!call) return null;
    await this.#replaceProviderCallId(call, report);
    const isPlaced = call.provider_call_id !== null;
    const isOver = callMachine.isFinal(call.status);
    return { id: call.id, isInbound: call.direction === 'inbound', isPlaced, isOver };
  }

  /** Replaces the stored id of a call if the carrier's reports use another id than its answer to the dial request. */
  async #replaceProviderCallId(
    call: ReportedCall,
    { providerCallId, placedAs }: CarrierReport,
  ): Promise<void> {
    if (placedAs === undefined || call.provider_call_id !== placedAs) return;
    await this.#parts.store.write(carrierTransactions.replaceProviderCallId, {
      callId: call.id,
      providerCallId,
      placedAs,
    });
  }
}

/** The ended reason of a call that was answered. Any status but `completed` is an error then. */
function answeredReasonOf(report: CarrierReport): EndedReason {
  if (report.status !== 'completed') return 'provider_error';
  return report.hungUpBy === 'agent' ? 'agent_hangup' : 'customer_hangup';
}
