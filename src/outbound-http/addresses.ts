import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/**
 * Public addresses of cloud metadata services (Azure), which hand out credentials. All others are private addresses.
 */
const METADATA_SERVICES = new Set(['168.63.129.16']);

/** Global unicast IPv6 (RFC 4291, section 2.4). Addresses outside may embed IPv4, such as `::7f00:1`. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

const PRIVATE_NAME = /^(?:[^.]*|.*\.(?:localhost|local|internal|home\.arpa))$/;

/** The addresses that requests may go to: public ones, and the networks that the operator allows. */
export class AllowedAddresses {
  readonly #networks: readonly Network[];

  /** @param networks in CIDR notation, such as `127.0.0.0/8` */
  constructor(networks: readonly string[]) {
    this.#networks = networks.map((network) => ipaddr.parseCIDR(network) as Network);
  }

  /** True if a host may be requested at all of its addresses. @param name the host in the URL */
  allow(name: string, addresses: readonly string[]): boolean {
    const isPrivate = isPrivateName(name);
    return (
      addresses.length > 0 &&
      addresses.every((text) => {
        const address = ipaddr.isValid(text) ? ipaddr.process(text) : null;
        return address !== null && (this.#isListed(address) || (!isPrivate && isPublic(address)));
      })
    );
  }

  #isListed(address: Address): boolean {
    return this.#networks.some(
      ([network, prefix]) => network.kind() === address.kind() && address.match(network, prefix),
    );
  }
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || METADATA_SERVICES.has(address.toString())) return false;
  return address instanceof ipaddr.IPv4 || address.match(...GLOBAL_IPV6);
}

/** True for a name (not an address) that is only valid inside a network. */
export function isPrivateName(host: string): boolean {
  return !ipaddr.isValid(host) && PRIVATE_NAME.test(host);
}

/** A host without the brackets of IPv6 and without a trailing dot. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '');
}
