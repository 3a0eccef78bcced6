import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { ConnectionHandlers, EmulatedServer, ServerSocket } from './emulated-sockets.js';

/** The emulator of a recogniser on loopback, for clients in other processes. */
export async function serveEmulator(emulated: EmulatedServer): Promise<{ url: string; close(): void }> {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.on('upgrade', (request, stream, head) => {
    const peer = new Peer(request);
    const accepted = emulated.accept(peer);
    if (typeof accepted === 'number') return refuse(stream, accepted);
    sockets.handleUpgrade(request, stream, head, (socket) => peer.begin(socket, accepted));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      for (const socket of sockets.clients) socket.terminate();
      server.close();
    },
  };
}

function refuse(stream: Duplex, status: number): void {
  stream.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
}

/** One client. What the emulator says before the handshake is over is said after it. */
class Peer implements ServerSocket {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly #early: string[] = [];
  #socket: WebSocket | null = null;

  constructor(request: IncomingMessage) {
    this.url = new URL(request.url ?? '', 'http://127.0.0.1');
    this.headers = request.headers as Record<string, string>;
  }

  begin(socket: WebSocket, handlers: ConnectionHandlers): void {
    this.#socket = socket;
    for (const text of this.#early.splice(0)) socket.send(text);
    socket.on('message', (data: Buffer, isBinary) => handlers.onMessage(isBinary ? data : data.toString()));
    socket.on('close', () => handlers.onClose());
  }

  send(message: unknown): void {
    const text = JSON.stringify(message);
    if (this.#socket) this.#socket.send(text);
    else this.#early.push(text);
  }

  close(code: number, reason?: string): void {
    this.#socket?.close(code, reason);
  }
}
