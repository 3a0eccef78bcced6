import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** The host name has no address, or no name server answered in time. */
export class NameNotFound extends Error {
  override readonly name = 'NameNotFound';
  readonly code = 'no_address';
}

/** Resolves a host name to its IP addresses (port). @throws NameNotFound */
export type Resolve = (hostname: string) => Promise<string[]>;

/** The timeout of a query to a name server; then follows the second try. */
const QUERY_TIMEOUT_MS = 1_000;
const TRIES = 2;
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Creates the resolver of the service, for the SSRF guard: it queries the name servers of the machine, and ignores the
 * hosts file. `dns.lookup` is not used, because it shares the thread pool with file operations: one slow name server
 * would delay them.
 */
export function createResolver(): Resolve {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES });
  return async (hostname) => {
    if (isIP(hostname)) return [hostname];
    // RFC 6761, section 6.3: `localhost` always means the loopback addresses.
    if (hostname === 'localhost' || hostname.endsWith('.localhost')) return LOOPBACK;
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw new NameNotFound('the host name has no address');
    return addresses;
  };
}
