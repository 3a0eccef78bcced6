import type { CarrierHost, StreamInstruction } from './carrier.js';
import type { CarrierEvent, IncomingCall } from './carrier-webhooks.js';

/** An inbound call from a carrier. */
export type ArrivedCall = Omit<IncomingCall, 'kind'> & { carrier: string };

/** The decision on an inbound call. */
export type Reception =
  /** An agent answers, in a language (BCP 47), over a stream. */
  | { kind: 'talk'; language: string; stream: StreamInstruction }
  | { kind: 'no_room' }
  /** No agent is configured; the apology is spoken in a language (BCP 47). */
  | { kind: 'nobody'; language: string }
  /** The call is known and over. */
  | { kind: 'over' };

/** Result of the carrier's answering-machine detection. */
export type PickedUpBy = Omit<CarrierEvent & { kind: 'machine' }, 'kind'> & { carrier: string };

/** What a carrier charges for a call, in US dollars. */
export type CarrierPrice = Omit<CarrierEvent & { kind: 'priced' }, 'kind'> & { carrier: string };

/** What carriers outside this process call in the service, in addition to {@link CarrierHost}. */
export interface RemoteCarrierHost extends CarrierHost {
  /** Accepts an inbound call; stored when this resolves. */
  receive(call: ArrivedCall): Promise<Reception>;
  identify(found: PickedUpBy): Promise<void>;
  /** Accepts a carrier's price of a call; stored when this resolves. */
  priced(price: CarrierPrice): Promise<void>;
  /** The carrier could not open the stream of a call, whose caller would otherwise wait in silence. */
  streamFailed(line: { carrier: string; providerCallId: string }): Promise<void>;
  /**
   * A stream has ended. If it never opened, the call ends too, and the answer is the language (BCP 47) of an apology
   * to the caller. Null for every other call.
   */
  streamEnded(line: { carrier: string; providerCallId: string }): Promise<{ language: string } | null>;
}
