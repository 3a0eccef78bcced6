import { fieldProblem, Problem } from '#kernel/errors/errors.js';
import { bareHost, isPrivateName, type AllowedAddresses } from './addresses.js';
import { NameNotFound, type Resolve } from './resolver.js';

/** A receiver is where webhooks must not be sent. It says nothing more, or it would map our network for strangers. */
export class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';

  constructor() {
    super('blocked_address');
  }
}

/** Keeps webhooks away from our own network and from the metadata services of clouds. */
export interface AddressGuard {
  /**
   * Judges an address that a client gives for a receiver. A name that has no address yet is let through: it is judged
   * again before every connection.
   * @param field the field that holds it
   * @throws Problem `invalid_webhook_url`, `blocked_address`
   */
  check(url: string, field: string): Promise<void>;
  /**
   * Where a host may be reached; the connection must be opened to one of just these.
   * @throws BlockedAddress, NameNotFound
   */
  resolve(hostname: string): Promise<string[]>;
}

/** Judges the addresses that a name resolves to as well as the name: a public name may lead to a private address. */
export function createAddressGuard(parts: { allowed: AllowedAddresses; resolve: Resolve }): AddressGuard {
  const resolve = async (hostname: string): Promise<string[]> => {
    const name = bareHost(hostname);
    const addresses = await parts.resolve(name).catch((error: unknown) => {
      // Whether a private name exists is nobody's business outside.
      throw isPrivateName(name) ? new BlockedAddress() : error;
    });
    if (!parts.allowed.allow(name, addresses)) throw new BlockedAddress();
    return addresses;
  };
  return {
    resolve,
    async check(text, field) {
      const url = URL.canParse(text) ? new URL(text) : null;
      if (url?.protocol !== 'https:' || url.hostname === '') throw notHttps(field);
      if (url.username !== '' || url.password !== '') throw blocked(field);
      try {
        await resolve(url.hostname);
      } catch (error) {
        if (error instanceof BlockedAddress) throw blocked(field);
        if (!(error instanceof NameNotFound)) throw error;
      }
    },
  };
}

function notHttps(field: string): Problem {
  return fieldProblem(
    'invalid_webhook_url',
    field,
    'must be an HTTPS address such as https://example.com/hook',
  );
}

function blocked(field: string): Problem {
  return new Problem('blocked_address', `${field}: blocked_address`, {
    details: [{ field, code: 'blocked_address', message: 'blocked_address' }],
  });
}
