import type { Carrier } from '#telephony/port/carrier.js';
import type { RemoteCarrier } from '#telephony/port/carrier-webhooks.js';
import type { CarrierHttp } from '#telephony/wire/carrier-http.js';

/** The carriers that can be used, by their names. */
export class CarrierPool {
  /** The one for outbound calls. */
  readonly usual: Carrier;
  readonly #byName: ReadonlyMap<string, Carrier>;
  readonly #http: CarrierHttp | null;

  /** @throws Error when `usual` names none of them */
  constructor(carriers: readonly Carrier[], options: { usual: string; http?: CarrierHttp }) {
    this.#byName = new Map(carriers.map((carrier) => [carrier.name, carrier]));
    const usual = this.#byName.get(options.usual);
    if (!usual) throw new Error(`there is no carrier "${options.usual}"`);
    this.usual = usual;
    this.#http = options.http ?? null;
  }

  /** The carrier of a call; null for calls of none, or of one that is not configured any more. */
  find(name: string): Carrier | null {
    return this.#byName.get(name) ?? null;
  }

  /** Those that send us requests. */
  get remotes(): readonly RemoteCarrier[] {
    return [...this.#byName.values()].filter((carrier): carrier is RemoteCarrier => 'webhooks' in carrier);
  }

  /** The same for those that send us requests. */
  remote(name: string): RemoteCarrier | null {
    const carrier = this.find(name);
    return carrier !== null && 'webhooks' in carrier ? (carrier as RemoteCarrier) : null;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#byName.values()].map((carrier) => carrier.close()));
    await this.#http?.close();
  }
}
