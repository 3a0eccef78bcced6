import { bareHost, isPrivateName, type AllowedAddresses } from './addresses.js';
import type { Resolve } from './resolver.js';

/** Requests to a host are not allowed. The error has no details, which would reveal the operator's network. */
export class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';
  readonly code = 'blocked_address';

  constructor() {
    super('blocked_address');
  }
}

/** Keeps requests to customers' URLs out of the operator's network and away from cloud metadata services (SSRF). */
export interface SsrfGuard {
  /**
   * The allowed addresses of a host. The connection must go to one of them, without another name resolution.
   * @throws BlockedAddress, NameNotFound
   */
  resolve(hostname: string): Promise<string[]>;
}

/**
 * Creates a guard that checks a name and all of its addresses: a public name may resolve to a private address. The HTTP
 * pools for customers' URLs (webhooks, tools, custom providers) resolve names by it.
 */
export function createSsrfGuard(parts: { allowed: AllowedAddresses; resolve: Resolve }): SsrfGuard {
  return {
    async resolve(hostname) {
      const name = bareHost(hostname);
      const addresses = await parts.resolve(name).catch((error: unknown) => {
        // The error must not reveal whether a private name exists.
        throw isPrivateName(name) ? new BlockedAddress() : error;
      });
      if (!parts.allowed.allow(name, addresses)) throw new BlockedAddress();
      return addresses;
    },
  };
}
