import type { EmulatorLog } from './emulator-log.js';
import type { Faults } from './faults.js';
import type { Person } from './person.js';
import type { PhoneBehaviour, PhoneNetwork } from './phone-network.js';

/** A call of ours at an emulated carrier, whatever that calls it. */
export interface EmulatedLine {
  carrierCallId: string;
  /** E.164. */
  to: string;
  from: string;
  isOver: boolean;
  ended: Promise<void>;
  /** Null before somebody has picked up. */
  person: Person | null;
  /** Resolve when the sound does not go to us any more. */
  streams: readonly { ended: Promise<unknown> }[];
}

/** One request that the service has made of a carrier. */
export type Asked = ReturnType<EmulatorLog['asked']>[number];
/** One that a carrier has made of the service. */
export type Sent = ReturnType<EmulatorLog['sent']>[number];

/** An emulated carrier that a service can be built upon. */
export interface TestedCarrier {
  /** What makes it the carrier of a service. */
  environment: Readonly<Record<string, string>>;
  network: PhoneNetwork;
  faults: Faults;
  log: EmulatorLog;
  lines(): EmulatedLine[];
  /** Whether a request asks for the end of a call. */
  isHangUp(asked: Asked): boolean;
  /** Whether it tells of the end of our stream, and asks how the call goes on. */
  isStreamEnd(sent: Pick<Sent, 'url' | 'purpose' | 'form'>): boolean;
  /** Resolves when no request is under way, in either direction. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export interface Surroundings {
  phones: Readonly<Record<string, PhoneBehaviour>>;
  /** Where an address that the service has named can really be reached. */
  reach: (url: string) => string;
  /** The service's public address, such as `https://voice.example.com`. */
  publicUrl: string;
}

export interface TestedCarrierDefinition {
  name: string;
  /**
   * Whether a call that nobody has told us of is found by our own reference while it lives; why not, where it is not.
   */
  findsCalls: true | string;
  /** Whether it says, when asked, how a call has ended of which it has told nothing; why not, where it does not. */
  knowsEnds: true | string;
  /** Whether it asks how a call goes on whose stream we have ended; otherwise its document has said so before. */
  asksAfterStream: boolean;
  /** Whether our stream of a call is over when that goes on elsewhere; otherwise it is for us to end it. */
  takesStreamAway: boolean;
  open(around: Surroundings): Promise<TestedCarrier>;
}
