import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { sleep, type Clock } from '#kernel/time/clock.js';

/** A refusal in the vendor's form. */
export interface Refused {
  status: number;
  body: string;
  headers?: Readonly<Record<string, string>>;
}

/** A received HTTP request or socket message. */
export interface Received {
  /** Monotonic, by the emulator's clock. */
  atMs: number;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: Record<string, unknown>;
  /** For a request: settles when its connection is closed; true if the answer was complete. */
  closed: Promise<boolean>;
}

/** The reaction to one sentence; by default all of it at once. */
export interface SentenceScript {
  refusal?: Refused;
  /** Answers with something other than audio. */
  answer?: { type: string; body: string };
  firstAfterMs?: number;
  betweenMs?: number;
  /** The sizes of audio chunks; default 1280. */
  pieceBytes?: readonly number[];
  /** Stops after this many pieces: the connection breaks, ends, or stays open silently. */
  after?: { pieces: number; by: 'rst' | 'fin' | 'stall' | { code: number; reason: string } };
  /** Sent before the audio: unknown types, comments, old audio. */
  before?: readonly (string | Buffer)[];
  /** Sends a vendor error instead of the first piece. */
  error?: true;
}

/** The behaviour of one vendor: its checks, and its handling of a sentence. */
export interface VoiceDialect {
  /** Null if the vendor would accept the request or handshake. */
  refuse(request: Received): Refused | null;
  /** The vendor's refusal with a status. */
  refused(status: number): Refused;
  /** The whole audio of a sentence over HTTP, in pieces. */
  overHttp?(request: Received, pieces: readonly number[]): { type: string; pieces: (string | Buffer)[] };
  /** The list of voices, if the path asks for it. */
  list?(path: string): unknown;
  /** The vendor's reaction to a socket message; null if it has none yet. */
  overSocket?(message: Record<string, unknown>, socket: SocketState): SocketAnswer | null;
  errorEvent?(context: string): string;
}

/** The vendor's state of one socket. */
export interface SocketState {
  query: URLSearchParams;
  path: string;
  /** Text that waits to be spoken. */
  open: Map<string, string>;
  cancelled: Set<string>;
}

/** The messages of a sentence; those before the end may be cut, delayed or omitted. */
export interface SocketAnswer {
  context: string;
  pieces: (string | Buffer)[][];
  end: (string | Buffer)[];
  pieceBytes?: readonly number[];
}

const USUAL_PIECE_BYTES = 1_280;

/** Cuts bytes into pieces of these sizes in turn; the last size is used for the rest. */
export function cutInto(bytes: Buffer, sizes: readonly number[] = [USUAL_PIECE_BYTES]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0, index = 0; at < bytes.length; index += 1) {
    const size = sizes[Math.min(index, sizes.length - 1)]!;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

/** An emulated voice vendor on loopback, with the vendor's checks and a script. */
export class VoiceEmulator {
  /** Every request and message, in order. */
  readonly received: Received[] = [];
  /** Open sockets. */
  readonly sockets = new Set<WebSocket>();
  handshakes = 0;
  usual: SentenceScript = {};
  /** A socket without a message for this time is closed, as by the vendor. */
  idleMs = Infinity;
  idleClose = { code: 1000, reason: 'connection idle timeout' };
  /** How much later than its script said each first sound was sent, in milliseconds: on a busy machine it is late. */
  readonly latenessMs: number[] = [];
  readonly #dialect: VoiceDialect;
  readonly #clock: Clock;
  readonly #server: Server;
  readonly #webSockets = new WebSocketServer({ noServer: true });
  readonly #scripts: SentenceScript[] = [];
  readonly #closing = new AbortController();

  private constructor(dialect: VoiceDialect, clock: Clock) {
    this.#dialect = dialect;
    this.#clock = clock;
    // Each sentence that waits listens.
    setMaxListeners(0, this.#closing.signal);
    this.#server = createServer((request, response) => void this.#receive(request, response));
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  static async open(dialect: VoiceDialect, clock: Clock): Promise<VoiceEmulator> {
    const emulator = new VoiceEmulator(dialect, clock);
    await new Promise<void>((resolve) => emulator.#server.listen(0, '127.0.0.1', resolve));
    return emulator;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get last(): Received {
    return this.received.at(-1)!;
  }

  /** Sets the reactions to the next sentences, one script each. */
  next(...scripts: SentenceScript[]): void {
    this.#scripts.push(...scripts);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const socket of this.sockets) socket.terminate();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const piece of incoming.setEncoding('utf8')) text += piece;
    const closed = new Promise<boolean>((resolve) =>
      response.on('close', () => resolve(response.writableFinished)),
    );
    const request = this.#note(
      incoming,
      text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      closed,
    );
    const listed = incoming.method === 'GET' ? this.#dialect.list?.(request.path) : undefined;
    const script = listed === undefined ? (this.#scripts.shift() ?? this.usual) : {};
    const refusal = script.refusal ?? this.#dialect.refuse(request);
    if (refusal) return refuse(response, refusal);
    if (listed !== undefined) return void response.end(JSON.stringify(listed));
    if (script.answer) {
      response.setHeader('content-type', script.answer.type);
      return void response.end(script.answer.body);
    }
    const answer = this.#dialect.overHttp!(request, script.pieceBytes ?? [USUAL_PIECE_BYTES]);
    response.writeHead(200, { 'content-type': answer.type });
    response.flushHeaders();
    await this.#pauseUntilFirst(request.atMs, script.firstAfterMs);
    const { after } = script;
    for (const [index, piece] of answer.pieces.entries()) {
      if (after?.pieces === index) return end(response, after.by);
      if (response.destroyed) return;
      await new Promise<void>((resolve) => response.write(piece, () => resolve()));
      await this.#pause(script.betweenMs);
    }
    response.end();
  }

  #upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.handshakes += 1;
    const request = this.#note(incoming, {}, Promise.resolve(true));
    const [script] = this.#scripts;
    const refusal = this.#dialect.refuse(request) ?? (script ?? this.usual).refusal;
    if (refusal) {
      if (script?.refusal) this.#scripts.shift();
      const { status, body } = refusal;
      socket.end(
        `HTTP/1.1 ${status} Refused\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
      );
      return;
    }
    this.#webSockets.handleUpgrade(incoming, socket, head, (webSocket) => this.#serve(webSocket, request));
  }

  #serve(socket: WebSocket, { path, headers }: Received): void {
    this.sockets.add(socket);
    const state: SocketState = {
      path,
      query: new URLSearchParams(path.split('?')[1] ?? ''),
      open: new Map(),
      cancelled: new Set(),
    };
    let cancelIdle = () => {};
    const arm = () => {
      cancelIdle();
      if (this.idleMs === Infinity) return;
      const { code, reason } = this.idleClose;
      cancelIdle = this.#clock.after(this.idleMs, () => socket.close(code, reason));
    };
    socket.on('close', () => {
      cancelIdle();
      this.sockets.delete(socket);
    });
    socket.on('message', (data: Buffer) => {
      arm();
      const message = JSON.parse(data.toString()) as Record<string, unknown>;
      const { atMs } = this.#push(path, headers, message, Promise.resolve(true));
      const answer = this.#dialect.overSocket?.(message, state) ?? null;
      if (answer) void this.#answer(socket, answer, state, atMs);
    });
    arm();
  }

  async #answer(socket: WebSocket, answer: SocketAnswer, state: SocketState, atMs: number): Promise<void> {
    const script = this.#scripts.shift() ?? this.usual;
    const { after } = script;
    await this.#pauseUntilFirst(atMs, script.firstAfterMs);
    for (const message of script.before ?? []) socket.send(message);
    if (script.error) return socket.send(this.#dialect.errorEvent!(answer.context));
    for (const [index, piece] of answer.pieces.entries()) {
      if (after?.pieces === index) return endSocket(socket, after.by);
      // A cancelled generation still sends one piece that is in progress.
      for (const message of piece) socket.send(message);
      if (state.cancelled.has(answer.context)) break;
      await this.#pause(script.betweenMs);
    }
    for (const message of answer.end) socket.send(message);
  }

  #note(incoming: IncomingMessage, body: Record<string, unknown>, closed: Promise<boolean>): Received {
    return this.#push(incoming.url ?? '', incoming.headers as Record<string, string>, body, closed);
  }

  #push(
    path: string,
    headers: Readonly<Record<string, string>>,
    body: Record<string, unknown>,
    closed: Promise<boolean>,
  ): Received {
    const received = { atMs: this.#clock.monotonicMs(), path, headers, body, closed };
    this.received.push(received);
    return received;
  }

  /** Waits from the request on, so that making the audio takes none of the sentence's time. */
  async #pauseUntilFirst(requestAtMs: number, delayMs = 0): Promise<void> {
    const passedMs = () => this.#clock.monotonicMs() - requestAtMs;
    await this.#pause(Math.max(0, delayMs - passedMs()));
    this.latenessMs.push(passedMs() - delayMs);
  }

  /** No delay at all does not wait for a fake clock. */
  async #pause(delayMs = 0): Promise<void> {
    if (delayMs > 0) await sleep(this.#clock, delayMs, this.#closing.signal);
    // Gives the consumer time to read a piece before the next one.
    else await new Promise((resolve) => setImmediate(resolve));
  }
}

function refuse(response: ServerResponse, { status, body, headers = {} }: Refused): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}

type Ending = NonNullable<SentenceScript['after']>['by'];

function end(response: ServerResponse, by: Ending): void {
  if (by === 'rst') response.socket?.resetAndDestroy();
  else if (by !== 'stall') response.socket?.end();
}

function endSocket(socket: WebSocket, by: Ending): void {
  if (by === 'rst' || by === 'fin') socket.terminate();
  else if (by !== 'stall') socket.close(by.code, by.reason);
}
