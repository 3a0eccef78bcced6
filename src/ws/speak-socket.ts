import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { LiveSession } from '#calls/live/sessions/live-session.js';
import { createPcm16Codec, type SoundCodec } from '#media/samples/pcm16.js';
import type { Resampler, Resampling } from '#media/samples/resampler.js';

/** The start message of a microphone. */
const startMessage = z.object({ type: z.literal('start'), sample_rate: z.int().min(8_000).max(96_000) });

/** Limit of a message: a browser sends a few milliseconds of audio at a time. */
const MOST_MESSAGE_BYTES = 256 * 1024;
/** Initial size of the codec's memory, in samples. */
const INITIAL_SAMPLES = 1_024;

/** The call that a microphone speaks into. */
export interface SpeakSocketContext {
  session: Pick<LiveSession, 'sampleRateHz' | 'listen'>;
  resampling: Resampling;
  /** Takes sound at the rate of the session; false if it is no longer wanted. Copies what it keeps. */
  take(samples: Int16Array): boolean;
  /** Called once, when the socket is closed; the end of the call closes it, too. */
  onGone(): void;
}

/**
 * Connects the microphone of a person who speaks into a live call: an operator who has taken the call over, or a person
 * who whispers. Used by `registerCallSockets`.
 */
export function connectMicrophone(socket: WebSocket, parts: SpeakSocketContext): void {
  const microphone = new Microphone(socket, parts);
  const leave = parts.session.listen({ onSound: () => {}, onEnd: () => microphone.end() });
  socket.on('message', (message, isBinary) => microphone.receive(message as Buffer, isBinary));
  socket.on('error', () => socket.terminate());
  socket.on('close', () => {
    leave();
    microphone.free();
    parts.onGone();
  });
}

/** Reads the audio of one microphone, and converts it to the rate of the call. */
class Microphone {
  readonly #socket: WebSocket;
  readonly #parts: SpeakSocketContext;
  #resampler: Resampler | null = null;
  #codec: SoundCodec | null = null;

  constructor(socket: WebSocket, parts: SpeakSocketContext) {
    this.#socket = socket;
    this.#parts = parts;
  }

  /** Takes a message: the start message first, then audio. */
  receive(message: Buffer, isBinary: boolean): void {
    const { take } = this.#parts;
    if (!isBinary) return this.#begin(message);
    if (!this.#codec || message.length > MOST_MESSAGE_BYTES) return this.#refuse();
    const samples = this.#codec.decode(message);
    if (!take(this.#resampler ? this.#resampler.process(samples) : samples)) this.end();
  }

  /** Reads the start message, which names the sample rate. */
  #begin(message: Buffer): void {
    const parsed = startMessage.safeParse(jsonOf(message));
    if (!parsed.success || this.#codec) return this.#refuse();
    const fromHz = parsed.data.sample_rate;
    const toHz = this.#parts.session.sampleRateHz;
    this.#codec = createPcm16Codec(INITIAL_SAMPLES);
    if (fromHz !== toHz) this.#resampler = this.#parts.resampling.open({ fromHz, toHz });
  }

  /** Closes the socket of a client that violates the protocol. */
  #refuse(): void {
    this.#socket.close(1008, 'send {"type": "start", "sample_rate": …} once, then 16-bit PCM');
  }

  /** Frees the resampler; the socket is closed. */
  free(): void {
    this.#resampler?.free();
    this.#resampler = null;
    this.#codec = null;
  }

  /** Closes the socket: the call is over, or the sound is no longer wanted. */
  end(): void {
    this.#socket.send(JSON.stringify({ type: 'ended' }));
    this.#socket.close(1000, 'nobody is spoken to any more');
  }
}

/** The parsed JSON of a message; null if it is invalid. */
function jsonOf(message: Buffer): unknown {
  try {
    return JSON.parse(message.toString()) as unknown;
  } catch {
    return null;
  }
}
