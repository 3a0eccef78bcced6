import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { CarriedElsewhere } from '#calls/live/streams/carried-elsewhere.js';
import type { LiveCall, LiveCalls, StreamRight } from '#calls/live/sessions/live-call.js';
import type { OutboundSocket } from '#outbound-http/socket.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { Resampling } from '#media/samples/resampler.js';
import type { StreamMessage } from '#media/protocols/stream-protocol.js';
import { TurnRateLimit, MessageRateLimit, limitUnauthenticated } from '#ws/limits/rate-limits.js';
import { closingFor, truncateReason, TOO_MUCH, TOO_SLOW, type Closing } from '#ws/limits/closing.js';
import { Handshake, type HandshakeResult } from '#ws/opening/handshake.js';
import type { IncomingMessages, MessageReceiver, OutgoingMessages } from '#ws/messages/message-batches.js';
import type { Keepalive, Watched } from '#ws/limits/keepalive.js';
import { passOn, type RawMessage } from '#ws/relaying/relay.js';
import { SocketLine } from '#ws/messages/socket-line.js';
import { callerIn, type StreamRequest } from '#ws/opening/stream-request.js';

/** How long the peer may take to read the rest and answer our close frame. */
const CLOSE_TIMEOUT_MS = 5_000;

/** An accepted socket. */
export interface Admitted {
  requested: StreamRequest;
  /** Null: a token must come with the first message. */
  right: StreamRight | null;
  /** The TCP connection of the socket. */
  connection: Socket;
  /** Checks a credential from the first message. @throws Problem as `SocketAuthoriser.check` */
  check(credential: string): Promise<StreamRight>;
  /** Opens the same socket at another process (host and port). */
  openAt(address: string): Promise<OutboundSocket>;
}

/** Context that all audio sockets share. */
export interface AudioSocketContext {
  calls: LiveCalls;
  clock: Clock;
  log: Log;
  keepalive: Keepalive;
  incoming: IncomingMessages;
  outgoing: OutgoingMessages;
  resampling: Resampling;
}

/**
 * Connects one socket to one call: messages of the peer go to the call, audio of the call goes to the peer, and the
 * end of the socket is reported to the call, once.
 *
 *     handshake → opening → live → over
 */
export class AudioSocket implements MessageReceiver {
  readonly #socket: WebSocket;
  readonly #admitted: Admitted;
  readonly #parts: AudioSocketContext;
  readonly #handshake: Handshake;
  readonly #watched: Watched;
  readonly #messageLimit: MessageRateLimit;
  #stage: 'handshake' | 'opening' | 'live' | 'relayed' | 'over' = 'handshake';
  #handshakeResult: HandshakeResult | null = null;
  #line: SocketLine | null = null;
  #call: LiveCall | null = null;
  #cause: 'closed' | 'failure' = 'closed';
  #isTold = false;
  #liftLimit = () => {};
  readonly #turnLimit: TurnRateLimit;
  /** Messages received while the call is opened. The socket is paused then, so these were already under way. */
  readonly #early: RawMessage[] = [];
  /** The first messages, for the process that the socket is passed on to. */
  #introduction: RawMessage[] = [];
  #toFar: (raw: RawMessage) => void = () => {};

  constructor(socket: WebSocket, admitted: Admitted, parts: AudioSocketContext) {
    this.#socket = socket;
    this.#admitted = admitted;
    this.#parts = parts;
    this.#turnLimit = new TurnRateLimit(parts.clock);
    this.#messageLimit = new MessageRateLimit(socket, parts.clock);
    this.#watched = parts.keepalive.watch({ ping: () => socket.ping(), lost: () => this.#lost() });
    this.#handshake = new Handshake(
      { format: admitted.requested.format, right: admitted.right },
      {
        clock: parts.clock,
        resampling: parts.resampling,
        onReady: (introduction) => void this.#open(introduction),
        onRefused: (closing) => this.#end(closing),
      },
    );
  }

  /** Starts reading. */
  begin(): void {
    const socket = this.#socket;
    const { incoming } = this.#parts;
    socket.on('message', (message, isBinary) => {
      this.#count();
      incoming.add(this, message as Buffer, isBinary);
    });
    socket.on('ping', () => this.#count());
    socket.on('pong', () => {
      this.#count();
      this.#watched.alive();
    });
    socket.on('error', () => (this.#cause = 'failure'));
    socket.on('close', () => {
      incoming.flush();
      this.#gone();
    });
    if (this.#admitted.right?.kind !== 'principal') this.#limit();
    this.#handshake.begin(this.#admitted.requested);
  }

  #limit(): void {
    const { connection } = this.#admitted;
    this.#liftLimit = limitUnauthenticated(connection, () => {
      this.#end(TOO_MUCH);
      // Nothing more is read, not even an answer to our close frame.
      connection.destroySoon();
    });
  }

  /** Handles the peer's next message. */
  receive(message: Buffer, isBinary: boolean): void {
    this.#watched.alive();
    try {
      if (this.#stage === 'live') this.#pass(this.#handshakeResult!.protocol.decode(message, isBinary));
      else if (this.#stage === 'opening') this.#early.push({ message, isBinary });
      else if (this.#stage === 'relayed') this.#toFar({ message, isBinary });
      else if (this.#stage === 'handshake') {
        this.#introduction.push({ message, isBinary });
        this.#handshake.receive(message, isBinary);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  /** A socket in `opening` is paused, and must stay so until the call is open. */
  #count(): void {
    if (this.#stage !== 'opening') this.#messageLimit.count();
  }

  #pass(said: StreamMessage | null): void {
    const call = this.#call!;
    switch (said?.kind) {
      case 'audio':
        return call.hear(said.samples);
      case 'dtmf':
        return this.#turnLimit.take() ? call.press(said.digit) : undefined;
      case 'text':
        return this.#turnLimit.take() ? call.type(said.text) : undefined;
      case 'interrupt':
        return this.#turnLimit.take() ? call.interrupt() : undefined;
      case 'hangup':
      case 'stop':
        return call.hangUp();
      case 'ping':
        return this.#answerPing();
      case 'mark':
        return this.#line!.reached(said.name);
      // A repeated start, or a message that needs no answer.
      default:
    }
  }

  /** A peer that pings without reading gets no answers, which would pile up. */
  #answerPing(): void {
    if (!this.#line!.keepsUp) return;
    this.#line!.sendText(this.#handshakeResult!.protocol.encodeEvent({ type: 'pong' }));
  }

  async #open(handshakeResult: HandshakeResult): Promise<void> {
    this.#stage = 'opening';
    this.#liftLimit();
    this.#handshakeResult = handshakeResult;
    if (handshakeResult.unread) this.#early.push(handshakeResult.unread);
    // A pending pause of the rate limit would resume reading too early.
    this.#messageLimit.stop();
    this.#socket.pause();
    try {
      const call = await this.#openCall(handshakeResult);
      this.#call = call;
      if (this.#isOver()) return this.#tell();
      this.#stage = 'live';
      for (const { message, isBinary } of this.#early.splice(0)) this.receive(message, isBinary);
    } catch (error) {
      await this.#openElsewhere(error, handshakeResult).catch((refusal: unknown) => {
        this.#limit();
        this.#fail(refusal);
      });
    }
    this.#introduction = [];
    this.#socket.resume();
  }

  /** Passes the socket on to the process that has to have its call. @throws what was thrown, where that is not why */
  async #openElsewhere(thrown: unknown, { unread }: HandshakeResult): Promise<void> {
    if (!(thrown instanceof CarriedElsewhere)) throw thrown;
    const far = await this.#admitted.openAt(thrown.address).catch(async (refusal: unknown) => {
      await thrown.giveUp();
      throw refusal;
    });
    if (this.#isOver()) return far.close();
    this.#stage = 'relayed';
    this.#toFar = passOn(this.#socket, far).toFar;
    const early = unread ? this.#early.slice(1) : this.#early;
    for (const raw of [...this.#introduction, ...early]) this.#toFar(raw);
    this.#early.length = 0;
  }

  async #openCall({ protocol, right, providerCallId, parameters }: HandshakeResult): Promise<LiveCall> {
    const caller = callerIn(parameters, this.#admitted.requested.caller);
    const line = new SocketLine(this.#socket, protocol, {
      ...this.#parts,
      onStuck: () => this.#end(TOO_SLOW, 'failure'),
    });
    this.#line = line;
    return this.#parts.calls.open({
      right: right.kind === 'unchecked' ? await this.#admitted.check(right.credential) : right,
      agentId: this.#admitted.requested.agentId,
      providerCallId,
      caller,
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

  /** Closes the socket after sending what was written. */
  #end(closing: Closing, cause: 'closed' | 'failure' = 'closed'): void {
    if (this.#isOver()) return;
    this.#stage = 'over';
    this.#cause = cause;
    this.#handshake.cancel();
    if (cause === 'failure') this.#tell();
    // A paused socket would never read the peer's answer.
    this.#socket.resume();
    this.#parts.outgoing.flush();
    this.#socket.close(closing.code, truncateReason(closing.reason));
    const cancel = this.#parts.clock.after(CLOSE_TIMEOUT_MS, () => this.#socket.terminate());
    this.#socket.once('close', cancel);
  }

  #lost(): void {
    this.#cause = 'failure';
    this.#socket.terminate();
  }

  #gone(): void {
    this.#stage = 'over';
    this.#handshake.cancel();
    this.#watched.leave();
    this.#messageLimit.stop();
    this.#tell();
    this.#tellLog();
    this.#handshakeResult?.protocol.close?.();
  }

  #tellLog(): void {
    const { log } = this.#parts;
    const { droppedFrames = 0, sentFrames = 0 } = this.#line ?? {};
    const call_id = this.#call?.callId;
    if (droppedFrames > 0) {
      const counts = { dropped_frames: droppedFrames, sent_frames: sentFrames };
      log.warn({ call_id, ...counts }, 'an audio socket did not read fast enough');
    }
    const { refused } = this.#turnLimit;
    if (refused > 0)
      log.warn(
        { call_id, dropped_inputs: refused },
        'an audio socket exceeded the rate limit of typed turns',
      );
  }

  /** Reports the end of the socket to the call, once, as soon as there is a call. */
  #tell(): void {
    if (this.#isTold || this.#call === null) return;
    this.#isTold = true;
    this.#call.disconnected(this.#cause);
  }

  #isOver(): boolean {
    return this.#stage === 'over';
  }
}
