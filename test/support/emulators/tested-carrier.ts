import type { Clock } from '#kernel/time/clock.js';
import type { EmulatorLog } from './emulator-log.js';
import type { Faults } from './faults.js';
import type { Person } from './person.js';
import type { PhoneBehaviour, PhoneNetwork } from './phone-network.js';

/** A call of ours at an emulated carrier, independent of the carrier. */
export interface EmulatedLine {
  carrierCallId: string;
  /** E.164. */
  to: string;
  from: string;
  isOver: boolean;
  ended: Promise<void>;
  /** Null before the answer. */
  person: Person | null;
  /** `ended` resolves when the audio no longer goes to the service. */
  streams: readonly { ended: Promise<unknown> }[];
}

/** A request of the service to a carrier. */
export type Asked = ReturnType<EmulatorLog['asked']>[number];
/** A request of a carrier to the service. */
export type Sent = ReturnType<EmulatorLog['sent']>[number];

/** An emulated carrier that a service can use. */
export interface TestedCarrier {
  /** The service's environment for this carrier. */
  environment: Readonly<Record<string, string>>;
  network: PhoneNetwork;
  faults: Faults;
  log: EmulatorLog;
  lines(): EmulatedLine[];
  /** True if a request is a hang-up. */
  isHangUp(asked: Asked): boolean;
  /** True if a request reports the end of our stream and expects markup. */
  isStreamEnd(sent: Pick<Sent, 'url' | 'purpose' | 'form'>): boolean;
  /** Resolves when no request is in progress in either direction. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export interface Surroundings {
  /** The service's clock. */
  clock: Clock;
  phones: Readonly<Record<string, PhoneBehaviour>>;
  /** Maps a URL of the service to a reachable one. */
  reach: (url: string) => string;
  /** The service's public URL, such as `https://voice.example.com`. */
  publicUrl: string;
}

export interface TestedCarrierDefinition {
  name: string;
  /** True if a live call without callbacks can be found by our reference; otherwise the reason why not. */
  findsCalls: true | string;
  /** True if a look-up returns the end of a call without callbacks; otherwise the reason why not. */
  knowsEnds: true | string;
  /**
   * True if the carrier requests markup after we end a stream; otherwise the first document contains the next steps.
   */
  asksAfterStream: boolean;
  /** True if a transfer ends our stream; otherwise we have to end it. */
  takesStreamAway: boolean;
  open(around: Surroundings): Promise<TestedCarrier>;
}
