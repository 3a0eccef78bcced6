import WebSocket from 'ws';
import type { PacingTimer } from '#media/pacing/pacing-timer.js';

/** The target of a stream, with headers and sub-protocol of the handshake. */
export interface StreamTarget {
  url: string;
  headers?: Readonly<Record<string, string>>;
  subProtocol?: string;
}

/** A WebSocket from a carrier to the service for a call's stream, from the connection to its one end. */
export abstract class CarrierStream<End> {
  readonly ended: Promise<End>;
  /** Resolves when the connection is open or has failed. */
  readonly settled: Promise<void>;
  readonly #socket: WebSocket;
  #resolveEnd: (end: End) => void = () => {};
  #leavePacingTimer: (() => void) | null = null;
  #isOver = false;

  protected constructor({ url, headers, subProtocol }: StreamTarget, pacingTimer: PacingTimer) {
    this.ended = new Promise((resolve) => (this.#resolveEnd = resolve));
    const options = { perMessageDeflate: false, closeTimeout: 2_000, headers: { ...headers } };
    this.#socket = new WebSocket(url, subProtocol ?? [], options);
    this.settled = new Promise((resolve) => {
      this.#socket.once('open', () => resolve());
      this.#socket.once('close', () => resolve());
    });
    this.#socket.on('open', () => {
      if (this.#isOver) return;
      this.begin();
      this.#leavePacingTimer = pacingTimer.join((due) => {
        for (let made = 0; made < due && !this.#isOver; made++) this.turn();
      });
    });
    this.#socket.on('message', (data: Buffer, isBinary) => {
      if (!this.#isOver) this.take(data, isBinary);
    });
    // An error is followed by `close`, which decides.
    this.#socket.on('error', () => {});
    this.#socket.on('close', (closeCode) => this.end(this.closed(closeCode)));
  }

  /** True if the service has accepted the connection. */
  get isOpen(): boolean {
    return this.#leavePacingTimer !== null;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The person presses a DTMF key. */
  abstract press(digit: string): void;

  /** The call is over, or continues elsewhere. */
  abstract stop(): void;

  /** Drops a socket whose peer does not answer the close. */
  terminate(): void {
    this.stop();
    this.#socket.terminate();
  }

  /** Sends the first messages once the connection is open. */
  protected abstract begin(): void;

  /** Called every 20 ms from then on. */
  protected abstract turn(): void;

  /** Takes a message of the service. */
  protected abstract take(data: Buffer, isBinary: boolean): void;

  /** Sends the last messages and frees resources. */
  protected abstract finish(): void;

  /** The end for a close code, also of a connection that never opened. */
  protected abstract closed(closeCode: number): End;

  /** Sends JSON, or audio in a binary frame, if the connection is open. */
  protected send(message: object): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    this.#socket.send(Buffer.isBuffer(message) ? message : JSON.stringify(message));
  }

  /** Only the first end counts. */
  protected end(end: End): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#leavePacingTimer?.();
    this.finish();
    if (this.isOpen) this.#socket.close(1000);
    else this.#socket.terminate();
    this.#resolveEnd(end);
  }
}
