import { codeOf } from '#language/languages/languages.js';
import {
  confidenceOf,
  listOf,
  numberOf,
  objectOf,
  textOf,
  type Message,
} from '#providers/recognition/message.js';
import { socketUrl } from '#providers/recognition/socket-url.js';
import {
  isTransientStatus,
  type ConnectionRequest,
  type SttDialect,
  type SttEvent,
  type SttReader,
} from '#providers/recognition/stt-dialect.js';

/**
 * Recognisers that take audio while the caller speaks and send interim words; all others are sent whole utterances by
 * `createTranscriptionStt`.
 */
const STREAMED_MODELS: ReadonlySet<string> = new Set(['gpt-realtime-whisper', 'gpt-live-transcribe']);
const OPENAI_HOST = 'api.openai.com';
/** The sample rate of PCM audio in OpenAI's realtime API. */
const PCM_RATE_HZ = 24_000;
/** The code of the error for a committed utterance that is too short to be recognised. */
const EMPTY_COMMIT = 'input_audio_buffer_commit_empty';
/** Codes of errors after which another connection may succeed. */
const TRANSIENT_ERRORS: ReadonlySet<string> = new Set([
  'server_error',
  'session_expired',
  'rate_limit_exceeded',
]);

/** Address, headers and recogniser of OpenAI or a gateway. */
interface TranscriptionAccount {
  baseUrl: string;
  headers: Readonly<Record<string, string>>;
  model: string;
}

/** True for a recogniser with the protocol of {@link openAiTranscriptionDialect}. */
export function isStreamingModel(model: string): boolean {
  return STREAMED_MODELS.has(model);
}

/**
 * The protocol of transcription sessions in OpenAI's realtime API, for `createStreamingStt`. Turn detection is off: a
 * commit ends an utterance. A session lasts an hour at most. Source: OpenAI, "Realtime transcription".
 */
export function openAiTranscriptionDialect({ baseUrl, headers, model }: TranscriptionAccount): SttDialect {
  return {
    provider: 'openai',
    hears: 'utterances',
    chunkMs: 100,
    announcesReady: true,
    maxSendSpeed: 4,
    burstMs: 1_000,
    finishTimeoutMs: 2_000,
    keepAlive: null,
    closeMessage: null,
    acceptsKeyTerms: false,
    address: () => ({
      // At OpenAI an address with a model begins a conversation instead of a transcription; gateways require the model.
      url: socketUrl(baseUrl, '/realtime', {
        intent: 'transcription',
        model: new URL(baseUrl).hostname === OPENAI_HOST ? null : model,
      }),
      headers,
    }),
    audioMessage: (bytes, { encoding }) => {
      const audio = encoding === 'mulaw' ? bytes : resample16To24kHz(bytes);
      return JSON.stringify({
        type: 'input_audio_buffer.append',
        audio: Buffer.from(audio).toString('base64'),
      });
    },
    keyTermsMessage: () => null,
    openReader: (request) => new TranscriptionReader(sessionUpdate(model, request)),
    shouldReconnect: ({ status }) => isTransientStatus(status),
  };
}

/** The message that configures a session. */
function sessionUpdate(model: string, { language, otherLanguages, format }: ConnectionRequest): string {
  const inputFormat =
    format.encoding === 'mulaw' ? { type: 'audio/pcmu' } : { type: 'audio/pcm', rate: PCM_RATE_HZ };
  // Without a language the recogniser detects it.
  const spoken = otherLanguages.length > 0 ? {} : { language: codeOf(language) };
  const input = { format: inputFormat, transcription: { model, ...spoken }, turn_detection: null };
  const include = ['item.input_audio_transcription.logprobs'];
  return JSON.stringify({
    type: 'session.update',
    session: { type: 'transcription', audio: { input }, include },
  });
}

/** A committed utterance. */
interface Committed {
  /** Its end in the audio of the connection, in milliseconds. */
  throughMs: number;
  /** The message with its words; null before it arrives. */
  completed: Message | null;
}

/**
 * Parses the messages of one session. The words of several utterances may arrive in any order; they are reported in the
 * order in which the utterances ended. OpenAI sends no times, so the reader counts the audio that was sent.
 */
class TranscriptionReader implements SttReader {
  readonly #sessionUpdate: string;
  /** Milliseconds of audio sent. */
  #sentMs = 0;
  /** The ends of utterances (ms) that were sent and have no item yet. */
  readonly #unassignedEnds: number[] = [];
  /** Committed utterances without reported words, by item id, the oldest first. */
  readonly #items = new Map<string, Committed>();
  /** The interim words so far, by item id. */
  readonly #interim = new Map<string, string>();

  constructor(update: string) {
    this.#sessionUpdate = update;
  }

  /** Counts the audio sent over the connection. */
  onAudioSent(durationMs: number): void {
    this.#sentMs += durationMs;
  }

  /** The message that ends an utterance. */
  finish(): string {
    this.#unassignedEnds.push(this.#sentMs);
    return JSON.stringify({ type: 'input_audio_buffer.commit' });
  }

  /** Gives up the oldest utterance, whose words did not arrive in time; reports the utterances that waited for it. */
  skipUtterance(): SttEvent[] {
    const [oldest] = this.#items.keys();
    if (oldest === undefined) this.#unassignedEnds.shift();
    else this.#items.delete(oldest);
    return this.#takeCompleted();
  }

  read(raw: unknown): SttEvent[] {
    const message = objectOf(raw);
    const item = textOf(message['item_id']);
    switch (textOf(message['type'])) {
      case 'session.created':
        return [{ kind: 'reply', message: this.#sessionUpdate }];
      case 'session.updated':
        return [{ kind: 'ready' }];
      case 'input_audio_buffer.committed':
        this.#items.set(item, { throughMs: this.#unassignedEnds.shift() ?? this.#sentMs, completed: null });
        return [];
      case 'conversation.item.input_audio_transcription.delta':
        return this.#interimWords(item, textOf(message['delta']));
      case 'conversation.item.input_audio_transcription.completed':
        return this.#complete(item, message);
      case 'conversation.item.input_audio_transcription.failed':
        return [failureEvent(objectOf(message['error']))];
      case 'error':
        return this.#error(objectOf(message['error']));
      default:
        return [];
    }
  }

  /** Adds interim words; reports them unless an older utterance still waits for its words. */
  #interimWords(item: string, delta: string): SttEvent[] {
    const text = (this.#interim.get(item) ?? '') + delta;
    this.#interim.set(item, text);
    const [first] = this.#items.keys();
    const isFirst = first === undefined || first === item;
    return isFirst
      ? [{ kind: 'words', isFinal: false, text: text.trim(), confidence: confidenceOf(null) }]
      : [];
  }

  /** Keeps the words of an utterance; late words of a skipped one are ignored. */
  #complete(item: string, message: Message): SttEvent[] {
    const committed = this.#items.get(item);
    if (!committed) return [];
    committed.completed = message;
    return this.#takeCompleted();
  }

  /** Reports the utterances that have their words, up to the first one that lacks them. */
  #takeCompleted(): SttEvent[] {
    const events: SttEvent[] = [];
    for (const [id, { throughMs, completed }] of this.#items) {
      if (completed === null) break;
      this.#items.delete(id);
      this.#interim.delete(id);
      events.push({ ...wordsOf(completed), throughMs }, { kind: 'finished', throughMs });
    }
    return events;
  }

  /** An utterance that is too short is answered without words; any other error is a failure of the connection. */
  #error(error: Message): SttEvent[] {
    if (textOf(error['code']) !== EMPTY_COMMIT) return [failureEvent(error)];
    const throughMs = this.#unassignedEnds.shift() ?? this.#sentMs;
    return [{ kind: 'finished', throughMs }];
  }
}

/**
 * The words of an utterance. Their confidence is the mean of the tokens' log probabilities, as a probability; without
 * log probabilities it is assumed.
 */
function wordsOf(completed: Message): Extract<SttEvent, { kind: 'words' }> {
  const logProbabilities = listOf(completed['logprobs']).flatMap(
    (token) => numberOf(objectOf(token)['logprob']) ?? [],
  );
  const mean = logProbabilities.reduce((sum, log) => sum + log, 0) / (logProbabilities.length || 1);
  return {
    kind: 'words',
    isFinal: true,
    text: textOf(completed['transcript']).trim(),
    confidence: confidenceOf(logProbabilities.length === 0 ? null : Math.exp(mean)),
  };
}

/** The event of a failure. An error without a code counts as retryable, because it may be temporary. */
function failureEvent(error: Message): SttEvent {
  const code = textOf(error['code']) || textOf(error['type']);
  return { kind: 'failed', message: code, retryable: TRANSIENT_ERRORS.has(code) || code === '' };
}

/**
 * Resamples 16-bit samples from 16 to 24 kHz by linear interpolation, which is enough for recognisers: they use nothing
 * above 8 kHz.
 */
function resample16To24kHz(bytes: Uint8Array): Uint8Array {
  const narrow = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = narrow.length / 2;
  const sampleAt = (index: number) => narrow.readInt16LE(2 * Math.min(index, samples - 1));
  const wide = Buffer.alloc(2 * Math.floor((samples * 3) / 2));
  for (let index = 0; index < wide.length / 2; index += 1) {
    const position = (index * 2) / 3;
    const before = Math.floor(position);
    const fraction = position - before;
    const value = sampleAt(before) * (1 - fraction) + sampleAt(before + 1) * fraction;
    wide.writeInt16LE(Math.round(value), 2 * index);
  }
  return wide;
}
