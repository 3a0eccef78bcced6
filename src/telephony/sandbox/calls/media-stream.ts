import WebSocket from 'ws';
import { decodeUlaw, encodeUlaw, ULAW_SILENCE } from '#media/samples/g711.js';
import type { PacingTimer } from '#media/pacing/pacing-timer.js';
import type { StreamInstruction } from '#telephony/port/carrier.js';
import { createBadConnection } from './bad-connection.js';
import { SimulatedCallee } from '#telephony/sandbox/callees/simulated-callee.js';
import { FRAME_SAMPLES } from '#telephony/sandbox/sound/sandbox-frames.js';
import { createNoiseMixer, type NoiseMixer } from '#telephony/sandbox/sound/line-noise.js';
import { MediaMessages, readServiceMessage, type ServiceMessage } from './media-messages.js';
import type { Persona } from '#telephony/sandbox/personas/persona.js';
import { Playout } from '#telephony/sandbox/sound/playout.js';
import type { CalleeAudio } from '#telephony/sandbox/callees/callee-audio.js';

/** The end of a stream: the side that hung up (null if neither did), and the network's code (null for a usual end). */
export interface StreamEnd {
  hungUpBy: 'customer' | 'agent' | null;
  code: string | null;
}

/** Twilio's codes for a stream that could not be opened, and for an invalid message. */
const CANNOT_CONNECT = '31920';
const BAD_MESSAGE = '31924';
/** Compression would cost time for audio that hardly shrinks; the timeouts are in milliseconds. */
const SOCKET_OPTIONS = { perMessageDeflate: false, handshakeTimeout: 10_000, closeTimeout: 2_000 };
/**
 * If more bytes than this wait to be sent, frames are dropped: a service that does not read loses audio, as on a real
 * line.
 */
const BUFFERED_LIMIT_BYTES = 64 * 1024;
/** WebSocket close codes (RFC 6455, 7.4.1). */
const NORMAL_CLOSURE = 1000;
const NO_CLOSE_FRAME = 1006;
/** A frame of silence. */
const SILENT_PAYLOAD = Buffer.alloc(FRAME_SAMPLES, ULAW_SILENCE).toString('base64');

/**
 * The audio of one sandbox call: streams a simulated callee to the service and back over a WebSocket, as a carrier's
 * media gateway does. Used by `NetworkCall`.
 */
export class MediaStream {
  readonly #socket: WebSocket;
  readonly #messages: MediaMessages;
  readonly #streamSid: string;
  readonly #callee: SimulatedCallee;
  readonly #playout: Playout;
  readonly #onEnd: (end: StreamEnd) => void;
  /** The frame that the callee hears; reused for every frame. */
  readonly #heard = new Int16Array(FRAME_SAMPLES);
  /** The encoded frame of the callee's audio; reused for every frame. */
  readonly #payload = Buffer.alloc(FRAME_SAMPLES);
  /** Sends an audio frame, over a bad connection if the persona has one. Other messages do not pass through it. */
  readonly #passFrame: (message: string) => void;
  /** Adds noise; null on a line without noise, and until the noise is made. */
  #noiseMixer: NoiseMixer | null = null;
  /** Stops the pacing of frames; null until the socket has opened. */
  #leaveTimer: (() => void) | null = null;
  #isOver = false;
  /** What a hang-up of the callee does: ends the stream; after a transfer, the second leg. */
  #onCalleeHangUp = () => this.#end({ hungUpBy: 'customer', code: null });

  constructor(
    call: { instruction: StreamInstruction; streamSid: string; providerCallId: string; persona: Persona },
    parts: { pacingTimer: PacingTimer; calleeAudio: CalleeAudio },
    onEnd: (end: StreamEnd) => void,
  ) {
    this.#streamSid = call.streamSid;
    this.#onEnd = onEnd;
    this.#messages = new MediaMessages(call.streamSid, call.providerCallId);
    this.#playout = new Playout((name) => this.#send(this.#messages.mark(name)));
    this.#callee = new SimulatedCallee(call.persona, parts.calleeAudio, {
      sendDigit: (digit) => this.#send(this.#messages.dtmf(digit)),
      hangUp: () => this.#onCalleeHangUp(),
    });
    this.#passFrame = this.#frameSender(call.persona);
    void this.#openNoise(call.persona, parts.calleeAudio);
    this.#socket = new WebSocket(call.instruction.url, SOCKET_OPTIONS);
    this.#socket.on('open', () => this.#start(call.instruction, parts.pacingTimer));
    this.#socket.on('message', (data, isBinary) => this.#onMessage(isBinary ? null : textOf(data)));
    // `close` always follows an error and decides; without a listener the error would end the process.
    this.#socket.on('error', () => {});
    this.#socket.on('close', (closeCode) => this.#end(endOf(closeCode, this.#leaveTimer !== null)));
  }

  /** Ends the stream from the network's side. */
  hangUp(hungUpBy: StreamEnd['hungUpBy']): void {
    this.#end({ hungUpBy, code: null });
  }

  /** Ends the stream for a transfer, and returns the callee, who stays in the call. */
  handOver(calleeHangsUp: () => void): SimulatedCallee {
    this.#onCalleeHangUp = calleeHangsUp;
    this.#close();
    return this.#callee;
  }

  /** Sends the first messages, and begins the exchange of frames. */
  #start(instruction: StreamInstruction, pacingTimer: PacingTimer): void {
    this.#send(this.#messages.connected());
    this.#send(this.#messages.start(instruction.parameters));
    this.#leaveTimer = pacingTimer.join((due) => this.#catchUp(due));
  }

  /** Sends all due frames: a real network does not slow down when this process is late. */
  #catchUp(due: number): void {
    for (let done = 0; done < due && !this.#isOver; done++) this.#exchangeFrame();
  }

  /** Exchanges one frame of 20 ms in both directions. */
  #exchangeFrame(): void {
    const played = this.#playout.play();
    if (played) decodeUlaw(played, this.#heard);
    const spoken = this.#callee.frame(played && this.#heard);
    if (this.#isOver || this.#socket.bufferedAmount > BUFFERED_LIMIT_BYTES) return;
    const mixed = this.#noiseMixer ? this.#noiseMixer.mix(spoken) : spoken;
    this.#passFrame(this.#messages.media(mixed ? this.#encoded(mixed) : SILENT_PAYLOAD));
  }

  /** The function that sends audio frames over the persona's line. */
  #frameSender({ number, line }: Persona): (message: string) => void {
    const send = (message: string) => this.#send(message);
    const isGood = !line || line.lostShare + line.lateShare + line.swappedShare === 0;
    if (isGood) return send;
    const connection = createBadConnection(line, { seed: number, send });
    return (message) => connection.pass(message);
  }

  /** Makes the background noise of the persona's line, if it has one. */
  async #openNoise({ line }: Persona, calleeAudio: CalleeAudio): Promise<void> {
    if (!line?.noise) return;
    const loop = await calleeAudio.noise(line.noise.kind);
    if (loop) this.#noiseMixer = createNoiseMixer(loop, line.noise.snrDb);
  }

  /** A frame as base64 µ-law. */
  #encoded(samples: Int16Array): string {
    encodeUlaw(samples, this.#payload);
    return this.#payload.toString('base64');
  }

  /** Handles a message of the service; an invalid message ends the stream, as at a carrier. */
  #onMessage(text: string | null): void {
    if (this.#isOver) return;
    const message = text === null ? null : readServiceMessage(text, this.#streamSid);
    if (!message || !this.#execute(message)) this.#end({ hungUpBy: null, code: BAD_MESSAGE });
  }

  /** Carries out a message of the service; false if it exceeds the playout buffer. */
  #execute(message: ServiceMessage): boolean {
    if (message.event === 'media') return this.#playout.add(Buffer.from(message.media.payload, 'base64'));
    if (message.event === 'mark') this.#playout.mark(message.mark.name);
    else this.#playout.clear();
    return true;
  }

  /** Sends a message if the socket is open. */
  #send(text: string): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text);
  }

  /** Ends the stream and reports it, once. */
  #end(end: StreamEnd): void {
    if (this.#isOver) return;
    this.#close();
    this.#onEnd(end);
  }

  /** Stops the frames and closes the socket, without a report. */
  #close(): void {
    this.#isOver = true;
    this.#leaveTimer?.();
    this.#send(this.#messages.stop());
    this.#socket.close(NORMAL_CLOSURE);
  }
}

/** The end of a stream by the close code of its socket: the service hung up, unless the connection failed. */
function endOf(closeCode: number, wasConnected: boolean): StreamEnd {
  if (!wasConnected) return { hungUpBy: null, code: CANNOT_CONNECT };
  return { hungUpBy: closeCode === NO_CLOSE_FRAME ? null : 'agent', code: String(closeCode) };
}

/** The text of a message, which may arrive in several buffers. */
function textOf(data: WebSocket.RawData): string {
  return Buffer.isBuffer(data)
    ? data.toString('utf8')
    : Buffer.concat([data].flat() as Buffer[]).toString('utf8');
}
