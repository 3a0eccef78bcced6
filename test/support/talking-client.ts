import type { SampleRateHz } from '#media/samples/audio.js';
import { encodeUlaw } from '#media/samples/g711.js';
import type { PacingTimer } from '#media/pacing/pacing-timer.js';
import { SocketClient } from './socket-client.js';

/** The audio format of a client's socket. */
export interface ClientFormat {
  sampleRateHz: SampleRateHz;
  encoding: 'pcm16' | 'mulaw';
}

/** A client of the plain protocol with an open microphone: a frame every 20 ms, silence included. */
export class TalkingClient {
  readonly client: SocketClient;
  readonly #format: ClientFormat;
  readonly #leavePacingTimer: () => void;
  /** Audio still to be sent. */
  #speech = new Int16Array(0);
  #onSilence: (() => void) | null = null;

  private constructor(client: SocketClient, format: ClientFormat, pacingTimer: PacingTimer) {
    this.client = client;
    this.#format = format;
    this.#leavePacingTimer = pacingTimer.join((due) => {
      for (let made = 0; made < due; made++) this.#sendFrame();
    });
    void client.closed.then(() => this.#leavePacingTimer());
  }

  static async open(
    url: string,
    options: { key: string; format: ClientFormat; pacingTimer: PacingTimer },
  ): Promise<TalkingClient> {
    const client = await SocketClient.open(url, { headers: { 'x-api-key': options.key } });
    return new TalkingClient(client, options.format, options.pacingTimer);
  }

  /** The id of the connection's call. */
  get callId(): string {
    return String(this.client.headers['x-call-id']);
  }

  /** Speaks; resolves when all of it has been sent. */
  say(speech: Int16Array): Promise<void> {
    this.#speech = speech.slice();
    return new Promise((resolve) => (this.#onSilence = resolve));
  }

  /** Switches the microphone off: nothing is sent any more, not even silence. */
  mute(): void {
    this.#leavePacingTimer();
  }

  /** Audio received, in milliseconds. */
  get heardMs(): number {
    const bytesPerMs = (this.#format.sampleRateHz / 1000) * (this.#format.encoding === 'mulaw' ? 1 : 2);
    return this.client.sound.length / bytesPerMs;
  }

  #sendFrame(): void {
    const { socket } = this.client;
    if (socket.readyState !== socket.OPEN) return;
    const length = this.#format.sampleRateHz / 50;
    const frame = new Int16Array(length);
    frame.set(this.#speech.subarray(0, length));
    this.#speech = this.#speech.slice(length);
    socket.send(this.#encoded(frame));
    if (this.#speech.length > 0) return;
    this.#onSilence?.();
    this.#onSilence = null;
  }

  #encoded(frame: Int16Array): Uint8Array {
    if (this.#format.encoding === 'pcm16') return new Uint8Array(frame.buffer);
    const bytes = new Uint8Array(frame.length);
    encodeUlaw(frame, bytes);
    return bytes;
  }
}
