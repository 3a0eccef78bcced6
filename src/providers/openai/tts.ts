import type { TtsFactory, ProviderSettings } from '#providers/provider-definition.js';
import type { VoiceSentence, VoiceWire } from '#providers/voices/voice-wire.js';
import { bytesOf, noAudioError, refusalOf } from '#providers/voices/voice-errors.js';
import { speedWithin } from '#speech/voice-settings.js';
import { errorOfOpenAi } from './openai-errors.js';

/** The factors of speed that the endpoint accepts. */
const SPEEDS = { slowest: 0.25, fastest: 4 };

/** A server with OpenAI's endpoint `/audio/speech`. */
export interface SpeechEndpoint {
  provider: string;
  baseUrl: string;
  apiKey: string | null;
  /** The sample rate of the server's raw audio; null if the server sends the rate that the request names. */
  rateHz: number | null;
  /** Additional fields of the body. */
  extra?: Readonly<Record<string, unknown>>;
}

/**
 * The connection to voices behind OpenAI's endpoint `/audio/speech`, at OpenAI or a compatible server: one streamed
 * request per sentence, without word times. Used by the providers `openai`, `openai-compatible`, `kokoro` and
 * `speaches`.
 */
export function openAiVoiceWire(
  endpoint: SpeechEndpoint,
  parts: { fetch: typeof fetch; clock: { wallMs(): number } },
): VoiceWire {
  const { provider, baseUrl, apiKey } = endpoint;
  return {
    provider,
    account: `${provider} ${baseUrl}`,
    format: ({ sampleRateHz }) => ({ encoding: 'pcm16', rateHz: endpoint.rateHz ?? sampleRateHz }),
    async *stream(sentence, signal) {
      const response = await parts.fetch(`${baseUrl}/audio/speech`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify(bodyOf(sentence, endpoint)),
        signal,
      });
      const errorOptions = { errorIn: errorOfOpenAi, nowMs: parts.clock.wallMs() };
      if (!response.ok) throw await refusalOf(provider, response, errorOptions);
      // A proxy may answer with an error page and status 200.
      const type = response.headers.get('content-type') ?? '';
      if (/json|html|text/i.test(type)) throw noAudioError(provider, type);
      for await (const bytes of bytesOf(provider, response)) yield { bytes };
    },
  };
}

/** The body of the request for one sentence. The `tts-1` models take no instructions on how to speak. */
function bodyOf(sentence: VoiceSentence, { rateHz, extra }: SpeechEndpoint): Record<string, unknown> {
  const { text, model, voice, settings, sampleRateHz } = sentence;
  const { instructions = null } = settings;
  const speed = speedWithin(settings, SPEEDS);
  return {
    model,
    input: text,
    voice,
    response_format: 'pcm',
    ...(rateHz === null && { sample_rate: sampleRateHz }),
    ...(speed !== null && { speed }),
    ...(instructions !== null && !model?.startsWith('tts-1') && { instructions }),
    ...extra,
  };
}

/** OpenAI's voices as of August 2026, for the list of voices; agents may name newer voices as well. */
const OPENAI_VOICES = [
  'alloy',
  'ash',
  'ballad',
  'coral',
  'echo',
  'fable',
  'onyx',
  'nova',
  'sage',
  'shimmer',
  'verse',
  'marin',
  'cedar',
];
/** The rate of OpenAI's raw audio. */
const PCM_RATE_HZ = 24_000;

/** The voices of OpenAI itself. */
export const openAiTts: TtsFactory = {
  defaults: ({ TTS_MODEL, VOICE }) => ({ model: TTS_MODEL ?? null, voice: VOICE ?? null }),
  open: (settings, parts) => openAiVoiceWire({ provider: 'openai', ...endpointOf(settings) }, parts),
  listVoices: async () => OPENAI_VOICES.map((id) => ({ id, name: id, language: null })),
};

function endpointOf(settings: ProviderSettings) {
  return {
    baseUrl: settings['BASE_URL'] ?? '',
    apiKey: settings['API_KEY'] ?? null,
    rateHz: PCM_RATE_HZ,
  };
}
