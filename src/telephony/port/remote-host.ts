import type { CarrierHost, StreamInstruction } from './carrier.js';
import type { CarrierEvent, IncomingCall } from './carrier-webhooks.js';

/**
 * The port through which `CarrierWebhookDispatcher` passes inbound calls, results and notices of carriers outside this
 * process to the service. `CarrierReports` of the module `calls` implements it.
 */

/** An inbound call, and the carrier that it arrived at. */
export type ArrivedCall = Omit<IncomingCall, 'kind'> & { carrier: string };

/** The service's decision on an inbound call. */
export type Reception =
  /** An agent answers, in a language (BCP 47), over a stream. */
  | { kind: 'talk'; language: string; stream: StreamInstruction }
  /** No line is free, or the service is shutting down: the carrier refuses the call as busy. */
  | { kind: 'no_room' }
  /** No agent answers this number; the carrier apologises in a language (BCP 47). */
  | { kind: 'nobody'; language: string }
  /** The call has ended already. */
  | { kind: 'over' };

/** A result of the carrier's answering-machine detection. */
export type MachineDetection = Omit<CarrierEvent & { kind: 'machine' }, 'kind'> & { carrier: string };

/** The carrier's price of a call, in US dollars. */
export type CarrierPrice = Omit<CarrierEvent & { kind: 'priced' }, 'kind'> & { carrier: string };

/**
 * The functions of the service that `CarrierWebhookDispatcher` calls for carriers outside this process, in addition to
 * {@link CarrierHost}.
 */
export interface RemoteCarrierHost extends CarrierHost {
  /** Accepts an inbound call; stored when this resolves. */
  receive(call: ArrivedCall): Promise<Reception>;
  /** Accepts a result of answering-machine detection. */
  acceptDetection(detection: MachineDetection): Promise<void>;
  /** Accepts a carrier's price of a call; stored when this resolves. */
  acceptPrice(price: CarrierPrice): Promise<void>;
  /** The carrier could not open the audio stream of a call: the call is ended, because it would continue in silence. */
  streamFailed(call: { carrier: string; providerCallId: string }): Promise<void>;
  /**
   * The audio stream of a call has ended. If it had never opened, the call ends too; the result is then the language
   * (BCP 47) of the carrier's apology to the caller. Null for every other call.
   */
  streamEnded(call: { carrier: string; providerCallId: string }): Promise<{ language: string } | null>;
}
