import ipaddr from 'ipaddr.js';

/*
 * Decides which hosts and addresses requests may go to, for the SSRF guard: this service requests URLs that customers
 * name, and must not be led into the operator's own network by such a URL.
 */

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/**
 * The public address of Azure's metadata service, which hands out credentials. The metadata services of other large
 * clouds have no public addresses.
 */
const METADATA_SERVICES = new Set(['168.63.129.16']);

/**
 * The allocated part of global unicast IPv6 (RFC 4291, section 2.4). Addresses outside this part may embed a private
 * IPv4 address, such as `::7f00:1`.
 */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Names without a dot, and names below the top-level domains for private networks. */
const PRIVATE_NAME = /^(?:[^.]*|.*\.(?:localhost|local|internal|home\.arpa))$/;

/** The addresses that requests may go to: public ones, and the networks that the operator allows. */
export class AllowedAddresses {
  readonly #networks: readonly Network[];

  /** @param networks in CIDR notation, such as `127.0.0.0/8` */
  constructor(networks: readonly string[]) {
    this.#networks = networks.map((network) => ipaddr.parseCIDR(network) as Network);
  }

  /**
   * True if a host may be requested: it has addresses, and each of them is in a network that the operator allows, or is
   * public. Public addresses do not count for a private name.
   * @param name the host in the URL, as `bareHost` returns it: a name or an address
   */
  allow(name: string, addresses: readonly string[]): boolean {
    const isPrivate = isPrivateName(name);
    return (
      addresses.length > 0 &&
      addresses.every((text) => {
        const address = ipaddr.isValid(text) ? ipaddr.process(text) : null;
        return address !== null && (this.#isInOperatorNetwork(address) || (!isPrivate && isPublic(address)));
      })
    );
  }

  /** True for an address in a network that the operator allows. */
  #isInOperatorNetwork(address: Address): boolean {
    return this.#networks.some(
      ([network, prefix]) => network.kind() === address.kind() && address.match(network, prefix),
    );
  }
}

/** True for an address that any host on the Internet can reach, except metadata services. */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || METADATA_SERVICES.has(address.toString())) return false;
  return address instanceof ipaddr.IPv4 || address.match(...GLOBAL_IPV6);
}

/** True for a name (not an address) that is only valid inside a private network, such as `printer.local`. */
export function isPrivateName(host: string): boolean {
  return !ipaddr.isValid(host) && PRIVATE_NAME.test(host);
}

/** The host of a URL without the brackets of IPv6 and without trailing dots. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '');
}
