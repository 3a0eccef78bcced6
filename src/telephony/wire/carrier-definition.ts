import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { Json } from '#media/protocols/carrier-fields.js';
import type { StreamProtocol } from '#media/protocols/stream-protocol.js';
import type { CarrierTraits } from '#telephony/port/carrier.js';
import type { CarrierCodec, CarrierWebhooks, RemoteCarrier } from '#telephony/port/carrier-webhooks.js';
import type { CarrierHttp } from './carrier-http.js';

/**
 * The registration of a carrier outside this process. Each carrier's folder exports one {@link CarrierDefinition};
 * `remote-carriers.ts` lists them.
 */

/** One environment variable of a carrier, named `<CARRIER>_<KEY>`. */
export interface CarrierSetting {
  /** The explanation in docs/settings.md. */
  docs: string;
  /** The default; null for none. */
  fallback: string | null;
  /** Never shown, not even if invalid. */
  secret?: true;
  /** The carrier cannot be used without it. If one required setting is set, all of them must be. */
  required?: true;
}

/** Values of a carrier's settings by key. */
export type CarrierSettings<Key extends string = string> = Readonly<Record<Key, string | null>>;

/** The dependencies that the service passes to a carrier. */
export interface RemoteCarrierContext {
  clock: Clock;
  log: Log;
  http: CarrierHttp;
  /** The service's public address, for webhooks, without a trailing slash. */
  publicUrl: () => string;
}

/** The dependencies that the client of every carrier's API has. */
export interface CarrierApiContext extends Pick<RemoteCarrierContext, 'clock' | 'publicUrl'> {
  /** Decodes the carrier's webhooks, and encodes the answers. */
  codec: CarrierCodec;
  /** Verifies the signature of a webhook. */
  verify: CarrierWebhooks['verify'];
}

/** The options of every carrier's API. */
export interface CarrierApiOptions {
  callsPerSecond: number;
  /** True if the carrier should detect answering machines. */
  detectsMachines: boolean;
}

/** The options in the settings of a carrier. */
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
  /** True if a message begins a stream of this protocol. */
  recognises(json: Json): boolean;
  /** Creates the decoder and encoder of one stream. */
  create(): StreamProtocol;
  /** Present for the protocol that is tried last: many carriers use it, and its start has no distinguishing mark. */
  isCommon?: true;
}

/**
 * A carrier: its settings, its codec and how to open it. The name is part of the webhook addresses
 * (`/webhook/<name>/…`) and of the environment variables.
 */
export interface CarrierDefinition {
  readonly name: string;
  readonly settings: Readonly<Record<string, CarrierSetting>>;
  readonly codec: CarrierCodec;
  readonly stream: CarrierStream;
  /** Opens the carrier. @param settings all required settings are present */
  open(settings: CarrierSettings, parts: RemoteCarrierContext): RemoteCarrier;
}

/** The name of the environment variable of a setting, such as `TWILIO_AUTH_TOKEN`. */
export function variableOf(carrier: string, key: string): string {
  return `${carrier.toUpperCase()}_${key}`;
}
