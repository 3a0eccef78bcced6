/** What a socket tells; nothing follows `onClose`. */
export interface SocketHandlers {
  onOpen(): void;
  /** A text, or bytes. */
  onMessage(data: string | Uint8Array): void;
  /** Also where no connection was made; `refusal` is what the server answered instead of one. */
  onClose(end: SocketEnd): void;
}

/** How a socket came to its end; 1006 where the connection just broke. */
export interface SocketEnd {
  code: number;
  reason: string;
  refusal?: { status: number; body: string };
}

/** A WebSocket of ours to a provider. */
export interface Socket {
  /** Sends a text, or bytes; harmless when it is not open. */
  send(data: string | Uint8Array): void;
  /** Asks for the end; `onClose` follows. */
  close(): void;
  /** Drops the connection; `onClose` follows. */
  terminate(): void;
}

/** Opens a WebSocket (port): `telling-sockets.ts`, or an emulator in the same process. */
export type ConnectSocket = (
  target: { url: string; headers: Readonly<Record<string, string>> },
  handlers: SocketHandlers,
) => Socket;
