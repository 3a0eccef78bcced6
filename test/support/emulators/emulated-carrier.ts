import type { FastifyInstance } from 'fastify';
import { systemClock, type Clock } from '#kernel/time/clock.js';
import { createPacingTimer, type PacingTimer } from '#media/pacing/pacing-timer.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { EmulatorLog } from './emulator-log.js';
import { Faults } from './faults.js';
import { PendingWork } from './pending-work.js';
import { PhoneNetwork, type PhoneBehaviour } from './phone-network.js';
import type { RequestParts } from './request-turns.js';
import { WebhookSender } from './webhook-sender.js';

export interface CarrierOptions {
  clock?: Clock;
  /** Behaviour of phones by number; others answer. */
  phones?: Readonly<Record<string, PhoneBehaviour>>;
  /**
   * Maps a URL of the service to a reachable one, such as a public `https` URL to this machine. Signatures cover the
   * original URL.
   */
  reach?: (url: string) => string;
}

/** Dependencies of calls at every emulated carrier. */
export interface CarrierParts extends RequestParts {
  sender: WebhookSender;
  network: PhoneNetwork;
  pacingTimer: PacingTimer;
  reach: (url: string) => string;
}

/**
 * Dial references are TypeIDs with the prefix `dial`; the emulated carrier finds them in the URLs that it was given.
 */
export function referenceIn(addresses: string): string | null {
  return /dial_[0-9a-z]+/.exec(addresses)?.[0] ?? null;
}

/** An emulated carrier on this machine: an API over real sockets, phones behind it, and the calls between them. */
export abstract class EmulatedCarrier<Call extends { drop(): void } = { drop(): void }> {
  readonly network: PhoneNetwork;
  readonly log = new EmulatorLog();
  readonly faults = new Faults();
  readonly calls: Call[] = [];
  protected abstract readonly server: FastifyInstance;
  protected readonly parts: CarrierParts;
  readonly #closing = new AbortController();
  readonly #pending = new PendingWork();
  #waiting: (() => void)[] = [];

  protected constructor({ clock = systemClock, phones, reach = (url) => url }: CarrierOptions) {
    this.network = new PhoneNetwork(clock, phones);
    this.parts = {
      clock,
      reach,
      sender: new WebhookSender(clock, reach, this.#closing.signal),
      log: this.log,
      pending: this.#pending,
      faults: this.faults,
      closing: this.#closing.signal,
      network: this.network,
      pacingTimer: createPacingTimer({ clock, log: createMemoryLog().log }),
    };
  }

  /** Listens on a free port. */
  protected async listen(): Promise<this> {
    await this.server.listen({ host: '127.0.0.1', port: 0 });
    return this;
  }

  /** The base URL of its API, such as `http://127.0.0.1:4433`. */
  get url(): string {
    return this.server.listeningOrigin;
  }

  /** The call number `index`, once there is one. */
  async untilCall(index = 0): Promise<Call> {
    for (;;) {
      const call = this.calls[index];
      if (call) return call;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Resolves when no request is in progress in either direction: then a fake clock may advance. */
  idle(): Promise<void> {
    return this.#pending.idle();
  }

  /** Drops every call and closes everything: no socket, no timer remains. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const call of this.calls.slice()) call.drop();
    await this.server.close();
    await this.idle();
  }

  protected added(call: Call): Call {
    this.calls.push(call);
    for (const resolve of this.#waiting.splice(0)) resolve();
    return call;
  }
}
