import type { Clock } from '#kernel/time/clock.js';
import type { ConnectionHandlers, EmulatedServer, ServerSocket } from './emulated-sockets.js';
import { EmulatedEar, type HeardWord } from './spoken-words.js';

const KEY = 'aai-key';
const BYTES_PER_MS = 8;
/** The silence that ends a turn. */
const END_MS = 560;
/** How much audio may be sent ahead of real time. */
const AHEAD_MS = 150;

/** Faults, and everything received. */
export interface AssemblyAiEmulator extends EmulatedServer {
  readonly key: string;
  readonly vocabulary: string[];
  readonly refusals: number[];
  isMute: boolean;
  isDeaf: boolean;
  readonly texts: string[];
  /** Closes caused by errors of the client. */
  readonly complaints: string[];
  /** Sessions that were not terminated. */
  openSessions: number;
  /** The longest session. */
  sessionLimitMs: number;
}

/** `/v3/ws` of AssemblyAI, from its public description: ends of turns are sent twice, unformatted and formatted. */
export function createAssemblyAiEmulator(clock: Clock): AssemblyAiEmulator {
  const emulator: AssemblyAiEmulator = {
    key: KEY,
    vocabulary: [],
    refusals: [],
    isMute: false,
    isDeaf: false,
    texts: [],
    complaints: [],
    openSessions: 0,
    sessionLimitMs: 3 * 3_600_000,
    accept(socket) {
      const refusal = emulator.refusals.shift();
      if (refusal !== undefined) return refusal;
      if (socket.headers['authorization'] !== KEY) return 401;
      return new Session(socket, emulator, clock);
    },
  };
  return emulator;
}

class Session implements ConnectionHandlers {
  readonly #socket: ServerSocket;
  readonly #emulator: AssemblyAiEmulator;
  readonly #clock: Clock;
  readonly #ear: EmulatedEar;
  readonly #startedMs: number;
  readonly #cancelLimit: () => void;
  #receivedMs = 0;
  #order = 0;
  #doneWords = 0;
  #told = 0;

  constructor(socket: ServerSocket, emulator: AssemblyAiEmulator, clock: Clock) {
    this.#socket = socket;
    this.#emulator = emulator;
    this.#clock = clock;
    this.#ear = new EmulatedEar(emulator.vocabulary);
    this.#startedMs = clock.monotonicMs();
    this.#cancelLimit = clock.after(emulator.sessionLimitMs, () => socket.close(3_008, 'Session expired'));
    emulator.openSessions += 1;
    socket.send({ type: 'Begin', id: 's', expires_at: 0 });
  }

  onMessage(data: string | Uint8Array): void {
    if (typeof data === 'string') return this.#obey(data);
    const lengthMs = data.length / BYTES_PER_MS;
    this.#receivedMs += lengthMs;
    const aheadMs = this.#receivedMs - (this.#clock.monotonicMs() - this.#startedMs);
    if (lengthMs < 50 || lengthMs > 1_000) return this.#complain(`a piece of ${lengthMs} ms`);
    if (aheadMs > AHEAD_MS) return this.#complain(`${aheadMs} ms ahead`);
    if (this.#emulator.isDeaf) return;
    this.#ear.hear(data);
    const words = this.#ear.words.length - this.#doneWords;
    if (words > this.#told) {
      this.#told = words;
      this.#turn({ isEnd: false, isFormatted: false });
    }
    if (this.#told > 0 && !this.#ear.isInWord && this.#ear.silenceMs >= END_MS) this.#endTurn();
  }

  onClose(): void {
    this.#cancelLimit();
  }

  #complain(what: string): void {
    this.#emulator.complaints.push(what);
    this.#socket.close(3_007, what);
  }

  #obey(text: string): void {
    this.#emulator.texts.push(text);
    const { type } = JSON.parse(text) as { type: string };
    if (type === 'ForceEndpoint' && !this.#emulator.isMute && this.#told > 0) this.#endTurn();
    if (type !== 'Terminate') return;
    this.#emulator.openSessions -= 1;
    this.#socket.send({ type: 'Termination' });
    this.#socket.close(1_000);
  }

  #endTurn(): void {
    this.#turn({ isEnd: true, isFormatted: false });
    this.#turn({ isEnd: true, isFormatted: true });
    this.#order += 1;
    this.#doneWords = this.#ear.words.length;
    this.#told = 0;
  }

  #turn({ isEnd, isFormatted }: { isEnd: boolean; isFormatted: boolean }): void {
    const words = this.#ear.words.slice(this.#doneWords);
    this.#socket.send({
      type: 'Turn',
      turn_order: this.#order,
      turn_is_formatted: isFormatted,
      end_of_turn: isEnd,
      // The transcript of a turn in progress lacks the newest word.
      transcript: (isEnd ? words : words.slice(0, -1)).map(({ text }) => text).join(' '),
      end_of_turn_confidence: isEnd ? 0.9 : 0.1,
      words: words.map((word) => wordOf(word, isEnd)),
    });
  }
}

const wordOf = ({ text, startMs, endMs }: HeardWord, isFinal: boolean) => ({
  text,
  start: startMs,
  end: endMs,
  confidence: 0.9,
  word_is_final: isFinal,
});
