import type { Clock } from '#kernel/time/clock.js';
import type { OpenSocket, OutboundSocket, SocketTarget } from '#outbound-http/socket.js';

/** Slightly less than the minute after which load balancers drop idle connections. */
const MAX_IDLE_MS = 55_000;
/** The most idle sockets of an address; further sockets are closed after their sentence. */
const MAX_IDLE_PER_ADDRESS = 100;

/**
 * A pool of open WebSockets to a vendor's voices, by address, so that a sentence does not wait for a handshake. Sockets
 * that were idle too long or were closed (vendors do so after 10 s to 5 min) are not used again. `speakOverSocket`
 * takes a socket for each sentence.
 */
export class IdleSockets {
  readonly #open: OpenSocket;
  readonly #clock: Clock;
  /** The idle sockets of each address, and since when (monotonic) they are idle; the last one is used first. */
  readonly #idle = new Map<string, { socket: OutboundSocket; sinceMs: number }[]>();
  #isClosed = false;

  constructor(open: OpenSocket, clock: Clock) {
    this.#open = open;
    this.#clock = clock;
  }

  /** A socket for a sentence. `isUsed` is true for a socket from the pool, which may turn out to be dead. */
  async take(
    target: SocketTarget,
    signal: AbortSignal,
  ): Promise<{ socket: OutboundSocket; isUsed: boolean }> {
    const idle = this.#idle.get(target.url) ?? [];
    for (let entry = idle.pop(); entry; entry = idle.pop()) {
      const { socket, sinceMs } = entry;
      // Drops messages of the previous sentence that came after its end.
      socket.discard();
      if (socket.end === null && this.#clock.monotonicMs() - sinceMs < MAX_IDLE_MS)
        return { socket, isUsed: true };
      socket.terminate();
    }
    return { socket: await this.#open(target, signal), isUsed: false };
  }

  /** Returns a usable socket to the pool, or closes it if the pool is full or closed. */
  giveBack(target: SocketTarget, socket: OutboundSocket): void {
    const idle = this.#idle.get(target.url) ?? [];
    if (this.#isClosed || idle.length >= MAX_IDLE_PER_ADDRESS) return socket.close();
    this.#idle.set(target.url, [...idle, { socket, sinceMs: this.#clock.monotonicMs() }]);
  }

  /** Opens a socket for later unless one is idle. A failure is ignored here: the next sentence fails the same way. */
  prepare(target: SocketTarget): void {
    if ((this.#idle.get(target.url) ?? []).some(({ socket }) => socket.end === null)) return;
    this.#open(target).then(
      (socket) => this.giveBack(target, socket),
      () => {},
    );
  }

  /** Closes the idle sockets; those in use are closed when they are given back. */
  close(): void {
    this.#isClosed = true;
    for (const idle of this.#idle.values()) for (const { socket } of idle) socket.close();
    this.#idle.clear();
  }
}
