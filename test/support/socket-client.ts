import { once } from 'node:events';
import WebSocket, { type ClientOptions } from 'ws';

/** What a peer received, in order. */
export type Received = { binary: Buffer } | { text: string };

/** A real WebSocket client of an audio socket that keeps what it receives. */
export class SocketClient {
  readonly socket: WebSocket;
  readonly received: Received[] = [];
  /** Headers of the handshake response. */
  headers: Record<string, string | string[] | undefined> = {};
  readonly closed: Promise<{ code: number; reason: string }>;
  #onNews = () => {};

  private constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        this.#onNews();
        resolve({ code, reason: reason.toString() });
      });
    });
    socket.on('upgrade', (response) => (this.headers = response.headers));
    socket.on('message', (data, isBinary) => {
      const bytes = data as Buffer;
      this.received.push(isBinary ? { binary: bytes } : { text: bytes.toString() });
      this.#onNews();
    });
    socket.on('error', () => {});
  }

  /** Connects. @throws an error with the HTTP status if the server refuses */
  static async open(
    url: string,
    options: ClientOptions = {},
    protocols: string[] = [],
  ): Promise<SocketClient> {
    const socket = new WebSocket(url, protocols, { perMessageDeflate: false, ...options });
    const client = new SocketClient(socket);
    const refused = new Promise<never>((_resolve, reject) => {
      socket.once('unexpected-response', (_request, response) => {
        response.resume();
        reject(new Error(`HTTP ${response.statusCode}`));
      });
      socket.once('error', reject);
    });
    refused.catch(() => {});
    await Promise.race([once(socket, 'open'), refused]);
    return client;
  }

  say(message: unknown): void {
    this.socket.send(JSON.stringify(message));
  }

  get texts(): Record<string, unknown>[] {
    return this.received.flatMap((item) =>
      'text' in item ? [JSON.parse(item.text) as Record<string, unknown>] : [],
    );
  }

  /** All audio received so far, concatenated. */
  get sound(): Buffer {
    return Buffer.concat(this.received.flatMap((item) => ('binary' in item ? [item.binary] : [])));
  }

  /** Resolves when `isTrue` holds; checked on every message. */
  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise<void>((resolve) => (this.#onNews = resolve));
  }
}
