import type { Config } from '#config/config.js';
import { publicUrlOf } from '#config/domain.js';

/** Where this process is reached: from outside, and by the sandbox network inside it. */
export class Addresses {
  readonly #config: Config;
  #port: number;

  constructor(config: Config) {
    this.#config = config;
    this.#port = config.port;
  }

  /** @param port the one in use: where the setting is 0, the system has chosen it */
  listenOn(port: number): void {
    this.#port = port;
  }

  /** Where the API is reached from outside, without a slash at the end. */
  get publicUrl(): string {
    const { domainFollowsPort, publicUrl } = this.#config;
    return domainFollowsPort ? publicUrlOf(`localhost:${this.#port}`) : publicUrl;
  }

  /** Carriers' way to the audio sockets. */
  get publicStreamUrl(): string {
    return `${this.publicUrl.replace(/^http/, 'ws')}/ws/stream`;
  }

  /** The sandbox network's way to the audio sockets: never through the outside. */
  get sandboxStreamUrl(): string {
    return `ws://${this.#localAddress}/ws/stream`;
  }

  /** Where other processes reach this one, as host and port. */
  get nodeAddress(): string {
    return this.#config.nodeAddress ?? this.#localAddress;
  }

  get #localAddress(): string {
    const { host } = this.#config;
    const local = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
    return `${hostInUrl(local)}:${this.#port}`;
  }
}

/** A host as it stands in an address of the web: those of IPv6 are in brackets. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
