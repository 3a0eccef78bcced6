import type { Clock } from '#kernel/time/clock.js';
import type { ConnectionHandlers, EmulatedServer, ServerSocket } from './emulated-sockets.js';
import { EmulatedEar, type HeardWord } from './spoken-words.js';

const KEY = 'el-key';
/** A session without a message for this time is closed. */
const IDLE_LIMIT_MS = 20_000;

/** Faults, and everything received. */
export interface ScribeEmulator extends EmulatedServer {
  readonly key: string;
  readonly vocabulary: string[];
  readonly refusals: number[];
  isMute: boolean;
  isDeaf: boolean;
  /** The error that answers the next commit. */
  nextError: string | null;
}

/** `/v1/speech-to-text/realtime` of ElevenLabs, from its public description. */
export function createScribeEmulator(clock: Clock): ScribeEmulator {
  const emulator: ScribeEmulator = {
    key: KEY,
    vocabulary: [],
    refusals: [],
    isMute: false,
    isDeaf: false,
    nextError: null,
    accept(socket) {
      const refusal = emulator.refusals.shift();
      if (refusal !== undefined) return refusal;
      if (socket.headers['xi-api-key'] !== KEY) return 401;
      return new Session(socket, emulator, clock);
    },
  };
  return emulator;
}

class Session implements ConnectionHandlers {
  readonly #socket: ServerSocket;
  readonly #emulator: ScribeEmulator;
  readonly #clock: Clock;
  readonly #ear: EmulatedEar;
  #doneWords = 0;
  #told = 0;
  #cancelIdle = () => {};

  constructor(socket: ServerSocket, emulator: ScribeEmulator, clock: Clock) {
    this.#socket = socket;
    this.#emulator = emulator;
    this.#clock = clock;
    this.#ear = new EmulatedEar(emulator.vocabulary);
    this.#live();
    socket.send({ message_type: 'session_started', session_id: 's', config: {} });
  }

  onMessage(data: string | Uint8Array): void {
    this.#live();
    const message = JSON.parse(String(data)) as { audio_base_64: string; commit: boolean };
    if (!this.#emulator.isDeaf) this.#ear.hear(Buffer.from(message.audio_base_64, 'base64'));
    const words = this.#ear.words.slice(this.#doneWords);
    if (words.length > this.#told) {
      this.#told = words.length;
      this.#socket.send({ message_type: 'partial_transcript', text: textOf(words) });
    }
    if (message.commit) this.#commit(words);
  }

  onClose(): void {
    this.#cancelIdle();
  }

  #commit(words: readonly HeardWord[]): void {
    const { nextError, isMute } = this.#emulator;
    this.#emulator.nextError = null;
    if (nextError !== null) return this.#socket.send({ message_type: nextError, error: nextError });
    if (isMute) return;
    this.#doneWords = this.#ear.words.length;
    this.#told = 0;
    this.#socket.send({ message_type: 'committed_transcript', text: textOf(words) });
    this.#socket.send({
      message_type: 'committed_transcript_with_timestamps',
      text: textOf(words),
      language_code: 'en',
      words: words.map(({ text, startMs, endMs }) => ({
        text,
        start: startMs / 1_000,
        end: endMs / 1_000,
        type: 'word',
        logprob: -0.1,
      })),
    });
  }

  #live(): void {
    this.#cancelIdle();
    this.#cancelIdle = this.#clock.after(IDLE_LIMIT_MS, () => this.#socket.close(1_000, 'idle'));
  }
}

const textOf = (words: readonly HeardWord[]) => words.map(({ text }) => text).join(' ');
