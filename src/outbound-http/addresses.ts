import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** Services of clouds that hand out credentials at addresses which look public. The others lie in private ranges. */
const METADATA_SERVICES = new Set(['168.63.129.16']);

/** All of IPv6 that is given out (RFC 4291): what lies outside may be IPv4 in disguise, such as `::7f00:1`. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

const PRIVATE_NAME = /^(?:[^.]*|.*\.(?:localhost|local|internal|home\.arpa))$/;

/** Which addresses requests may go to: public ones, and the networks that the operator lists. */
export class AllowedAddresses {
  readonly #networks: readonly Network[];

  /** @param networks such as `127.0.0.0/8` */
  constructor(networks: readonly string[]) {
    this.#networks = networks.map((network) => ipaddr.parseCIDR(network) as Network);
  }

  /** Whether a host that is `name` to the client may be called at all of these addresses. */
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

/** Whether a host is a name (and no address) that only means something within a network. */
export function isPrivateName(host: string): boolean {
  return !ipaddr.isValid(host) && PRIVATE_NAME.test(host);
}

/** A host of a URL as it is looked up and judged: without brackets and without a dot at the end. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '');
}
