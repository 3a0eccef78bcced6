import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { Json } from '#media/protocols/carrier-fields.js';
import type { StreamProtocol } from '#media/protocols/stream-protocol.js';
import type { CarrierTraits } from '#telephony/port/carrier.js';
import type { CarrierCodec, CarrierWebhooks, RemoteCarrier } from '#telephony/port/carrier-webhooks.js';
import type { CarrierHttp } from './carrier-http.js';

/** One environment variable of a carrier, named `<CARRIER>_<KEY>`. */
export interface CarrierSetting {
  docs: string;
  /** The default; null for none. */
  fallback: string | null;
  /** Never shown, not even if invalid. */
  secret?: true;
  /** Required for the carrier. Setting one of these requires all of them. */
  required?: true;
}

/** Values of a carrier's settings by key. */
export type CarrierSettings<Key extends string = string> = Readonly<Record<Key, string | null>>;

/** Context of a carrier. */
export interface RemoteCarrierContext {
  clock: Clock;
  log: Log;
  http: CarrierHttp;
  /** Our public address, without a trailing slash. */
  publicUrl: () => string;
}

/** What the client of a carrier's API is made of. */
export interface CarrierApiContext extends Pick<RemoteCarrierContext, 'clock' | 'publicUrl'> {
  codec: CarrierCodec;
  verify: CarrierWebhooks['verify'];
}

/** Options of every carrier's API. */
export interface CarrierApiOptions {
  callsPerSecond: number;
  /** True if the carrier should detect answering machines. */
  detectsMachines: boolean;
}

/** Reads the options from the settings of a carrier. */
export function apiOptions(settings: CarrierSettings): CarrierApiOptions {
  return {
    callsPerSecond: Number(settings['CALLS_PER_SECOND']),
    detectsMachines: settings['MACHINE_DETECTION'] === 'on',
  };
}

/** The traits of carriers without idempotent requests: after a lost answer the state of a call is unknown. */
export function apiTraits(
  { callsPerSecond }: CarrierApiOptions,
  lookUp: CarrierTraits['lookUp'] = 'none',
): CarrierTraits {
  return { lookUp, idempotentPlace: false, callsPerSecond, joinsLegs: true };
}

/** The stream protocol of a carrier, and how to recognise its start. */
export interface CarrierStream {
  recognises(json: Json): boolean;
  create(): StreamProtocol;
  /** Tried last: many carriers use it, and its start has no distinguishing mark. */
  isCommon?: true;
}

/** Registration of a carrier; its name is part of its addresses (`/webhook/<name>/…`) and variables. */
export interface CarrierDefinition {
  readonly name: string;
  readonly settings: Readonly<Record<string, CarrierSetting>>;
  readonly codec: CarrierCodec;
  readonly stream: CarrierStream;
  /** @param settings all required ones are present */
  open(settings: CarrierSettings, parts: RemoteCarrierContext): RemoteCarrier;
}

/** The environment variable of a carrier's setting: `TWILIO_AUTH_TOKEN`. */
export function variableOf(carrier: string, key: string): string {
  return `${carrier.toUpperCase()}_${key}`;
}
