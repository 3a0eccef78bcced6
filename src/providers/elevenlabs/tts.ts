import {
  concurrencySetting,
  type ProviderSetting,
  type ProviderSettings,
  type TtsFactory,
  type VoiceListing,
} from '#providers/provider-definition.js';
import { refusalOf, bytesOf, noAudioError, streamedSpeechError } from '#providers/voices/voice-errors.js';
import { speedWithin } from '#speech/voice-settings.js';
import type { VoicePart, VoiceSentence, VoiceWire } from '#providers/voices/voice-wire.js';
import { IdleSockets } from '#providers/wire/idle-sockets.js';
import { linesOf } from '#providers/wire/lines.js';
import { speakOverSocket } from '#providers/wire/socket-sentence.js';
import type { SpokenWord } from '#speech/tts.js';

/** The longest idle time that ElevenLabs allows for a socket, in seconds. */
const INACTIVITY_SECONDS = 180;
/** The factors of speed that ElevenLabs accepts. */
const SPEEDS = { slowest: 0.7, fastest: 1.2 };

/** The settings of ElevenLabs' voices. */
export const elevenLabsVoiceSettings: Readonly<Record<string, ProviderSetting>> = {
  TTS_CONCURRENCY: concurrencySetting('ElevenLabs'),
  TTS_MODEL: {
    docs: 'Model of voices of ElevenLabs for agents that name none.',
    fallback: 'eleven_flash_v2_5',
  },
  VOICE: { docs: 'Id of a voice of ElevenLabs for agents that name none.', fallback: null },
  TTS_TRANSPORT: {
    docs: '`socket`, which is faster, or `http`: how sentences are sent to ElevenLabs.',
    fallback: 'socket',
  },
};

/**
 * The voices of ElevenLabs. Each sentence is a context (ElevenLabs' word for one request) on a persistent socket, or a
 * streamed HTTP request (`TTS_TRANSPORT`). Answers have the times of letters. A call at 8 kHz (telephony) gets µ-law,
 * so that its audio needs no conversion. Opened by `Voices`.
 */
export const elevenLabsTts: TtsFactory = {
  defaults: ({ TTS_MODEL, VOICE }) => ({ model: TTS_MODEL ?? null, voice: VOICE ?? null }),
  needsVoice: true,
  open(settings, { fetch, clock, openSocket }): VoiceWire {
    const sockets = new IdleSockets(openSocket, clock);
    const account = accountOf(settings);
    let contextCount = 0;
    return {
      provider: 'elevenlabs',
      account: account.baseUrl,
      format: ({ sampleRateHz }) =>
        sampleRateHz === 8000
          ? { encoding: 'mulaw', rateHz: 8000 }
          : { encoding: 'pcm16', rateHz: sampleRateHz },
      stream: (sentence, signal) =>
        usesSocket(sentence, settings)
          ? speakOverContext(sentence, account, { sockets, context: `sentence-${++contextCount}`, signal })
          : speakOverHttp(sentence, account, { fetch, nowMs: () => clock.wallMs(), signal }),
      prepare(sentence) {
        if (sentence.voice !== null && usesSocket(sentence, settings))
          sockets.prepare(socketTarget(sentence, account));
      },
      close: () => sockets.close(),
    };
  },
  async listVoices(settings, { fetch, clock }, signal) {
    const { baseUrl, headers } = accountOf(settings);
    const response = await fetch(`${baseUrl}/voices`, { headers, signal });
    if (!response.ok) throw await refusalOf('elevenlabs', response, { errorIn, nowMs: clock.wallMs() });
    return voicesIn(await response.json());
  },
};

/** The address and the authorisation of requests. */
interface Account {
  baseUrl: string;
  headers: Record<string, string>;
}

function accountOf({ BASE_URL, API_KEY }: ProviderSettings): Account {
  return { baseUrl: BASE_URL ?? '', headers: { 'xi-api-key': API_KEY ?? '' } };
}

/** True if a sentence is sent over a socket, which v3 models do not have. */
function usesSocket({ model }: Pick<VoiceSentence, 'model'>, { TTS_TRANSPORT }: ProviderSettings): boolean {
  return TTS_TRANSPORT !== 'http' && !/v3/.test(model ?? '');
}

/** Query parameters of a sentence, for sockets and requests. */
function queryOf({ model, sampleRateHz, language }: Omit<VoiceSentence, 'text'>): URLSearchParams {
  const query = new URLSearchParams({
    output_format: sampleRateHz === 8000 ? 'ulaw_8000' : `pcm_${sampleRateHz}`,
  });
  if (model !== null) query.set('model_id', model);
  // Other models refuse a language code.
  if (/v2_5|v3/.test(model ?? '')) query.set('language_code', language.split('-')[0]!.toLowerCase());
  return query;
}

/** The agent's voice settings as a field of a request; empty if the agent has none. */
function voiceSettingsOf({ settings }: VoiceSentence): Record<string, unknown> {
  const { stability = null, similarity_boost = null, style = null } = settings;
  const speed = speedWithin(settings, SPEEDS);
  const voiceSettings = {
    ...(stability !== null && { stability }),
    ...(similarity_boost !== null && { similarity_boost }),
    ...(style !== null && { style }),
    ...(speed !== null && { speed }),
  };
  return Object.keys(voiceSettings).length === 0 ? {} : { voice_settings: voiceSettings };
}

/** The address of a voice's socket. */
function socketTarget(sentence: Omit<VoiceSentence, 'text'>, { baseUrl, headers }: Account) {
  const query = queryOf(sentence);
  // Sentences are complete: buffering for more text would only delay them.
  for (const [name, value] of Object.entries({
    auto_mode: 'true',
    sync_alignment: 'true',
    inactivity_timeout: String(INACTIVITY_SECONDS),
  }))
    query.set(name, value);
  const voice = encodeURIComponent(sentence.voice ?? '');
  return { url: `${baseUrl}/text-to-speech/${voice}/multi-stream-input?${query.toString()}`, headers };
}

/** Speaks a sentence as one context. A cancelled context may still send audio, which its id identifies. */
function speakOverContext(
  sentence: VoiceSentence,
  account: Account,
  { sockets, context, signal }: { sockets: IdleSockets; context: string; signal: AbortSignal },
): AsyncIterable<VoicePart> {
  const times = new ChunkTimes(sentence);
  return speakOverSocket(
    {
      provider: 'elevenlabs',
      target: socketTarget(sentence, account),
      // The context's settings, the text with a request to speak it at once, and the end of the context.
      begin: [
        { text: ' ', ...voiceSettingsOf(sentence), context_id: context },
        { text: `${sentence.text} `, context_id: context, flush: true },
        { context_id: context, close_context: true },
      ],
      read(message) {
        const event = 'text' in message ? readJson(message.text) : {};
        if (event.error !== undefined) throw streamedSpeechError('elevenlabs', codeOf(event));
        if (event.contextId !== context) return [];
        return [
          ...times.partsOf(event.audio, event.alignment ?? event.normalizedAlignment),
          ...(event.isFinal ? ['done' as const] : []),
        ];
      },
      cancel: { context_id: context, close_context: true },
    },
    sockets,
    signal,
  );
}

/** Speaks a sentence by a streamed request, whose answer has one JSON value per line. */
async function* speakOverHttp(
  sentence: VoiceSentence,
  { baseUrl, headers }: Account,
  { fetch, nowMs, signal }: { fetch: typeof globalThis.fetch; nowMs: () => number; signal: AbortSignal },
): AsyncGenerator<VoicePart> {
  const voice = encodeURIComponent(sentence.voice ?? '');
  const query = queryOf(sentence);
  const { text, model } = sentence;
  const language = query.get('language_code');
  const url = `${baseUrl}/text-to-speech/${voice}/stream/with-timestamps?output_format=${query.get('output_format')}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      text,
      model_id: model,
      ...(language !== null && { language_code: language }),
      ...voiceSettingsOf(sentence),
    }),
    signal,
  });
  if (!response.ok) throw await refusalOf('elevenlabs', response, { errorIn, nowMs: nowMs() });
  // A proxy may answer with an error page and status 200.
  const type = response.headers.get('content-type') ?? '';
  if (/html/i.test(type)) throw noAudioError('elevenlabs', type);
  const times = new ChunkTimes(sentence);
  for await (const line of linesOf(bytesOf('elevenlabs', response))) {
    const event = readJson(line);
    yield* times.partsOf(event.audio_base64, event.alignment ?? event.normalized_alignment);
  }
}

/** Letters and their times, with the field names of sockets, older sockets and HTTP. */
interface Alignment {
  chars?: string[];
  charStartTimesMs?: number[];
  charDurationsMs?: number[];
  charsDurationsMs?: number[];
  characters?: string[];
  character_end_times_seconds?: number[];
  character_start_times_seconds?: number[];
}

/** A message of the socket, or a line of an HTTP answer; only the fields that are read. */
interface VendorMessage {
  audio?: string | null;
  audio_base64?: string | null;
  isFinal?: boolean | null;
  contextId?: string;
  alignment?: Alignment | null;
  normalizedAlignment?: Alignment | null;
  normalized_alignment?: Alignment | null;
  error?: unknown;
  message?: unknown;
  code?: unknown;
}

/**
 * Turns the audio chunks of one sentence into parts. ElevenLabs counts the times of letters from the beginning of their
 * chunk; parts count them from the beginning of the sentence.
 */
class ChunkTimes {
  readonly #bytesPerMs: number;
  /** The length of the audio in earlier chunks. */
  #soundMs = 0;

  constructor({ sampleRateHz }: VoiceSentence) {
    this.#bytesPerMs = sampleRateHz === 8000 ? 8 : (sampleRateHz * 2) / 1000;
  }

  /** The parts of one chunk. @param audio base64 */
  partsOf(audio: string | null | undefined, alignment: Alignment | null | undefined): VoicePart[] {
    const parts: VoicePart[] = [];
    if (alignment) parts.push({ words: this.#letters(alignment) });
    if (audio) {
      const bytes = Buffer.from(audio, 'base64');
      this.#soundMs += bytes.length / this.#bytesPerMs;
      parts.push({ bytes });
    }
    return parts;
  }

  /** The letters of a chunk, reported as words: each with its end in the sentence. */
  #letters(alignment: Alignment): SpokenWord[] {
    const { chars = alignment.characters ?? [] } = alignment;
    const starts =
      alignment.charStartTimesMs ??
      (alignment.character_start_times_seconds ?? []).map((start) => start * 1000);
    const durations = alignment.charDurationsMs ?? alignment.charsDurationsMs ?? [];
    const ends = (alignment.character_end_times_seconds ?? []).map((end) => end * 1000);
    // Some answers count from the beginning of the sentence already: their first time is far beyond 0.
    const fromMs = (starts[0] ?? 0) > this.#soundMs / 2 ? 0 : this.#soundMs;
    return chars.map((text, index) => ({
      text,
      endMs: fromMs + (ends[index] ?? (starts[index] ?? 0) + (durations[index] ?? 0)),
    }));
  }
}

function readJson(text: string): VendorMessage {
  try {
    return (JSON.parse(text) as VendorMessage | null) ?? {};
  } catch {
    return {};
  }
}

/**
 * The error in a message. Its name is in `error`, else (if that is a sentence) in `message`; the field `code` is only
 * the close code that follows.
 */
function codeOf({ error, message }: VendorMessage): { code: string; message: string } {
  const code = typeof error === 'string' && /^\w+$/.test(error) ? error : textOf(message);
  return { code, message: textOf(message) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The error in an HTTP body: `detail` is an object with `status` or `code`; older errors have a text there. */
function errorIn(body: unknown): unknown {
  const detail = (body as { detail?: unknown } | null)?.detail;
  return typeof detail === 'object' && !Array.isArray(detail) ? detail : { message: textOf(detail) };
}

function voicesIn(body: unknown): VoiceListing[] {
  const { voices = [] } = (body ?? {}) as {
    voices?: { voice_id?: string; name?: string; labels?: { language?: string } }[];
  };
  return voices.flatMap(({ voice_id, name, labels }) =>
    voice_id === undefined
      ? []
      : [{ id: voice_id, name: name ?? voice_id, language: labels?.language ?? null }],
  );
}
