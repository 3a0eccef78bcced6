import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sleep, type Clock } from '#kernel/time/clock.js';

/** One answer of an emulated model. */
export interface ModelTurn {
  text?: readonly string[];
  calls?: readonly { id?: string; name: string; arguments: unknown }[];
  reasoning?: readonly string[];
  /** In the service's terms; by default derived from the rest. */
  finish?: string;
}

/** A refusal in the service's form. */
export interface Refused {
  status: number;
  body: string;
  headers?: Readonly<Record<string, string>>;
}

/** The behaviour of one service: its checks, framing and errors. */
export interface ModelDialect {
  /** Null if the service would accept the request. */
  refuse(request: ReceivedRequest): Refused | null;
  /** The events of an answer, each with its terminating blank line. */
  eventsOf(turn: ModelTurn, request: ReceivedRequest): string[];
  refused(status: number): Refused;
  /** An error in place of an event. */
  errorEvent(): string;
  /** An event with an unknown type and unknown fields. */
  unknownEvent(): string;
}

/** A request as it was received. */
export interface ReceivedRequest {
  /** Monotonic, by the emulator's clock. */
  atMs: number;
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  text: string;
  body: Record<string, unknown>;
  /** Settles when the connection is closed; true if the answer was complete. */
  closed: Promise<boolean>;
}

/** The reaction to one request; by default a whole answer at once. */
export interface AnswerScript {
  turn?: ModelTurn;
  refusal?: Refused;
  /** Replace those of the turn. */
  events?: readonly string[];
  contentType?: string;
  headersAfterMs?: number;
  firstAfterMs?: number;
  betweenMs?: number;
  /** Sends comments instead of an answer, at this interval. */
  commentEveryMs?: number;
  pieces?: 'events' | 'bytes' | 'one packet';
  /** Breaks the connection after this many events. */
  cut?: { after: number; by: 'fin' | 'rst' };
  /** Delays an event until the promise settles. */
  holds?: (event: string) => Promise<unknown> | undefined;
  /** Keeps the connection open after the last event. */
  staysOpen?: boolean;
}

/** An emulated language model service on loopback, with the service's checks and a script. */
export class ModelEmulator {
  readonly requests: ReceivedRequest[] = [];
  /** The reaction without a script. */
  usual: AnswerScript = { turn: { text: ['Hello.'] } };
  /** Above this many requests per minute: 429. */
  requestsPerMinute = Infinity;
  connections = 0;
  readonly #dialect: ModelDialect;
  readonly #clock: Clock;
  readonly #server: Server;
  readonly #scripts: AnswerScript[] = [];
  readonly #closing = new AbortController();
  #waiting: { count: number; resolve: () => void }[] = [];

  private constructor(dialect: ModelDialect, clock: Clock) {
    this.#dialect = dialect;
    this.#clock = clock;
    this.#server = createServer((request, response) => void this.#receive(request, response));
    this.#server.on('connection', () => (this.connections += 1));
  }

  static async open(dialect: ModelDialect, clock: Clock): Promise<ModelEmulator> {
    const emulator = new ModelEmulator(dialect, clock);
    await new Promise<void>((resolve) => emulator.#server.listen(0, '127.0.0.1', resolve));
    return emulator;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  get last(): ReceivedRequest {
    return this.requests.at(-1)!;
  }

  /** Sets the reactions to the next requests, one script each. */
  next(...scripts: AnswerScript[]): void {
    this.#scripts.push(...scripts);
  }

  /** Resolves after this many requests. */
  received(count: number): Promise<void> {
    if (this.requests.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const piece of incoming.setEncoding('utf8')) text += piece;
    const request = this.#record(incoming, response, text);
    if (incoming.method === 'GET') return void response.end('{"data":[]}');
    const script = this.#scripts.shift() ?? this.usual;
    await this.#pause(script.headersAfterMs);
    const refusal = script.refusal ?? this.#overload() ?? this.#dialect.refuse(request);
    if (refusal !== null) return refuse(response, refusal);
    response.writeHead(200, { 'content-type': script.contentType ?? 'text/event-stream' });
    response.flushHeaders();
    await this.#answer(script, request, response);
  }

  #record(incoming: IncomingMessage, response: ServerResponse, text: string): ReceivedRequest {
    const request: ReceivedRequest = {
      atMs: this.#clock.monotonicMs(),
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers as Record<string, string>,
      text,
      body: parsed(text),
      closed: new Promise((resolve) => response.on('close', () => resolve(response.writableFinished))),
    };
    this.requests.push(request);
    this.#waiting = this.#waiting.filter(({ count, resolve }) => {
      if (this.requests.length >= count) resolve();
      return this.requests.length < count;
    });
    return request;
  }

  /** No delay at all does not wait for a fake clock. */
  async #pause(delayMs = 0): Promise<void> {
    if (delayMs > 0) await sleep(this.#clock, delayMs, this.#closing.signal);
  }

  #overload(): Refused | null {
    const sinceMs = this.#clock.monotonicMs() - 60_000;
    const recent = this.requests.filter(({ atMs }) => atMs > sinceMs).length;
    return recent > this.requestsPerMinute ? this.#dialect.refused(429) : null;
  }

  async #answer(script: AnswerScript, request: ReceivedRequest, response: ServerResponse): Promise<void> {
    const { commentEveryMs, firstAfterMs = 0, betweenMs = 0, cut } = script;
    while (commentEveryMs !== undefined && !response.destroyed && !this.#closing.signal.aborted) {
      response.write(': still here\n\n');
      await this.#pause(commentEveryMs);
    }
    const events = script.events ?? this.#dialect.eventsOf(script.turn ?? { text: ['Hello.'] }, request);
    const shown = cut === undefined ? events : events.slice(0, cut.after);
    await this.#pause(firstAfterMs);
    for (const packet of packets(shown, script.pieces ?? 'events')) {
      await script.holds?.(packet.toString());
      if (response.destroyed) return;
      await new Promise<void>((resolve) => response.write(packet, () => resolve()));
      await this.#pause(betweenMs);
    }
    if (script.staysOpen) return;
    if (cut?.by === 'rst') response.socket?.resetAndDestroy();
    else if (cut?.by === 'fin') response.socket?.end();
    else response.end();
  }
}

function refuse(response: ServerResponse, { status, body, headers = {} }: Refused): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}

function packets(events: readonly string[], pieces: NonNullable<AnswerScript['pieces']>): Buffer[] {
  const whole = Buffer.from(events.join(''));
  if (pieces === 'one packet') return whole.length === 0 ? [] : [whole];
  if (pieces === 'bytes') return Array.from(whole, (byte) => Buffer.of(byte));
  return events.map((event) => Buffer.from(event));
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
