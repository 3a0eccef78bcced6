import {
  concurrencySetting,
  type ProviderSetting,
  type ProviderSettings,
  type TtsFactory,
  type VoiceListing,
} from '#providers/provider-definition.js';
import { refusalOf, streamedSpeechError } from '#providers/voices/voice-errors.js';
import { speedWithin } from '#speech/voice-settings.js';
import type { VoicePart, VoiceSentence, VoiceWire } from '#providers/voices/voice-wire.js';
import { IdleSockets } from '#providers/wire/idle-sockets.js';
import { speakOverSocket } from '#providers/wire/socket-sentence.js';

/** The API version that requests name; other versions may have other fields. */
const VERSION = '2026-03-01';
/** The factors of speed that Cartesia accepts. */
const SPEEDS = { slowest: 0.6, fastest: 2 };
/** The most voices that one request may list. */
const VOICES_LISTED = 100;

/** The settings of Cartesia's voices. */
export const cartesiaVoiceSettings: Readonly<Record<string, ProviderSetting>> = {
  TTS_CONCURRENCY: concurrencySetting('Cartesia'),
  TTS_MODEL: { docs: 'Model of voices of Cartesia for agents that name none.', fallback: 'sonic-3.5' },
  VOICE: {
    docs: 'Id of a voice of Cartesia for agents that name none.',
    fallback: 'f786b574-daa5-4673-aa0c-cbe3e8534c02',
  },
};

/**
 * The voices of Cartesia: each sentence is a context (Cartesia's word for one request) on a persistent socket; the
 * answer has word times. A call at 8 kHz (telephony) gets µ-law, so that its audio needs no conversion. Opened by
 * `Voices`.
 */
export const cartesiaTts: TtsFactory = {
  defaults: ({ TTS_MODEL, VOICE }) => ({ model: TTS_MODEL ?? null, voice: VOICE ?? null }),
  open(settings, { clock, openSocket }): VoiceWire {
    const sockets = new IdleSockets(openSocket, clock);
    const { baseUrl, headers } = accountOf(settings);
    const target = { url: `${baseUrl}/tts/websocket`, headers };
    let contextCount = 0;
    return {
      provider: 'cartesia',
      account: baseUrl,
      format: ({ sampleRateHz }) =>
        sampleRateHz === 8000
          ? { encoding: 'mulaw', rateHz: 8000 }
          : { encoding: 'pcm16', rateHz: sampleRateHz },
      stream(sentence, signal) {
        const context = `sentence-${++contextCount}`;
        return speakOverSocket(
          {
            provider: 'cartesia',
            target,
            begin: [{ ...requestOf(sentence), context_id: context }],
            read: (message) => partsOf(context, 'text' in message ? message.text : ''),
            cancel: { context_id: context, cancel: true },
          },
          sockets,
          signal,
        );
      },
      prepare: () => sockets.prepare(target),
      close: () => sockets.close(),
    };
  },
  async listVoices(settings, { fetch, clock }, signal) {
    const { baseUrl, headers } = accountOf(settings);
    const response = await fetch(`${baseUrl}/voices?limit=${VOICES_LISTED}`, { headers, signal });
    const errorOptions = { errorIn, nowMs: clock.wallMs() };
    if (!response.ok) throw await refusalOf('cartesia', response, errorOptions);
    return voicesIn(await response.json());
  },
};

function accountOf({ BASE_URL, API_KEY }: ProviderSettings) {
  return { baseUrl: BASE_URL ?? '', headers: { 'x-api-key': API_KEY ?? '', 'cartesia-version': VERSION } };
}

/** The request for one sentence; Cartesia takes languages without a region (`de`). */
function requestOf({ text, voice, model, language, sampleRateHz, settings }: VoiceSentence) {
  const speed = speedWithin(settings, SPEEDS);
  return {
    model_id: model,
    transcript: text,
    voice: { mode: 'id', id: voice },
    language: language.split('-')[0]!.toLowerCase(),
    output_format: {
      container: 'raw',
      encoding: sampleRateHz === 8000 ? 'pcm_mulaw' : 'pcm_s16le',
      sample_rate: sampleRateHz,
    },
    ...(speed !== null && { generation_config: { speed } }),
    add_timestamps: true,
    // Sentences are complete: buffering for more text would only delay them.
    max_buffer_delay_ms: 0,
    continue: false,
  };
}

/** A message or error body of Cartesia; only the fields that are read. */
interface VendorMessage {
  type?: string;
  context_id?: string;
  data?: string;
  word_timestamps?: { words?: string[]; end?: number[] };
  title?: string;
  error_code?: string;
  status_code?: number;
}

/**
 * The parts in a message of the socket. Messages of other contexts are ignored, because a cancelled sentence may still
 * send audio.
 * @throws SpeechError for an error message
 */
function partsOf(context: string, text: string): (VoicePart | 'done')[] {
  const event = readJson(text);
  if (event.context_id !== undefined && event.context_id !== context) return [];
  switch (event.type) {
    case 'chunk':
      return event.data ? [{ bytes: Buffer.from(event.data, 'base64') }] : [];
    case 'timestamps': {
      const { words = [], end = [] } = event.word_timestamps ?? {};
      return [{ words: words.map((word, index) => ({ text: word, endMs: (end[index] ?? 0) * 1000 })) }];
    }
    case 'done':
      return ['done'];
    case 'error':
      throw streamedSpeechError('cartesia', errorIn(event));
    default:
      return [];
  }
}

/** The code and status of an error, in the form that `streamedSpeechError` and `refusalOf` read. */
function errorIn(body: unknown): unknown {
  const { error_code, title, status_code } = (body ?? {}) as VendorMessage;
  return { code: error_code ?? title, status: status_code === undefined ? undefined : String(status_code) };
}

function readJson(text: string): VendorMessage {
  try {
    return (JSON.parse(text) as VendorMessage | null) ?? {};
  } catch {
    return {};
  }
}

/** The voices in a page `{ data: [...] }` or a plain list. */
function voicesIn(body: unknown): VoiceListing[] {
  const list = Array.isArray(body) ? body : ((body ?? {}) as { data?: unknown }).data;
  if (!Array.isArray(list)) return [];
  return (list as { id?: string; name?: string; language?: string }[]).flatMap(({ id, name, language }) =>
    id === undefined ? [] : [{ id, name: name ?? id, language: language ?? null }],
  );
}
