import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { CarriedElsewhere } from '#calls/live/streams/carried-elsewhere.js';
import type { LiveCall, LiveCalls, StreamRight } from '#calls/live/sessions/live-call.js';
import type { OutboundSocket } from '#outbound-http/socket.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { Resampling } from '#media/samples/resampler.js';
import type { StreamMessage } from '#media/protocols/stream-protocol.js';
import { InputRateLimit, MessageRateLimit, limitUnauthenticated } from '#ws/limits/rate-limits.js';
import { closingFor, truncateReason, TOO_MUCH, TOO_SLOW, type Closing } from '#ws/limits/closing.js';
import { Handshake, type HandshakeResult } from '#ws/opening/handshake.js';
import type { IncomingMessages, MessageReceiver, OutgoingMessages } from '#ws/messages/message-batches.js';
import type { Keepalive, WatchedPeer } from '#ws/limits/keepalive.js';
import { startRelay, type RawMessage } from '#ws/relaying/relay.js';
import { SocketLine } from '#ws/messages/socket-line.js';
import { callerIn, type StreamRequest } from '#ws/opening/stream-request.js';

/** Time for the peer to read everything that was sent, and to answer our close frame. */
const CLOSE_TIMEOUT_MS = 5_000;

/** A WebSocket whose request was accepted: what the request asks for, and the result of its checks. */
export interface AdmittedSocket {
  requested: StreamRequest;
  /** The right to carry a call; null if a token or key must come with the first message. */
  right: StreamRight | null;
  /** The TCP connection of the socket. */
  connection: Socket;
  /** Checks a credential from the first message. @throws Problem as `SocketAuthoriser.check` */
  check(credential: string): Promise<StreamRight>;
  /** Opens the same socket at the process with this address (host and port). */
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
 * Connects one WebSocket of a carrier or client to one call. Messages of the peer go to the call, audio and events of
 * the call go to the peer, and the end of the socket is reported to the call, once. If another process must carry the
 * call, the socket is relayed to it. `registerAudioSockets` makes one for each socket.
 *
 *     handshake → opening → live or relayed → over
 */
export class AudioSocket implements MessageReceiver {
  readonly #socket: WebSocket;
  readonly #admitted: AdmittedSocket;
  readonly #parts: AudioSocketContext;
  readonly #handshake: Handshake;
  /** The socket in the keepalive, which finds peers that have vanished. */
  readonly #watched: WatchedPeer;
  readonly #messageLimit: MessageRateLimit;
  #stage: 'handshake' | 'opening' | 'live' | 'relayed' | 'over' = 'handshake';
  #handshakeResult: HandshakeResult | null = null;
  /** The line to the peer; null before the call is opened. */
  #line: SocketLine | null = null;
  /** The call of the socket; null before it is opened. */
  #call: LiveCall | null = null;
  /** How the socket ended, for the call. */
  #cause: 'closed' | 'failure' = 'closed';
  #hasReportedDisconnect = false;
  /** Ends the limit on bytes of a socket whose credentials are not checked. */
  #stopLimitingBytes = () => {};
  /** The limit on typed turns, DTMF keys and interruptions. */
  readonly #inputLimit: InputRateLimit;
  /**
   * Messages for the call that came before it is open: the unread message of the handshake, and messages that were read
   * before the socket was paused.
   */
  readonly #earlyMessages: RawMessage[] = [];
  /** The messages of the handshake, which a relayed socket must repeat at the other process. */
  #handshakeMessages: RawMessage[] = [];
  /** Sends a message to the same socket at the process that has the call; set while the socket is relayed. */
  #sendToFar: (raw: RawMessage) => void = () => {};

  constructor(socket: WebSocket, admitted: AdmittedSocket, parts: AudioSocketContext) {
    this.#socket = socket;
    this.#admitted = admitted;
    this.#parts = parts;
    this.#inputLimit = new InputRateLimit(parts.clock);
    this.#messageLimit = new MessageRateLimit(socket, parts.clock);
    this.#watched = parts.keepalive.watch({ ping: () => socket.ping(), lost: () => this.#onLost() });
    this.#handshake = new Handshake(
      { format: admitted.requested.format, right: admitted.right },
      {
        clock: parts.clock,
        resampling: parts.resampling,
        onReady: (handshakeResult) => void this.#open(handshakeResult),
        onRefused: (closing) => this.#end(closing),
      },
    );
  }

  /** Starts reading. */
  begin(): void {
    const socket = this.#socket;
    const { incoming } = this.#parts;
    socket.on('message', (message, isBinary) => {
      this.#countMessage();
      incoming.add(this, message as Buffer, isBinary);
    });
    socket.on('ping', () => this.#countMessage());
    socket.on('pong', () => {
      this.#countMessage();
      this.#watched.alive();
    });
    socket.on('error', () => (this.#cause = 'failure'));
    socket.on('close', () => {
      incoming.flush();
      this.#onClosed();
    });
    if (this.#admitted.right?.kind !== 'principal') this.#limitBytes();
    this.#handshake.begin(this.#admitted.requested);
  }

  /** Limits the bytes of a socket whose credentials are not checked yet, or whose call could not be opened. */
  #limitBytes(): void {
    const { connection } = this.#admitted;
    this.#stopLimitingBytes = limitUnauthenticated(connection, () => {
      this.#end(TOO_MUCH);
      // Nothing more is read, not even an answer to our close frame.
      connection.destroySoon();
    });
  }

  /** Handles the peer's next message. */
  receive(message: Buffer, isBinary: boolean): void {
    this.#watched.alive();
    try {
      if (this.#stage === 'live')
        this.#handleMessage(this.#handshakeResult!.protocol.decode(message, isBinary));
      else if (this.#stage === 'opening') this.#earlyMessages.push({ message, isBinary });
      else if (this.#stage === 'relayed') this.#sendToFar({ message, isBinary });
      else if (this.#stage === 'handshake') {
        this.#handshakeMessages.push({ message, isBinary });
        this.#handshake.receive(message, isBinary);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Counts a message for the rate limit, which may pause the socket. In `opening` it is paused for another reason. */
  #countMessage(): void {
    if (this.#stage !== 'opening') this.#messageLimit.count();
  }

  /** Passes a message of the peer to the call. */
  #handleMessage(received: StreamMessage | null): void {
    const call = this.#call!;
    switch (received?.kind) {
      case 'audio':
        return call.hear(received.samples);
      case 'dtmf':
        return this.#inputLimit.take() ? call.press(received.digit) : undefined;
      case 'text':
        return this.#inputLimit.take() ? call.type(received.text) : undefined;
      case 'interrupt':
        return this.#inputLimit.take() ? call.interrupt() : undefined;
      case 'hangup':
      case 'stop':
        return call.hangUp();
      case 'ping':
        return this.#answerPing();
      case 'mark':
        return this.#line!.reached(received.name);
      // A repeated start, or a message that needs no answer.
      default:
    }
  }

  /** Answers a ping, unless the peer does not read: the answers would pile up. */
  #answerPing(): void {
    if (!this.#line!.keepsUp) return;
    this.#line!.sendText(this.#handshakeResult!.protocol.encodeEvent({ type: 'pong' }));
  }

  /** Opens the call after the handshake, and handles the messages that came meanwhile. */
  async #open(handshakeResult: HandshakeResult): Promise<void> {
    this.#stage = 'opening';
    this.#stopLimitingBytes();
    this.#handshakeResult = handshakeResult;
    if (handshakeResult.unread) this.#earlyMessages.push(handshakeResult.unread);
    // The end of a pause of the rate limit would resume reading too early.
    this.#messageLimit.cancelResume();
    this.#socket.pause();
    try {
      const call = await this.#openCall(handshakeResult);
      this.#call = call;
      if (this.#isOver()) return this.#reportDisconnect();
      this.#stage = 'live';
      for (const { message, isBinary } of this.#earlyMessages.splice(0)) this.receive(message, isBinary);
    } catch (error) {
      await this.#openElsewhere(error, handshakeResult).catch((refusal: unknown) => {
        this.#limitBytes();
        this.#fail(refusal);
      });
    }
    this.#handshakeMessages = [];
    this.#socket.resume();
  }

  /**
   * Relays the socket if its call must be carried by another process.
   * @throws `thrown`, if it has another cause, or the refusal of the other process
   */
  async #openElsewhere(thrown: unknown, { unread }: HandshakeResult): Promise<void> {
    if (!(thrown instanceof CarriedElsewhere)) throw thrown;
    const far = await this.#admitted.openAt(thrown.address).catch(async (refusal: unknown) => {
      await thrown.giveUp();
      throw refusal;
    });
    if (this.#isOver()) return far.close();
    this.#stage = 'relayed';
    this.#sendToFar = startRelay(this.#socket, far).toFar;
    // The unread message is the last of the handshake and the first of the early messages: it is sent once.
    const early = unread ? this.#earlyMessages.slice(1) : this.#earlyMessages;
    for (const raw of [...this.#handshakeMessages, ...early]) this.#sendToFar(raw);
    this.#earlyMessages.length = 0;
  }

  /** Opens the call of the socket. @throws CarriedElsewhere if another process must carry it */
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

  /** Closes the socket because of an error, with the close code of the error. */
  #fail(error: unknown): void {
    const closing = closingFor(error);
    // 1011 is an internal error.
    if (closing.code === 1011) this.#parts.log.error({ err: error }, 'audio socket failed');
    this.#end(closing, 'failure');
  }

  /** Closes the socket, after everything that was written has been sent. A failure is reported to the call at once. */
  #end(closing: Closing, cause: 'closed' | 'failure' = 'closed'): void {
    if (this.#isOver()) return;
    this.#stage = 'over';
    this.#cause = cause;
    this.#handshake.cancel();
    if (cause === 'failure') this.#reportDisconnect();
    // A paused socket would never read the peer's answer.
    this.#socket.resume();
    this.#parts.outgoing.flush();
    this.#socket.close(closing.code, truncateReason(closing.reason));
    const cancel = this.#parts.clock.after(CLOSE_TIMEOUT_MS, () => this.#socket.terminate());
    this.#socket.once('close', cancel);
  }

  /** The peer has vanished without closing the socket. */
  #onLost(): void {
    this.#cause = 'failure';
    this.#socket.terminate();
  }

  /** The socket is closed, by either side. */
  #onClosed(): void {
    this.#stage = 'over';
    this.#handshake.cancel();
    this.#watched.leave();
    this.#messageLimit.cancelResume();
    this.#reportDisconnect();
    this.#logDrops();
    this.#handshakeResult?.protocol.close?.();
  }

  /** Logs how many frames were dropped because the peer read too slowly, and how many inputs the rate limit refused. */
  #logDrops(): void {
    const { log } = this.#parts;
    const { droppedFrames = 0, sentFrames = 0 } = this.#line ?? {};
    const call_id = this.#call?.callId;
    if (droppedFrames > 0) {
      const counts = { dropped_frames: droppedFrames, sent_frames: sentFrames };
      log.warn({ call_id, ...counts }, 'an audio socket did not read fast enough');
    }
    const { refused } = this.#inputLimit;
    if (refused > 0)
      log.warn(
        { call_id, dropped_inputs: refused },
        'an audio socket exceeded the rate limit of typed turns',
      );
  }

  /** Reports the end of the socket to the call, once, as soon as there is a call. */
  #reportDisconnect(): void {
    if (this.#hasReportedDisconnect || this.#call === null) return;
    this.#hasReportedDisconnect = true;
    this.#call.disconnected(this.#cause);
  }

  #isOver(): boolean {
    return this.#stage === 'over';
  }
}
