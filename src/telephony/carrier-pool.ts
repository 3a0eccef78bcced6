import type { Carrier } from '#telephony/port/carrier.js';
import type { RemoteCarrier } from '#telephony/port/carrier-webhooks.js';
import type { CarrierHttp } from '#telephony/wire/carrier-http.js';

/**
 * The configured carriers by name: telephone companies and the sandbox. The composition root creates the pool at the
 * start. `calls` dials, transfers and hangs up through it; `CarrierWebhookDispatcher` finds the sender of a webhook in
 * it.
 */
export class CarrierPool {
  /** The carrier that places outbound calls. */
  readonly outbound: Carrier;
  readonly #byName: ReadonlyMap<string, Carrier>;
  readonly #http: CarrierHttp | null;

  /** @throws Error if `outbound` names none of the carriers */
  constructor(carriers: readonly Carrier[], options: { outbound: string; http?: CarrierHttp }) {
    this.#byName = new Map(carriers.map((carrier) => [carrier.name, carrier]));
    const outbound = this.#byName.get(options.outbound);
    if (!outbound) throw new Error(`there is no carrier "${options.outbound}"`);
    this.outbound = outbound;
    this.#http = options.http ?? null;
  }

  /** The carrier of that name; null if it is not configured: calls may name a carrier that was configured before. */
  find(name: string): Carrier | null {
    return this.#byName.get(name) ?? null;
  }

  /** The carriers that send webhooks. */
  get remotes(): readonly RemoteCarrier[] {
    return [...this.#byName.values()].filter((carrier): carrier is RemoteCarrier => 'webhooks' in carrier);
  }

  /** The carrier of that name, if it sends webhooks; else null. */
  remote(name: string): RemoteCarrier | null {
    const carrier = this.find(name);
    return carrier !== null && 'webhooks' in carrier ? (carrier as RemoteCarrier) : null;
  }

  /** Closes every carrier, then their shared HTTP client. */
  async close(): Promise<void> {
    await Promise.all([...this.#byName.values()].map((carrier) => carrier.close()));
    await this.#http?.close();
  }
}
