import type { ModuleContext } from '#store/module-context.js';
import { mintStreamToken } from '#access/tokens/stream-token.js';
import { Problem } from '#kernel/errors/errors.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import type { Transaction } from '#store/transaction.js';
import type { ArrivedCall, Reception } from '#telephony/port/remote-host.js';
import type { CallRow } from '#calls/record/call.js';
import { draftInboundCall } from '#calls/requests/draft-inbound-call.js';
import type { CallEndings } from '#calls/endings/call-endings.js';
import { lookUp, NOTHING_FOUND, type AskReceiver, type LookupResult } from './inbound-lookup.js';
import { inboundTransactions, UNKNOWN_AGENT, type ReceiveCall } from './inbound-store.js';
import type { TxContexts } from '#calls/endings/tx-contexts.js';
import type { Slots } from '#calls/lines/slots.js';
import { streamAddress } from '#calls/live/streams/stream-instruction.js';

/** The dependencies of {@link InboundCalls}. */
export interface InboundCallsParts extends Pick<ModuleContext, 'store' | 'clock' | 'ids' | 'log'> {
  txContexts: TxContexts;
  slots: Slots;
  endings: CallEndings;
  /** Asks the lookup URL of a number or agent about an inbound call. */
  ask: AskReceiver;
  nodeId: string;
  providers: KnownProviders;
  /** The workspace of calls to numbers that are not registered. */
  workspace: string;
  recordStorage: 'local' | 's3';
  /** The base URL of a carrier's audio sockets. */
  streamUrl: (provider: string) => string;
}

/** Whether an announced call has a slot, and the token for its audio socket. */
interface Admission {
  hasSlot: boolean;
  token: ReceiveCall['token'];
}

/** A call leg, by its carrier and the carrier's own id of the call. */
type LegId = Pick<ArrivedCall, 'carrier' | 'providerCallId'>;

/**
 * Receives the inbound calls that carriers announce, for `CarrierReports`: finds the agent that answers, and reserves a
 * slot and a token for the audio socket.
 */
export class InboundCalls {
  readonly #parts: InboundCallsParts;
  /** Announcements in progress, by call leg. */
  readonly #arriving = new Map<string, Promise<unknown>>();
  #draining = false;

  constructor(parts: InboundCallsParts) {
    this.#parts = parts;
  }

  /** Refuses every call from now on, for a shutdown. */
  drain(): void {
    this.#draining = true;
  }

  /**
   * Decides what happens to an announced call; durable when this resolves. A second announcement of the same call waits
   * for the first: the call is known by then, so there is no second lookup and no second slot.
   */
  async receive(arrived: ArrivedCall): Promise<Reception> {
    if (arrived.providerCallId === null) return this.#receive(arrived);
    const leg = legKey(arrived);
    const earlier = this.#arriving.get(leg);
    const reception = Promise.allSettled([earlier]).then(() => this.#receive(arrived));
    this.#arriving.set(leg, reception);
    return reception.finally(() => {
      if (this.#arriving.get(leg) === reception) this.#arriving.delete(leg);
    });
  }

  /** Resolves when the call that arrives on a leg is stored; at once when none arrives. */
  async whenStored(leg: LegId): Promise<void> {
    await Promise.allSettled([this.#arriving.get(legKey(leg))]);
  }

  /** Stores an announced call, and returns the answer to its carrier: talk, no free slot, no agent, or over already. */
  async #receive(arrived: ArrivedCall): Promise<Reception> {
    const { ids, clock, slots, endings, streamUrl } = this.#parts;
    const id = ids.next('call');
    const hasSlot = !this.#draining && slots.free('inbound') > 0;
    // The slot is taken before the lookup and the write, so that two calls cannot get the last one.
    if (hasSlot) slots.take(id, 'inbound');
    try {
      const { token, ...storedToken } = mintStreamToken({ ids, clock });
      const call = await this.#store(id, arrived, { hasSlot, token: storedToken });
      // A call that was announced before has another id and its own slot; a call that is over needs no slot.
      if (call.id !== id || call.ended_reason !== null) slots.release(id);
      if (call.id === id && call.ended_reason !== null) endings.announce(call);
      if (call.ended_reason === 'lines_busy') return { kind: 'no_room' };
      if (call.ended_reason === 'no_agent') return { kind: 'nobody', language: call.language };
      if (call.ended_reason !== null) return { kind: 'over' };
      return { kind: 'talk', language: call.language, stream: streamAddress(call, token, streamUrl) };
    } catch (error) {
      slots.release(id);
      throw error;
    }
  }

  /** Stores the call, after the lookup if its number or its agent names one. */
  async #store(id: string, arrived: ArrivedCall, admission: Admission): Promise<CallRow> {
    const { receive, receiveUnlessLookup } = inboundTransactions;
    const withoutLookup = this.#receiveArgs(id, arrived, admission, NOTHING_FOUND);
    // A call without a slot ends at once, so no lookup is made for it.
    if (!admission.hasSlot) return this.#write(receive, withoutLookup);
    const outcome = await this.#write(receiveUnlessLookup, withoutLookup);
    if ('call' in outcome) return outcome.call;
    const found = await lookUp(outcome.lookup, { ...arrived, callId: id }, this.#parts.ask);
    const call = await this.#write(receive, this.#receiveArgs(id, arrived, admission, found));
    const isChoiceInvalid = call.id === id && found.agentId !== null && call.agent_id !== found.agentId;
    const reason = found.failure ?? (isChoiceInvalid ? UNKNOWN_AGENT : null);
    if (reason !== null)
      this.#parts.log.warn({ call_id: id, reason }, 'a lookup was of no use: the call goes on without it');
    return call;
  }

  /** The input of the transactions that store an announced call. */
  #receiveArgs(id: string, arrived: ArrivedCall, admission: Admission, found: LookupResult): ReceiveCall {
    const { clock, txContexts, nodeId, workspace, providers } = this.#parts;
    return {
      call: draftInboundCall(id, {
        workspace,
        nodeId,
        provider: arrived.carrier,
        providerCallId: arrived.providerCallId,
        from: arrived.from ?? '',
        to: arrived.to ?? '',
        variables: found.variables,
        recordStorage: this.#parts.recordStorage,
        at: clock.wallMs(),
      }),
      chosenId: found.agentId,
      lookupFailure: found.failure,
      token: admission.token,
      context: txContexts.now(id),
      providers,
      endIfFull: admission.hasSlot ? null : txContexts.finish(id, 'lines_busy'),
      endIfNoAgent: txContexts.finish(id, 'no_agent'),
    };
  }

  /**
   * Runs a transaction, and repeats it once after an error: another process may have stored the same call at the same
   * moment, and the repeated transaction finds that call.
   */
  async #write<Result>(
    transaction: Transaction<ReceiveCall, Result>,
    received: ReceiveCall,
  ): Promise<Result> {
    const { store } = this.#parts;
    return store.write(transaction, received).catch((error: unknown) => {
      if (error instanceof Problem || received.call.provider_call_id === null) throw error;
      return store.write(transaction, received);
    });
  }
}

/** The key of a call leg in the map of announcements. */
function legKey({ carrier, providerCallId }: LegId): string {
  return `${carrier} ${providerCallId}`;
}
