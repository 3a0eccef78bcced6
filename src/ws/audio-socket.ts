import type { WebSocket } from 'ws';
import type { LiveCall, LiveCalls, StreamRight } from '../calls/live-call.js';
import type { Clock } from '../kernel/clock.js';
import type { Log } from '../kernel/log.js';
import type { StreamMessage } from '../media/stream-protocol.js';
import { closingFor, fit, TOO_SLOW, type Closing } from './closing.js';
import type { Gatekeeper } from './gatekeeper.js';
import { Hello, type Introduction } from './hello.js';
import type { Keepalive, Watched } from './keepalive.js';
import { SocketLine } from './socket-line.js';
import type { StreamWish } from './stream-request.js';

/** How long the peer may take to read what is left and to answer our close frame. */
const FAREWELL_MS = 5_000;

/** What all audio sockets share. */
export interface AudioSocketParts {
  calls: LiveCalls;
  clock: Clock;
  log: Log;
  gatekeeper: Gatekeeper;
  keepalive: Keepalive;
}

/**
 * Binds one socket to one call and nothing more: what the peer says goes to the call, what the call says goes to the
 * peer, and when the socket is gone the call is told, once.
 *
 *     hello → opening → live → over
 */
export class AudioSocket {
  readonly #socket: WebSocket;
  readonly #wish: StreamWish;
  readonly #parts: AudioSocketParts;
  readonly #hello: Hello;
  readonly #watched: Watched;
  #stage: 'hello' | 'opening' | 'live' | 'over' = 'hello';
  #introduction: Introduction | null = null;
  #line: SocketLine | null = null;
  #call: LiveCall | null = null;
  #cause: 'closed' | 'failure' = 'closed';
  #isTold = false;
  /** What came while the call was being opened. The socket is paused then: this is only what was under way. */
  readonly #early: { message: Buffer; isBinary: boolean }[] = [];

  constructor(socket: WebSocket, wish: StreamWish, right: StreamRight | null, parts: AudioSocketParts) {
    this.#socket = socket;
    this.#wish = wish;
    this.#parts = parts;
    this.#watched = parts.keepalive.watch({ ping: () => socket.ping(), lost: () => this.#lost() });
    this.#hello = new Hello(
      { format: wish.format, right },
      {
        clock: parts.clock,
        onReady: (introduction) => void this.#open(introduction),
        onRefused: (closing) => this.#end(closing),
      },
    );
  }

  /** Starts to listen. */
  begin(): void {
    const socket = this.#socket;
    socket.on('message', (message, isBinary) => this.#receive(message as Buffer, isBinary));
    socket.on('pong', () => this.#watched.alive());
    socket.on('error', () => (this.#cause = 'failure'));
    socket.on('close', () => this.#gone());
    this.#hello.begin(this.#wish.isPlain);
  }

  #receive(message: Buffer, isBinary: boolean): void {
    this.#watched.alive();
    try {
      if (this.#stage === 'live') this.#pass(this.#introduction!.protocol.decode(message, isBinary));
      else if (this.#stage === 'opening') this.#early.push({ message, isBinary });
      else if (this.#stage === 'hello') this.#hello.receive(message, isBinary);
    } catch (error) {
      this.#fail(error);
    }
  }

  #pass(said: StreamMessage | null): void {
    const call = this.#call!;
    switch (said?.kind) {
      case 'audio':
        return call.hear(said.samples);
      case 'dtmf':
        return call.press(said.digit);
      case 'text':
        return call.type(said.text);
      case 'interrupt':
        return call.interrupt();
      case 'hangup':
      case 'stop':
        return call.hangUp();
      case 'ping':
        return this.#line!.sendText(this.#introduction!.protocol.encodeEvent({ type: 'pong' }));
      case 'mark':
        return this.#line!.reached(said.name);
      // A second start, or something that needs no answer.
      default:
    }
  }

  async #open(introduction: Introduction): Promise<void> {
    this.#stage = 'opening';
    this.#introduction = introduction;
    if (introduction.unread) this.#early.push(introduction.unread);
    this.#socket.pause();
    try {
      const call = await this.#openCall(introduction);
      this.#call = call;
      if (this.#isOver()) return this.#tell();
      this.#stage = 'live';
      for (const { message, isBinary } of this.#early.splice(0)) this.#receive(message, isBinary);
    } catch (error) {
      this.#fail(error);
    }
    this.#socket.resume();
  }

  async #openCall({ protocol, right, providerCallId }: Introduction): Promise<LiveCall> {
    const line = new SocketLine(this.#socket, protocol, {
      clock: this.#parts.clock,
      onStuck: () => this.#end(TOO_SLOW, 'failure'),
    });
    this.#line = line;
    return this.#parts.calls.open({
      right: right.kind === 'unchecked' ? await this.#parts.gatekeeper.check(right.credential) : right,
      agentId: this.#wish.agentId,
      providerCallId,
      line,
      notify: (event) => line.sendText(protocol.encodeEvent(event)),
      close: (code, reason) => this.#end({ code, reason }),
    });
  }

  #fail(error: unknown): void {
    const closing = closingFor(error);
    if (closing.code === 1011) this.#parts.log.error({ err: error }, 'audio socket failed');
    this.#end(closing, 'failure');
  }

  /** Our side is done: what was sent still leaves, then the socket closes. */
  #end(closing: Closing, cause: 'closed' | 'failure' = 'closed'): void {
    if (this.#isOver()) return;
    this.#stage = 'over';
    this.#cause = cause;
    this.#hello.cancel();
    if (cause === 'failure') this.#tell();
    // A paused socket would never read the peer's answer.
    this.#socket.resume();
    this.#socket.close(closing.code, fit(closing.reason));
    const cancel = this.#parts.clock.after(FAREWELL_MS, () => this.#socket.terminate());
    this.#socket.once('close', cancel);
  }

  #lost(): void {
    this.#cause = 'failure';
    this.#socket.terminate();
  }

  #gone(): void {
    this.#stage = 'over';
    this.#hello.cancel();
    this.#watched.leave();
    this.#tell();
    const line = this.#line;
    if (!line || line.droppedFrames === 0) return;
    this.#parts.log.warn(
      { call_id: this.#call?.callId, dropped_frames: line.droppedFrames, sent_frames: line.sentFrames },
      'an audio socket did not read fast enough',
    );
  }

  /** Tells the call that its socket is gone, as soon as there is a call, and only once. */
  #tell(): void {
    if (this.#isTold || this.#call === null) return;
    this.#isTold = true;
    this.#call.disconnected(this.#cause);
  }

  #isOver(): boolean {
    return this.#stage === 'over';
  }
}
