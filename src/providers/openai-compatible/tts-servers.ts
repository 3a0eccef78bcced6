import { openAiVoiceWire } from '#providers/openai/tts.js';
import type {
  ProviderDefinition,
  ProviderSetting,
  ProviderSettings,
  TtsFactory,
  VoiceListing,
} from '#providers/provider-definition.js';
import { bytesOf, refusalOf } from '#providers/voices/voice-errors.js';
import { errorOfOpenAi } from '#providers/openai/openai-errors.js';

/**
 * The providers of voices on self-hosted servers with OpenAI's endpoint `/audio/speech`: Kokoro, speaches, and any
 * other one as `openai-compatible`.
 */

/** A kind of self-hosted server that only has voices. */
interface TtsServer {
  name: string;
  prefix: string;
  /** The name in the documentation of the settings. */
  vendor: string;
  /** An example of its address, for the documentation. */
  example: string;
  /** The defaults of the settings for model and voice. */
  model: string | null;
  voice: string | null;
  /** The server's sample rate; null if it sends the requested rate. */
  rateHz: number | null;
}

const KOKORO: TtsServer = {
  name: 'kokoro',
  prefix: 'KOKORO',
  vendor: 'Kokoro-FastAPI',
  example: 'http://localhost:8880/v1',
  model: 'kokoro',
  voice: 'af_heart',
  rateHz: 24_000,
};

const SPEACHES: TtsServer = {
  name: 'speaches',
  prefix: 'SPEACHES',
  vendor: 'speaches',
  example: 'http://localhost:8000/v1',
  model: 'speaches-ai/Kokoro-82M-v1.0-ONNX',
  voice: 'af_heart',
  rateHz: null,
};

/** The rate of OpenAI's raw audio, which most compatible servers copy. */
const DEFAULT_RATE_HZ = 24_000;

/** The settings of voices for the provider `openai-compatible`. */
export const anyServerVoiceSettings: Readonly<Record<string, ProviderSetting>> = {
  TTS_MODEL: { docs: 'Model of voices for agents that name none.', fallback: 'tts-1' },
  VOICE: { docs: 'Voice for agents that name none.', fallback: 'alloy' },
  TTS_SAMPLE_RATE: {
    docs: 'Rate of the raw sound that the server sends, in Hz.',
    fallback: String(DEFAULT_RATE_HZ),
  },
};

/** The voices of any server with `/audio/speech`; its sample rate is a setting. */
export function anyServerTts(name: string): TtsFactory {
  return ttsOf(name, ({ TTS_SAMPLE_RATE }) => Number(TTS_SAMPLE_RATE) || DEFAULT_RATE_HZ);
}

/** The providers Kokoro and speaches: self-hosted servers that only have voices. */
export const ttsServers: readonly ProviderDefinition[] = [KOKORO, SPEACHES].map((server) => ({
  name: server.name,
  prefix: server.prefix,
  settings: {
    API_KEY: { docs: `API key of ${server.vendor}, where it asks for one.`, fallback: null, secret: true },
    BASE_URL: {
      docs: `Address of ${server.vendor}, up to and with /v1, such as ${server.example}.`,
      fallback: null,
    },
    TTS_MODEL: { docs: `Model of ${server.vendor} for agents that name none.`, fallback: server.model },
    VOICE: { docs: `Voice of ${server.vendor} for agents that name none.`, fallback: server.voice },
  },
  configuredBy: [['BASE_URL']],
  tts: ttsOf(server.name, () => server.rateHz),
}));

/**
 * Voices behind `/audio/speech`, listed at `/audio/voices`.
 * @param rateOf the rate of the raw audio, in Hz; null if the server sends the rate of the call
 */
function ttsOf(provider: string, rateOf: (settings: ProviderSettings) => number | null): TtsFactory {
  return {
    defaults: ({ TTS_MODEL, VOICE }) => ({ model: TTS_MODEL ?? null, voice: VOICE ?? null }),
    open: (settings, parts) =>
      openAiVoiceWire(
        {
          provider,
          baseUrl: settings['BASE_URL'] ?? '',
          apiKey: settings['API_KEY'] ?? null,
          rateHz: rateOf(settings),
        },
        parts,
      ),
    async listVoices(settings, parts, signal) {
      const key = settings['API_KEY'] ?? null;
      const response = await parts.fetch(`${settings['BASE_URL'] ?? ''}/audio/voices`, {
        headers: key === null ? {} : { authorization: `Bearer ${key}` },
        signal,
      });
      const errorOptions = { errorIn: errorOfOpenAi, nowMs: parts.clock.wallMs() };
      if (!response.ok) throw await refusalOf(provider, response, errorOptions);
      const chunks: Uint8Array[] = [];
      for await (const bytes of bytesOf(provider, response)) chunks.push(bytes);
      return voicesIn(JSON.parse(Buffer.concat(chunks).toString()));
    },
  };
}

/** The voices in `{ voices: [{ id }] }` or `{ voices: [id] }`; empty for any other body. */
function voicesIn(body: unknown): VoiceListing[] {
  const { voices } = body as { voices?: unknown };
  if (!Array.isArray(voices)) return [];
  return voices.flatMap((voice: unknown) => {
    const id = typeof voice === 'string' ? voice : (voice as { id?: unknown } | null)?.id;
    return typeof id === 'string' ? [{ id, name: id, language: null }] : [];
  });
}
