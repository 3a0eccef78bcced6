/**
 * WebSocket client connections with callbacks, as `StreamingSession` uses them for recognisers. (Voices read their
 * sockets on demand: `OutboundSocket`.)
 */

/** Callbacks of a socket; `onClose` is the last. */
export interface SocketHandlers {
  /** The handshake has succeeded. */
  onOpen(): void;
  /** A text, or bytes. */
  onMessage(data: string | Uint8Array): void;
  /** Also called if no connection was made; `refusal` is then the server's HTTP answer. */
  onClose(end: SocketEnd): void;
}

/** How a socket ended. The code is that of the close frame, or 1006 for a connection that broke. */
export interface SocketEnd {
  code: number;
  reason: string;
  refusal?: { status: number; body: string };
}

/** A WebSocket client connection to a provider. */
export interface Socket {
  /** Sends a text or bytes; ignored if the socket is not open. */
  send(data: string | Uint8Array): void;
  /** Starts the closing handshake; `onClose` follows. */
  close(): void;
  /** Drops the connection; `onClose` follows. */
  terminate(): void;
}

/** Opens a WebSocket (port). Implemented by `createCallbackSockets`; tests use an emulator in the same process. */
export type ConnectSocket = (
  target: { url: string; headers: Readonly<Record<string, string>> },
  handlers: SocketHandlers,
) => Socket;
