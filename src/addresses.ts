import type { Config } from './config/config.js';
import { addressesOf } from './config/domain.js';

/** Where this process is reached: from outside, and by the sandbox network inside it. */
export class Addresses {
  readonly #config: Config;
  #port: number;
  publicUrl: string;

  constructor(config: Config) {
    this.#config = config;
    this.#port = config.port;
    this.publicUrl = config.publicUrl;
  }

  /** The port is known for certain: the setting may have left the choice to the system. */
  listenOn(port: number): void {
    this.#port = port;
    if (this.#config.domainFollowsPort) this.publicUrl = addressesOf(`localhost:${port}`).publicUrl;
  }

  /** Carriers' way to the audio sockets. */
  get publicStreamUrl(): string {
    return `${this.publicUrl.replace(/^http/, 'ws')}/ws/stream`;
  }

  /** The sandbox network's way to the audio sockets: never through the outside. */
  get sandboxStreamUrl(): string {
    const { host } = this.#config;
    const local = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
    return `ws://${hostInUrl(local)}:${this.#port}/ws/stream`;
  }
}

/** A host as it stands in an address of the web: those of IPv6 are in brackets. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
