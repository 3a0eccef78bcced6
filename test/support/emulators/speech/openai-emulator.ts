import type { Clock } from '#kernel/time/clock.js';
import type { ConnectionHandlers, EmulatedServer, ServerSocket } from './emulated-sockets.js';
import { EmulatedEar, type HeardWord } from './spoken-words.js';

const KEY = 'oa-key';
const OWN_HOST = 'api.openai.com';
const LEAST_COMMIT_MS = 100;

/** What goes wrong, and everything that was received. */
export interface OpenAiTranscriptionEmulator extends EmulatedServer {
  readonly key: string;
  readonly vocabulary: string[];
  readonly refusals: number[];
  isMute: boolean;
  isDeaf: boolean;
  /** The settings of each session. */
  readonly sessions: Record<string, unknown>[];
  /** How long the words of the next utterances take, one after the other; a millisecond unless said. */
  readonly delaysMs: number[];
  /** The code of an error that the next commit is answered with. */
  nextError: string | null;
}

/** `/v1/realtime?intent=transcription` of OpenAI, by its public description. */
export function createOpenAiTranscriptionEmulator(clock: Clock): OpenAiTranscriptionEmulator {
  const emulator: OpenAiTranscriptionEmulator = {
    key: KEY,
    vocabulary: [],
    refusals: [],
    isMute: false,
    isDeaf: false,
    sessions: [],
    delaysMs: [],
    nextError: null,
    accept(socket) {
      const refusal = emulator.refusals.shift();
      if (refusal !== undefined) return refusal;
      if (socket.headers['authorization'] !== `Bearer ${KEY}`) return 401;
      const { searchParams, hostname } = socket.url;
      // OpenAI itself refuses a model in the address; gateways want it there.
      const namesModel = hostname === OWN_HOST && searchParams.has('model');
      if (searchParams.get('intent') !== 'transcription' || namesModel) return 400;
      return new Session(socket, emulator, clock);
    },
  };
  return emulator;
}

class Session implements ConnectionHandlers {
  readonly #socket: ServerSocket;
  readonly #emulator: OpenAiTranscriptionEmulator;
  readonly #clock: Clock;
  readonly #ear: EmulatedEar;
  #item = 1;
  #committedMs = 0;
  #doneWords = 0;
  #told = 0;

  constructor(socket: ServerSocket, emulator: OpenAiTranscriptionEmulator, clock: Clock) {
    this.#socket = socket;
    this.#emulator = emulator;
    this.#clock = clock;
    this.#ear = new EmulatedEar(emulator.vocabulary);
    socket.send({ type: 'session.created', session: {} });
  }

  onMessage(data: string | Uint8Array): void {
    const message = JSON.parse(String(data)) as { type: string; audio?: string; session?: object };
    if (message.type === 'session.update') this.#configure(message.session as Record<string, unknown>);
    else if (message.type === 'input_audio_buffer.append') this.#hear(Buffer.from(message.audio!, 'base64'));
    else if (message.type === 'input_audio_buffer.commit') this.#commit();
    else this.#fail('unknown_message');
  }

  onClose(): void {}

  #configure(session: Record<string, unknown>): void {
    this.#emulator.sessions.push(session);
    this.#socket.send({ type: 'session.updated', session });
  }

  #hear(bytes: Uint8Array): void {
    if (this.#emulator.isDeaf) return;
    this.#ear.hear(bytes);
    for (const { text } of this.#words.slice(this.#told)) {
      this.#tell('delta', `item_${this.#item}`, { delta: this.#told === 0 ? text : ` ${text}` });
      this.#told += 1;
    }
  }

  #commit(): void {
    const { nextError, isMute, delaysMs } = this.#emulator;
    this.#emulator.nextError = null;
    if (nextError !== null) return this.#fail(nextError);
    if (this.#ear.positionMs - this.#committedMs < LEAST_COMMIT_MS && !this.#emulator.isDeaf)
      return this.#fail('input_audio_buffer_commit_empty');
    const item = `item_${this.#item}`;
    const transcript = this.#words.map(({ text }) => text).join(' ');
    this.#item += 1;
    this.#committedMs = this.#ear.positionMs;
    this.#doneWords = this.#ear.words.length;
    this.#told = 0;
    this.#socket.send({ type: 'input_audio_buffer.committed', item_id: item, previous_item_id: null });
    if (isMute) return;
    const logprobs = [{ token: transcript, logprob: -0.1 }];
    this.#clock.after(delaysMs.shift() ?? 1, () => this.#tell('completed', item, { transcript, logprobs }));
  }

  get #words(): readonly HeardWord[] {
    return this.#ear.words.slice(this.#doneWords);
  }

  #tell(what: 'delta' | 'completed', item: string, fields: object): void {
    this.#socket.send({
      type: `conversation.item.input_audio_transcription.${what}`,
      item_id: item,
      ...fields,
    });
  }

  #fail(code: string): void {
    this.#socket.send({ type: 'error', error: { type: 'invalid_request_error', code, message: code } });
  }
}
