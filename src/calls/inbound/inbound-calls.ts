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
  streamUrl: (provider: string) => string;
}

/** What an announced call gets: a slot or none, and a token for its socket. */
interface HowReceived {
  hasRoom: boolean;
  token: ReceiveCall['token'];
}

/** A carrier's own name for a call. */
type Line = Pick<ArrivedCall, 'carrier' | 'providerCallId'>;

/**
 * Receives the calls that carriers announce: finds the agent that answers, and holds a slot and a socket token ready.
 */
export class InboundCalls {
  readonly #parts: InboundCallsParts;
  /** Announcements in progress, by line. */
  readonly #arriving = new Map<string, Promise<unknown>>();
  #draining = false;

  constructor(parts: InboundCallsParts) {
    this.#parts = parts;
  }

  /** Turns away every call from now on. */
  drain(): void {
    this.#draining = true;
  }

  /**
   * Decides what happens to an announced call; durable when this resolves. A second announcement of the same call waits
   * for the first: the call is known by then, so there is no second lookup and no second slot.
   */
  async receive(arrived: ArrivedCall): Promise<Reception> {
    if (arrived.providerCallId === null) return this.#receive(arrived);
    const line = lineOf(arrived);
    const before = this.#arriving.get(line);
    const reception = Promise.allSettled([before]).then(() => this.#receive(arrived));
    this.#arriving.set(line, reception);
    return reception.finally(() => {
      if (this.#arriving.get(line) === reception) this.#arriving.delete(line);
    });
  }

  /** Resolves when the call that is arriving on a line is stored; at once when none is arriving. */
  async known(of: Line): Promise<void> {
    await Promise.allSettled([this.#arriving.get(lineOf(of))]);
  }

  async #receive(arrived: ArrivedCall): Promise<Reception> {
    const { ids, clock, slots, endings, streamUrl } = this.#parts;
    const id = ids.next('call');
    const hasRoom = !this.#draining && slots.free('inbound') > 0;
    // Taken before the lookup and the write, so that two calls cannot get the last slot.
    if (hasRoom) slots.take(id, 'inbound');
    try {
      const { token, ...kept } = mintStreamToken({ ids, clock });
      const call = await this.#store(id, arrived, { hasRoom, token: kept });
      // A call that was known already has its own slot, and a call that is over needs none.
      if (call.id !== id || call.ended_reason !== null) slots.release(id);
      if (call.id === id && call.ended_reason !== null) endings.tell(call);
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
  async #store(id: string, arrived: ArrivedCall, how: HowReceived): Promise<CallRow> {
    const { receive, receiveUnlessLookup } = inboundTransactions;
    if (!how.hasRoom) return this.#write(receive, this.#received(id, arrived, how, NOTHING_FOUND));
    const first = this.#received(id, arrived, how, NOTHING_FOUND);
    const outcome = await this.#write(receiveUnlessLookup, first);
    if ('call' in outcome) return outcome.call;
    const found = await lookUp(outcome.lookup, { ...arrived, callId: id }, this.#parts.ask);
    const call = await this.#write(receive, this.#received(id, arrived, how, found));
    const isPassedOver = call.id === id && found.agentId !== null && call.agent_id !== found.agentId;
    const reason = found.failure ?? (isPassedOver ? UNKNOWN_AGENT : null);
    if (reason !== null)
      this.#parts.log.warn({ call_id: id, reason }, 'a lookup was of no use: the call goes on without it');
    return call;
  }

  #received(id: string, arrived: ArrivedCall, how: HowReceived, found: LookupResult): ReceiveCall {
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
      token: how.token,
      context: txContexts.now(id),
      providers,
      turnedAway: how.hasRoom ? null : txContexts.finish(id, 'lines_busy'),
      unanswered: txContexts.finish(id, 'no_agent'),
    };
  }

  /** Another process may store the same call at the same moment: the second try finds it. */
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

function lineOf({ carrier, providerCallId }: Line): string {
  return `${carrier} ${providerCallId}`;
}
