import type { Clock } from '#kernel/time/clock.js';
import type { OpenSocket, OutboundSocket, SocketTarget } from '#outbound-http/socket.js';

/** A little under the minute after which load balancers forget a connection without a word. */
const KEPT_MS = 55_000;
const MOST_IDLE = 100;

/**
 * Open sockets that wait for their next use, by where they lead. One that has waited for long, or was closed meanwhile
 * (vendors do so after 10 s to 5 min), is not used again.
 */
export class IdleSockets {
  readonly #open: OpenSocket;
  readonly #clock: Clock;
  readonly #idle = new Map<string, { socket: OutboundSocket; sinceMs: number }[]>();
  #isClosed = false;

  constructor(open: OpenSocket, clock: Clock) {
    this.#open = open;
    this.#clock = clock;
  }

  /** A socket, and whether it was open before: such a one may turn out to be dead. */
  async take(
    target: SocketTarget,
    signal: AbortSignal,
  ): Promise<{ socket: OutboundSocket; isUsed: boolean }> {
    const waiting = this.#idle.get(target.url) ?? [];
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      const { socket, sinceMs } = one;
      socket.discard();
      if (socket.end === null && this.#clock.monotonicMs() - sinceMs < KEPT_MS)
        return { socket, isUsed: true };
      socket.terminate();
    }
    return { socket: await this.#open(target, signal), isUsed: false };
  }

  give(target: SocketTarget, socket: OutboundSocket): void {
    const waiting = this.#idle.get(target.url) ?? [];
    if (this.#isClosed || waiting.length >= MOST_IDLE) return socket.close();
    this.#idle.set(target.url, [...waiting, { socket, sinceMs: this.#clock.monotonicMs() }]);
  }

  /** Opens one for later, if none waits; a failure is met again, and told, by its first use. */
  prepare(target: SocketTarget): void {
    if ((this.#idle.get(target.url) ?? []).some(({ socket }) => socket.end === null)) return;
    this.#open(target).then(
      (socket) => this.give(target, socket),
      () => {},
    );
  }

  close(): void {
    this.#isClosed = true;
    for (const waiting of this.#idle.values()) for (const { socket } of waiting) socket.close();
    this.#idle.clear();
  }
}
