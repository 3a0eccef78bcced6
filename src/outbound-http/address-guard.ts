import { bareHost, isPrivateName, type AllowedAddresses } from './addresses.js';
import type { Resolve } from './resolver.js';

/** A host is where requests must not go. The error says nothing more, or it would map our network for strangers. */
export class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';
  readonly code = 'blocked_address';

  constructor() {
    super('blocked_address');
  }
}

/** Keeps requests away from our own network and from the metadata services of clouds. */
export interface AddressGuard {
  /**
   * Where a host may be reached; the connection must be opened to one of just these.
   * @throws BlockedAddress, NameNotFound
   */
  resolve(hostname: string): Promise<string[]>;
}

/** Judges the addresses that a name resolves to as well as the name: a public name may lead to a private address. */
export function createAddressGuard(parts: { allowed: AllowedAddresses; resolve: Resolve }): AddressGuard {
  return {
    async resolve(hostname) {
      const name = bareHost(hostname);
      const addresses = await parts.resolve(name).catch((error: unknown) => {
        // Whether a private name exists stays inside our network.
        throw isPrivateName(name) ? new BlockedAddress() : error;
      });
      if (!parts.allowed.allow(name, addresses)) throw new BlockedAddress();
      return addresses;
    },
  };
}
