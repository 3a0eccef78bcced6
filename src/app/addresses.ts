import type { Config } from '#config/config.js';
import { publicUrlOf } from '#config/domain.js';

/**
 * The addresses of this process: its public address, the address for other processes of the service, and the address
 * for the sandbox network in this process. The composition root creates it before the port is known; carriers, links
 * and the console ask it.
 */
export class Addresses {
  readonly #config: Config;
  #port: number;

  constructor(config: Config) {
    this.#config = config;
    this.#port = config.port;
  }

  /** Sets the port in use, which the system has chosen if the setting PORT is 0. */
  setPort(port: number): void {
    this.#port = port;
  }

  /** The public address of the API, without a trailing slash. */
  get publicUrl(): string {
    const { domainFollowsPort, publicUrl } = this.#config;
    return domainFollowsPort ? publicUrlOf(`localhost:${this.#port}`) : publicUrl;
  }

  /** The address of the audio sockets for carriers. */
  get publicStreamUrl(): string {
    return `${this.publicUrl.replace(/^http/, 'ws')}/ws/stream`;
  }

  /** The address of the audio sockets for the sandbox network: on this machine, because it runs in this process. */
  get sandboxStreamUrl(): string {
    return `ws://${this.#localAddress}/ws/stream`;
  }

  /** The host and port by which other processes of the service reach this one (setting `NODE_ADDRESS`). */
  get nodeAddress(): string {
    return this.#config.nodeAddress ?? this.#localAddress;
  }

  /** Host and port on this machine: a process that listens everywhere is reached by the loopback address. */
  get #localAddress(): string {
    const { host } = this.#config;
    const local = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
    return `${hostInUrl(local)}:${this.#port}`;
  }
}

/** A host in the form of URLs: IPv6 addresses have brackets. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
