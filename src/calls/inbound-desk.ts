import { mintStreamToken } from '../access/stream-token.js';
import type { Clock } from '../kernel/clock.js';
import type { Ids } from '../kernel/ids.js';
import type { Store } from '../store/store.js';
import type { ArrivedCall, Reception } from '../telephony/remote-host.js';
import { draftInboundCall } from './draft-inbound-call.js';
import type { CallEndings } from './call-endings.js';
import { inboundUnits } from './inbound-store.js';
import type { Moments } from './moments.js';
import type { Slots } from './slots.js';
import { streamAddress } from './stream-instruction.js';

export interface InboundDeskParts {
  store: Store;
  clock: Clock;
  ids: Ids;
  moments: Moments;
  slots: Slots;
  endings: CallEndings;
  nodeId: string;
  /** Where calls to numbers that nobody registered belong. */
  workspace: string;
  streamUrl: (provider: string) => string;
}

/** Takes in the calls that carriers announce: finds who answers, and has a socket and a slot ready for them. */
export class InboundDesk {
  readonly #parts: InboundDeskParts;
  #draining = false;

  constructor(parts: InboundDeskParts) {
    this.#parts = parts;
  }

  /** From now on everybody is turned away. */
  drain(): void {
    this.#draining = true;
  }

  /** What shall become of a call; durable when this resolves. */
  async receive(arrived: ArrivedCall): Promise<Reception> {
    const { store, clock, ids, moments, slots, endings, nodeId, workspace, streamUrl } = this.#parts;
    const id = ids.next('call');
    const { token, ...kept } = mintStreamToken({ ids, clock });
    const hasRoom = !this.#draining && slots.free('inbound') > 0;
    // Held while it is written, so that two calls cannot have the last one.
    if (hasRoom) slots.take(id, 'inbound');
    const call = await store
      .write(inboundUnits.receive, {
        call: draftInboundCall(id, {
          ...{ workspace, nodeId, provider: arrived.carrier, providerCallId: arrived.providerCallId },
          ...{ from: arrived.from ?? '', to: arrived.to ?? '', at: clock.wallMs() },
        }),
        newAgentId: ids.next('agent'),
        token: kept,
        moment: moments.now(id),
        turnedAway: hasRoom ? null : moments.finish(id, 'no_capacity'),
      })
      .catch((error: unknown) => {
        slots.release(id);
        throw error;
      });
    // It was known already: then it has its own slot, or is over.
    if (call.id !== id) slots.release(id);
    if (call.id === id && !hasRoom) endings.tell(call);
    if (call.ended_reason !== null) {
      return { kind: call.ended_reason === 'no_capacity' ? 'no_room' : 'over' };
    }
    return { kind: 'talk', language: call.language, stream: streamAddress(call, token, streamUrl) };
  }
}
