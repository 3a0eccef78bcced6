import type { Clock } from '#kernel/time/clock.js';
import type { ConnectSocket, SocketHandlers } from '#providers/wire/socket.js';

/** The server side of one connection. */
export interface ServerSocket {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Sends a JSON text to the client. */
  send(message: unknown): void;
  close(code: number, reason?: string): void;
}

/** A server's reaction to a connection; a number refuses it with that status. */
export interface EmulatedServer {
  accept(socket: ServerSocket): ConnectionHandlers | number;
}

export interface ConnectionHandlers {
  onMessage(data: string | Uint8Array): void;
  onClose(): void;
}

/** How long a connection lasts; null for as long as it is wanted. */
interface SessionLimit {
  afterMs: number | null;
  code: number;
  reason: string;
}

/** Sockets to a server in the same process; every message takes a millisecond. */
export function emulatedSockets(clock: Clock, server: EmulatedServer) {
  const open = new Set<Connection>();
  const limit: SessionLimit = { afterMs: null, code: 1_000, reason: '' };
  const urls: string[] = [];
  const connect: ConnectSocket = ({ url, headers }, client) => {
    urls.push(url);
    const connection = new Connection(clock, client, { limit, onEnd: () => open.delete(connection) });
    open.add(connection);
    connection.later(() => connection.begin(server, new URL(url), headers));
    return {
      send: (data) => connection.later(() => connection.receive(data)),
      close: () => connection.later(() => connection.end(1_000, '')),
      terminate: () => connection.later(() => connection.end(1_006, '')),
    };
  };
  return {
    connect,
    /** When the server ends a connection however busy it is, and with what. */
    limit,
    /** Every address that was connected to. */
    urls,
    get openCount() {
      return open.size;
    },
    /** Breaks every connection. */
    breakAll(code = 1_006, reason = '') {
      // Ending a connection may open another one, which must stay.
      const connections = Array.from(open);
      connections.forEach((connection) => connection.end(code, reason));
    },
  };
}

const LATENCY_MS = 1;

class Connection {
  readonly #clock: Clock;
  readonly #client: SocketHandlers;
  readonly #limit: SessionLimit;
  readonly #onEnd: () => void;
  #cancelLimit = () => {};
  #server: ConnectionHandlers | null = null;
  #isOver = false;

  constructor(
    clock: Clock,
    client: SocketHandlers,
    { limit, onEnd }: { limit: SessionLimit; onEnd: () => void },
  ) {
    this.#clock = clock;
    this.#client = client;
    this.#limit = limit;
    this.#onEnd = onEnd;
  }

  later(task: () => void): void {
    this.#clock.after(LATENCY_MS, () => void (this.#isOver || task()));
  }

  begin(server: EmulatedServer, url: URL, headers: Readonly<Record<string, string>>): void {
    const accepted = server.accept({
      url,
      headers,
      send: (message) => this.later(() => this.#client.onMessage(JSON.stringify(message))),
      close: (code, reason = '') => this.later(() => this.end(code, reason)),
    });
    if (typeof accepted === 'number') return this.end(1_006, 'refused', { status: accepted, body: '' });
    this.#server = accepted;
    const { afterMs, code, reason } = this.#limit;
    if (afterMs !== null) this.#cancelLimit = this.#clock.after(afterMs, () => this.end(code, reason));
    this.#client.onOpen();
  }

  receive(data: string | Uint8Array): void {
    this.#server?.onMessage(data);
  }

  end(code: number, reason: string, refusal?: { status: number; body: string }): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelLimit();
    this.#onEnd();
    this.#server?.onClose();
    this.#client.onClose({ code, reason, ...(refusal && { refusal }) });
  }
}
