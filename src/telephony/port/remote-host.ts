import type { CarrierRecording } from './carrier-recording.js';
import type { CarrierHost, StreamInstruction } from './carrier.js';
import type { CarrierEvent, IncomingCall } from './carrier-webhooks.js';

/** A call that a carrier announces. */
export type ArrivedCall = Omit<IncomingCall, 'kind'> & { carrier: string };

/** What shall become of it. */
export type Reception =
  /** Somebody answers: in which language (BCP 47), and where the sound shall go. */
  | { kind: 'talk'; language: string; stream: StreamInstruction }
  | { kind: 'no_room' }
  /** No agent answers: that is said, in a language (BCP 47). */
  | { kind: 'nobody'; language: string }
  /** It is known, and over. */
  | { kind: 'over' };

/** Who has picked up a call of ours, as the carrier found out. */
export type PickedUpBy = Omit<CarrierEvent & { kind: 'machine' }, 'kind'> & { carrier: string };

/** What a carrier charges for a call, in US dollars. */
export type CarrierPrice = Omit<CarrierEvent & { kind: 'priced' }, 'kind'> & { carrier: string };

/** What carriers outside of this process need from us, beside what all need. */
export interface RemoteCarrierHost extends CarrierHost {
  /** Takes in a call; durable when this resolves. */
  receive(call: ArrivedCall): Promise<Reception>;
  identify(found: PickedUpBy): Promise<void>;
  /** Takes in what a carrier tells of a recording of its own; durable when this resolves. */
  recorded(recording: CarrierRecording): Promise<void>;
  /** Takes in what a carrier charges for a call; durable when this resolves. */
  priced(price: CarrierPrice): Promise<void>;
  /** A carrier could not open the stream of a call: whoever waits for a voice there must not wait in silence. */
  streamFailed(line: { carrier: string; providerCallId: string }): Promise<void>;
  /**
   * A stream is over. Where none was ever opened, the call ends with that, and whoever called us has heard nobody yet:
   * what they are told is said in this language (BCP 47). Null for every other call.
   */
  streamEnded(line: { carrier: string; providerCallId: string }): Promise<{ language: string } | null>;
}
