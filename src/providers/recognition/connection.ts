import type { Socket } from '#providers/wire/socket.js';
import type { SttReader } from './stt-dialect.js';

/** One connection of a `StreamingSession`, until it ends or is replaced. */
export interface Connection {
  socket: Socket;
  /** Parses the messages of this connection. */
  reader: SttReader;
  /** The places of its audio in the audio of the call. */
  times: ConnectionTimes;
  /** True if the vendor accepts audio. */
  isReady: boolean;
  /** When it was opened (monotonic). */
  openedAtMs: number;
}

/**
 * The places of a connection's audio in the audio of the call, in milliseconds. Vendors do not count audio that was
 * left out: what follows it lies later in the call, and what came before stays where it was.
 */
export class ConnectionTimes {
  /** For the audio after `fromMs` of the connection: how much later it lies in the call. In order of time. */
  readonly #offsets: { fromMs: number; offsetMs: number }[];
  #sentMs = 0;

  /** @param startMs the place of the first audio */
  constructor(startMs: number) {
    this.#offsets = [{ fromMs: -Infinity, offsetMs: startMs }];
  }

  /** Notes that audio was sent. */
  send(durationMs: number): void {
    this.#sentMs += durationMs;
  }

  /** Notes that audio of the call was left out. */
  leaveOut(durationMs: number): void {
    const { fromMs, offsetMs } = this.#offsets.at(-1)!;
    if (fromMs === this.#sentMs) this.#offsets.pop();
    this.#offsets.push({ fromMs: this.#sentMs, offsetMs: offsetMs + durationMs });
  }

  /** The place in the call of the audio that ends at `connectionMs` of the connection. */
  inCall(connectionMs: number): number {
    return connectionMs + this.#offsets.findLast(({ fromMs }) => fromMs < connectionMs)!.offsetMs;
  }
}
