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
  isPassing,
  type ConnectionRequest,
  type SttDialect,
  type SttNews,
  type SttReader,
} from '#providers/recognition/stt-dialect.js';

/** Models that are streamed to, and tell words while one speaks; the others take whole utterances. */
const STREAMED_MODELS: ReadonlySet<string> = new Set(['gpt-realtime-whisper', 'gpt-live-transcribe']);
const OWN_HOST = 'api.openai.com';
const PCM_RATE_HZ = 24_000;
/** What was said was too short to be recognised, or nothing at all. */
const EMPTY_COMMIT = 'input_audio_buffer_commit_empty';
/** Errors that asking again may help. */
const PASSING_ERRORS: ReadonlySet<string> = new Set([
  'server_error',
  'session_expired',
  'rate_limit_exceeded',
]);

interface TranscriptionAccount {
  baseUrl: string;
  headers: Readonly<Record<string, string>>;
  model: string;
}

export function isStreamed(model: string): boolean {
  return STREAMED_MODELS.has(model);
}

/**
 * Transcription sessions of OpenAI's realtime API: we say when an utterance is over, by committing it.
 * Source: OpenAI, "Realtime transcription"; a session lasts an hour.
 */
export function openAiTranscriptionDialect({ baseUrl, headers, model }: TranscriptionAccount): SttDialect {
  return {
    provider: 'openai',
    hears: 'utterances',
    pieceMs: 100,
    greets: true,
    fastest: 4,
    burstMs: 1_000,
    finishLimitMs: 2_000,
    keepAlive: null,
    goodbye: null,
    takesKeyTerms: false,
    address: () => ({
      // OpenAI takes a session whose address names a model for a conversation; gateways want it named.
      url: socketUrl(baseUrl, '/realtime', {
        intent: 'transcription',
        model: new URL(baseUrl).hostname === OWN_HOST ? null : model,
      }),
      headers,
    }),
    sound: (bytes, { encoding }) => {
      const audio = encoding === 'mulaw' ? bytes : toWidePcm(bytes);
      return JSON.stringify({
        type: 'input_audio_buffer.append',
        audio: Buffer.from(audio).toString('base64'),
      });
    },
    keyTerms: () => null,
    reader: (request) => new TranscriptionReader(sessionUpdate(model, request)),
    isWorthReopening: ({ status }) => isPassing(status),
  };
}

function sessionUpdate(model: string, { language, otherLanguages, sound }: ConnectionRequest): string {
  const format =
    sound.encoding === 'mulaw' ? { type: 'audio/pcmu' } : { type: 'audio/pcm', rate: PCM_RATE_HZ };
  // Without a language it finds out what is spoken.
  const spoken = otherLanguages.length > 0 ? {} : { language: codeOf(language) };
  const input = { format, transcription: { model, ...spoken }, turn_detection: null };
  const include = ['item.input_audio_transcription.logprobs'];
  return JSON.stringify({
    type: 'session.update',
    session: { type: 'transcription', audio: { input }, include },
  });
}

/** An utterance that was committed: where it ends in the sound of the connection, and its words when they are there. */
interface Committed {
  throughMs: number;
  completed: Message | null;
}

/** Words of several utterances may come in any order; they are told in the order in which the utterances ended. */
class TranscriptionReader implements SttReader {
  readonly #sessionUpdate: string;
  #sentMs = 0;
  /** Ends that were sent, and have no item yet. */
  readonly #ends: number[] = [];
  readonly #items = new Map<string, Committed>();
  /** Words so far, by item. */
  readonly #interim = new Map<string, string>();

  constructor(update: string) {
    this.#sessionUpdate = update;
  }

  sent(durationMs: number): void {
    this.#sentMs += durationMs;
  }

  finish(): string {
    this.#ends.push(this.#sentMs);
    return JSON.stringify({ type: 'input_audio_buffer.commit' });
  }

  gaveUp(): SttNews[] {
    const [oldest] = this.#items.keys();
    if (oldest === undefined) this.#ends.shift();
    else this.#items.delete(oldest);
    return this.#completed();
  }

  read(raw: unknown): SttNews[] {
    const message = objectOf(raw);
    const item = textOf(message['item_id']);
    switch (textOf(message['type'])) {
      case 'session.created':
        return [{ kind: 'reply', message: this.#sessionUpdate }];
      case 'session.updated':
        return [{ kind: 'ready' }];
      case 'input_audio_buffer.committed':
        this.#items.set(item, { throughMs: this.#ends.shift() ?? this.#sentMs, completed: null });
        return [];
      case 'conversation.item.input_audio_transcription.delta':
        return this.#interimWords(item, textOf(message['delta']));
      case 'conversation.item.input_audio_transcription.completed':
        return this.#complete(item, message);
      case 'conversation.item.input_audio_transcription.failed':
        return [failed(objectOf(message['error']))];
      case 'error':
        return this.#error(objectOf(message['error']));
      default:
        return [];
    }
  }

  #interimWords(item: string, delta: string): SttNews[] {
    const text = (this.#interim.get(item) ?? '') + delta;
    this.#interim.set(item, text);
    const [first] = this.#items.keys();
    const isFirst = first === undefined || first === item;
    return isFirst
      ? [{ kind: 'words', isFinal: false, text: text.trim(), confidence: confidenceOf(null) }]
      : [];
  }

  #complete(item: string, message: Message): SttNews[] {
    const committed = this.#items.get(item);
    if (!committed) return [];
    committed.completed = message;
    return this.#completed();
  }

  /** The utterances whose words are there, up to the first one that waits for them. */
  #completed(): SttNews[] {
    const news: SttNews[] = [];
    for (const [id, { throughMs, completed }] of this.#items) {
      if (completed === null) break;
      this.#items.delete(id);
      this.#interim.delete(id);
      news.push({ ...wordsOf(completed), throughMs }, { kind: 'finished', throughMs });
    }
    return news;
  }

  #error(error: Message): SttNews[] {
    if (textOf(error['code']) !== EMPTY_COMMIT) return [failed(error)];
    const throughMs = this.#ends.shift() ?? this.#sentMs;
    return [{ kind: 'finished', throughMs }];
  }
}

/** The confidence of a text is the mean of the logarithms of its tokens; without them it is assumed. */
function wordsOf(completed: Message): Extract<SttNews, { kind: 'words' }> {
  const logs = listOf(completed['logprobs']).flatMap((token) => numberOf(objectOf(token)['logprob']) ?? []);
  const mean = logs.reduce((sum, log) => sum + log, 0) / (logs.length || 1);
  return {
    kind: 'words',
    isFinal: true,
    text: textOf(completed['transcript']).trim(),
    confidence: confidenceOf(logs.length === 0 ? null : Math.exp(mean)),
  };
}

function failed(error: Message): SttNews {
  const code = textOf(error['code']) || textOf(error['type']);
  return { kind: 'failed', message: code, retryable: PASSING_ERRORS.has(code) || code === '' };
}

/** 16-bit samples at 16 kHz as the same at 24 kHz, three for every two: recognisers hear nothing above 8 kHz. */
function toWidePcm(bytes: Uint8Array): Uint8Array {
  const given = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = given.length / 2;
  const sampleAt = (index: number) => given.readInt16LE(2 * Math.min(index, samples - 1));
  const wide = Buffer.alloc(2 * Math.floor((samples * 3) / 2));
  for (let at = 0; at < wide.length / 2; at += 1) {
    const place = (at * 2) / 3;
    const before = Math.floor(place);
    const share = place - before;
    const value = sampleAt(before) * (1 - share) + sampleAt(before + 1) * share;
    wide.writeInt16LE(Math.round(value), 2 * at);
  }
  return wide;
}
