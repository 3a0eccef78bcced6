import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { Json } from '#media/protocols/carrier-fields.js';
import type { StreamProtocol } from '#media/protocols/stream-protocol.js';
import type { CarrierDialect, RemoteCarrier } from '#telephony/port/carrier-webhooks.js';
import type { CarrierHttp } from './carrier-http.js';

/** One environment variable of a carrier; its name is the carrier's in capitals, `_`, and the key in the table. */
export interface CarrierSetting {
  docs: string;
  /** What holds when it is not set; null when nothing does. */
  fallback: string | null;
  /** It is never shown, not even when it is wrong. */
  secret?: true;
  /** The carrier cannot be used without it. Setting one of these asks for all of them. */
  required?: true;
}

/** What a carrier's variables say, by their keys. */
export type CarrierSettings<Key extends string = string> = Readonly<Record<Key, string | null>>;

/** What the service hands to a carrier. */
export interface RemoteCarrierParts {
  clock: Clock;
  log: Log;
  http: CarrierHttp;
  /** Where the carrier reaches us, without a slash at the end. */
  publicUrl: () => string;
}

/** How the sound of a carrier's calls travels over a socket, and the message by which it is recognised. */
export interface CarrierStream {
  recognises(json: Json): boolean;
  create(): StreamProtocol;
  /** It is asked after all others: many carriers speak it, and its start has no mark of its own. */
  isCommon?: true;
}

/** A carrier as it is registered: its name is that of its addresses (`/webhook/<name>/…`) and of its variables. */
export interface CarrierDefinition {
  readonly name: string;
  readonly settings: Readonly<Record<string, CarrierSetting>>;
  readonly dialect: CarrierDialect;
  readonly stream: CarrierStream;
  /** @param settings all that are required are there */
  open(settings: CarrierSettings, parts: RemoteCarrierParts): RemoteCarrier;
}

/** The environment variable of a carrier's setting: `TWILIO_AUTH_TOKEN`. */
export function variableOf(carrier: string, key: string): string {
  return `${carrier.toUpperCase()}_${key}`;
}
