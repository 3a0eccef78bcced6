import type { WebSocket } from 'ws';
import type { CallListener } from '#calls/live/sessions/audio-tap.js';
import type { LiveSession } from '#calls/live/sessions/live-session.js';
import { TOO_SLOW } from '#ws/limits/closing.js';

/** Frames are dropped while a listener has this much unread: two seconds of wide-band stereo. */
const MOST_UNREAD_BYTES = 128 * 1024;
/** A listener for whom this many frames in a row (five seconds) were dropped is disconnected. */
const MOST_DROPPED_FRAMES = 250;
/** Size of one stereo sample: 16 bits of each side. */
const BYTES_PER_SAMPLE = 4;

/**
 * Connects a socket to a live call as a listener (`/ws/calls/:call_id/listen`), until either ends. Used by
 * `registerCallSockets`.
 */
export function connectListener(
  socket: WebSocket,
  session: Pick<LiveSession, 'listen' | 'sampleRateHz'>,
): void {
  const listener = new ListenSocket(socket, session.sampleRateHz);
  socket.on('close', session.listen(listener));
  socket.on('error', () => socket.terminate());
}

/**
 * Sends a live call to one socket: the format first, then both sides as stereo sound of 16-bit little-endian samples,
 * with the caller on the left channel and the agent on the right.
 */
class ListenSocket implements CallListener {
  readonly #socket: WebSocket;
  /** How many frames in a row were dropped so far. */
  #dropped = 0;

  constructor(socket: WebSocket, sampleRateHz: number) {
    this.#socket = socket;
    socket.send(
      JSON.stringify({
        type: 'format',
        encoding: 'pcm_s16le',
        sample_rate: sampleRateHz,
        channels: 2,
      }),
    );
  }

  /** Sends one frame of both sides (null: silence), or drops it while the listener does not keep up. */
  onSound(customer: Int16Array | null, agent: Int16Array): void {
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MOST_UNREAD_BYTES) return this.#countDropped();
    this.#dropped = 0;
    socket.send(interleaved(customer, agent), { binary: true });
  }

  onEnd(): void {
    this.#socket.send(JSON.stringify({ type: 'ended' }));
    this.#socket.close(1000, 'the call is over');
  }

  #countDropped(): void {
    this.#dropped += 1;
    if (this.#dropped === MOST_DROPPED_FRAMES) this.#socket.close(TOO_SLOW.code, TOO_SLOW.reason);
  }
}

/** Both sides as stereo bytes; a missing left side is silence. */
function interleaved(left: Int16Array | null, right: Int16Array): Buffer {
  const bytes = Buffer.allocUnsafe(right.length * BYTES_PER_SAMPLE);
  for (let index = 0; index < right.length; index += 1) {
    bytes.writeInt16LE(left?.[index] ?? 0, index * BYTES_PER_SAMPLE);
    bytes.writeInt16LE(right[index]!, index * BYTES_PER_SAMPLE + 2);
  }
  return bytes;
}
