import type { Clock } from '#kernel/time/clock.js';
import type { ConnectionHandlers, EmulatedServer, ServerSocket } from './emulated-sockets.js';
import { EmulatedEar, type HeardWord } from './spoken-words.js';

const KEY = 'dg-key';
/** Without audio or a KeepAlive for this time the connection is closed. */
const IDLE_LIMIT_MS = 10_000;
/** The silence after which Flux considers the end of a turn likely, and certain. */
export const EAGER_MS = 160;
const END_MS = 480;

/** Faults, and everything received. */
export interface DeepgramEmulator extends EmulatedServer {
  readonly key: string;
  /** Texts that it can recognise. */
  readonly vocabulary: string[];
  /** The language of a text, for requests with several languages (`language=multi`). */
  languageOf(text: string): string;
  /** Refuses the next handshakes with these statuses. */
  readonly refusals: number[];
  /** `Finalize` and `ForceEndTurn` get no answer. */
  isMute: boolean;
  /** Nothing is recognised. */
  isDeaf: boolean;
  /** The text messages received, such as `{"type":"KeepAlive"}`. */
  readonly texts: string[];
}

/** `/v1/listen` and `/v2/listen` of Deepgram, from their public description. */
export function createDeepgramEmulator(clock: Clock): DeepgramEmulator {
  const emulator: DeepgramEmulator = {
    key: KEY,
    vocabulary: [],
    languageOf: () => 'en',
    refusals: [],
    isMute: false,
    isDeaf: false,
    texts: [],
    accept(socket) {
      const refusal = emulator.refusals.shift();
      if (refusal !== undefined) return refusal;
      if (socket.headers['authorization'] !== `Token ${KEY}`) return 401;
      if (socket.url.searchParams.get('encoding') !== 'mulaw') return 400;
      const path = socket.url.pathname;
      if (path === '/v1/listen') return new NovaConnection(socket, emulator, clock);
      return path === '/v2/listen' ? new FluxConnection(socket, emulator) : 404;
    },
  };
  return emulator;
}

const secondsOf = (ms: number) => ms / 1_000;
const textOf = (words: readonly HeardWord[]) => words.map(({ text }) => text).join(' ');
const wordOf = ({ text, startMs, endMs }: HeardWord) => ({
  word: text,
  start: secondsOf(startMs),
  end: secondsOf(endMs),
  confidence: 0.9,
});

class NovaConnection implements ConnectionHandlers {
  readonly #socket: ServerSocket;
  readonly #emulator: DeepgramEmulator;
  readonly #clock: Clock;
  readonly #ear: EmulatedEar;
  /** The number of final words, and their end. */
  #finalWords = 0;
  #finalMs = 0;
  #told = 0;
  #cancelIdle = () => {};

  constructor(socket: ServerSocket, emulator: DeepgramEmulator, clock: Clock) {
    this.#socket = socket;
    this.#emulator = emulator;
    this.#clock = clock;
    this.#ear = new EmulatedEar(emulator.vocabulary);
    this.#live();
  }

  onMessage(data: string | Uint8Array): void {
    this.#live();
    if (typeof data === 'string') return this.#obey(data);
    if (data.length === 0) return this.#socket.close(1_008, 'DATA-0000');
    if (this.#emulator.isDeaf) return;
    this.#ear.hear(data);
    const words = this.#ear.words.length;
    if (words === this.#told) return;
    this.#told = words;
    // Every third word is final at once, as in long utterances.
    if (words - this.#finalWords >= 3)
      this.#results({ isFinal: true, throughMs: this.#ear.words.at(-1)!.endMs });
    else this.#results({ isFinal: false, throughMs: this.#ear.positionMs });
  }

  onClose(): void {
    this.#cancelIdle();
  }

  #obey(text: string): void {
    this.#emulator.texts.push(text);
    const { type } = JSON.parse(text) as { type: string };
    if (type === 'Finalize' && !this.#emulator.isMute)
      this.#results({ isFinal: true, fromFinalize: true, throughMs: this.#ear.positionMs });
    if (type === 'CloseStream') this.#socket.close(1_000);
  }

  #results({
    isFinal,
    fromFinalize = false,
    throughMs,
  }: {
    isFinal: boolean;
    fromFinalize?: boolean;
    throughMs: number;
  }) {
    const words = this.#ear.words.slice(this.#finalWords);
    const isOfSeveral = this.#socket.url.searchParams.get('language') === 'multi';
    const languages = isOfSeveral && words.length > 0 ? [this.#emulator.languageOf(textOf(words))] : [];
    this.#socket.send({
      type: 'Results',
      channel_index: [0, 1],
      start: secondsOf(this.#finalMs),
      duration: secondsOf(throughMs - this.#finalMs),
      is_final: isFinal,
      speech_final: false,
      from_finalize: fromFinalize,
      channel: {
        alternatives: [
          {
            transcript: textOf(words),
            confidence: words.length > 0 ? 0.9 : 0,
            words: words.map(wordOf),
            ...(languages.length > 0 && { languages }),
          },
        ],
      },
    });
    if (!isFinal) return;
    this.#finalWords = this.#ear.words.length;
    this.#finalMs = throughMs;
  }

  #live(): void {
    this.#cancelIdle();
    this.#cancelIdle = this.#clock.after(IDLE_LIMIT_MS, () => this.#socket.close(1_011, 'NET-0001'));
  }
}

class FluxConnection implements ConnectionHandlers {
  readonly #socket: ServerSocket;
  readonly #emulator: DeepgramEmulator;
  readonly #ear: EmulatedEar;
  #turnIndex = 0;
  /** Words of earlier turns. */
  #doneWords = 0;
  #told = 0;
  #isEager = false;

  constructor(socket: ServerSocket, emulator: DeepgramEmulator) {
    this.#socket = socket;
    this.#emulator = emulator;
    this.#ear = new EmulatedEar(emulator.vocabulary);
    socket.send({ type: 'Connected', sequence_id: 0 });
  }

  onMessage(data: string | Uint8Array): void {
    if (typeof data === 'string') return this.#obey(data);
    if (this.#emulator.isDeaf) return;
    this.#ear.hear(data);
    const words = this.#ear.words.length - this.#doneWords;
    if (words > this.#told) {
      const event = this.#told === 0 ? 'StartOfTurn' : this.#isEager ? 'TurnResumed' : 'Update';
      this.#told = words;
      this.#isEager = false;
      this.#turn(event);
    }
    if (this.#told === 0 || this.#ear.isInWord) return;
    if (this.#ear.silenceMs >= END_MS) return this.#endTurn('model');
    if (this.#ear.silenceMs < EAGER_MS || this.#isEager) return;
    this.#isEager = true;
    this.#turn('EagerEndOfTurn');
  }

  onClose(): void {}

  #obey(text: string): void {
    this.#emulator.texts.push(text);
    const { type } = JSON.parse(text) as { type: string };
    // Ignored without a turn in progress, as documented.
    if (type === 'ForceEndTurn' && !this.#emulator.isMute && this.#told > 0) this.#endTurn('manual');
    if (type === 'KeepAlive') this.#socket.send({ type: 'Error', code: 'UNPARSABLE_CLIENT_MESSAGE' });
    if (type === 'CloseStream') this.#socket.close(1_000);
  }

  #endTurn(trigger: string): void {
    this.#turn('EndOfTurn', trigger);
    this.#turnIndex += 1;
    this.#doneWords = this.#ear.words.length;
    this.#told = 0;
    this.#isEager = false;
  }

  #turn(event: string, trigger?: string): void {
    const words = this.#ear.words.slice(this.#doneWords);
    this.#socket.send({
      type: 'TurnInfo',
      event,
      turn_index: this.#turnIndex,
      audio_window_start: 0,
      audio_window_end: secondsOf(this.#ear.positionMs),
      transcript: textOf(words),
      words: words.map(wordOf),
      end_of_turn_confidence: 0.5,
      ...(trigger && { trigger }),
    });
  }
}
