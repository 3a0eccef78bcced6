import { mintStreamToken } from '#access/tokens/stream-token.js';
import type { Clock } from '#kernel/time/clock.js';
import { Problem } from '#kernel/errors/errors.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import type { Store } from '#store/store.js';
import type { ArrivedCall, Reception } from '#telephony/port/remote-host.js';
import type { CallRow } from '#calls/record/call.js';
import { draftInboundCall } from '#calls/requests/draft-inbound-call.js';
import type { CallEndings } from '#calls/endings/call-endings.js';
import { lookUp, NOTHING_FOUND, type AskReceiver, type LookupResult } from './inbound-lookup.js';
import { inboundTransactions, UNKNOWN_AGENT } from './inbound-store.js';
import type { TxContexts } from '#calls/endings/tx-contexts.js';
import type { Slots } from '#calls/lines/slots.js';
import { streamAddress } from '#calls/live/streams/stream-instruction.js';

export interface InboundCallsParts {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Log;
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
    const before = this.#arriving.get(leg);
    const reception = Promise.allSettled([before]).then(() => this.#receive(arrived));
    this.#arriving.set(leg, reception);
    return reception.finally(() => {
      if (this.#arriving.get(leg) === reception) this.#arriving.delete(leg);
    });
  }

  /** Resolves when the call that arrives on a leg is stored; at once when none arrives. */
  async known(of: LegId): Promise<void> {
    await Promise.allSettled([this.#arriving.get(legKey(of))]);
  }

  async #receive(arrived: ArrivedCall): Promise<Reception> {
    const { ids, clock, slots, endings, streamUrl } = this.#parts;
    const id = ids.next('call');
    const hasRoom = !this.#draining && slots.free('inbound') > 0;
    // The slot is taken before the lookup and the write, so that two calls cannot get the last one.
    if (hasRoom) slots.take(id, 'inbound');
    try {
      const found = hasRoom ? await this.#lookUp(id, arrived) : NOTHING_FOUND;
      const { token, ...kept } = mintStreamToken({ ids, clock });
      const call = await this.#write(id, arrived, { found, hasRoom, token: kept });
      // A repeated announcement returns the earlier call, which has its own slot. A call that is over needs none.
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

  #lookUp(callId: string, arrived: ArrivedCall): Promise<LookupResult> {
    return lookUp({ ...arrived, callId, workspace: this.#parts.workspace }, this.#parts);
  }

  async #write(
    id: string,
    arrived: ArrivedCall,
    how: { found: LookupResult; hasRoom: boolean; token: { tokenHash: string; expiresAt: number } },
  ): Promise<CallRow> {
    const { store, clock, ids, log, txContexts, nodeId, workspace, providers } = this.#parts;
    const { agentId: chosenId, variables, failure } = how.found;
    const received = {
      call: draftInboundCall(id, {
        workspace,
        nodeId,
        provider: arrived.carrier,
        providerCallId: arrived.providerCallId,
        from: arrived.from ?? '',
        to: arrived.to ?? '',
        variables,
        recordStorage: this.#parts.recordStorage,
        at: clock.wallMs(),
      }),
      chosenId,
      lookupFailure: failure,
      token: how.token,
      newAgentId: ids.next('agent'),
      context: txContexts.now(id),
      providers,
      endIfFull: how.hasRoom ? null : txContexts.finish(id, 'lines_busy'),
      endIfNoAgent: txContexts.finish(id, 'no_agent'),
    };
    const call = await store.write(inboundTransactions.receive, received).catch((error: unknown) => {
      if (error instanceof Problem || arrived.providerCallId === null) throw error;
      // Another process may have stored the same call at the same moment: the second try finds it.
      return store.write(inboundTransactions.receive, received);
    });
    const isChoiceInvalid = call.id === id && chosenId !== null && call.agent_id !== chosenId;
    const reason = failure ?? (isChoiceInvalid ? UNKNOWN_AGENT : null);
    if (reason !== null)
      log.warn({ call_id: id, reason }, 'a lookup was of no use: the call goes on without it');
    return call;
  }
}

function legKey({ carrier, providerCallId }: LegId): string {
  return `${carrier} ${providerCallId}`;
}
