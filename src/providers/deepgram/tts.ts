import { codeOf } from '#language/languages/languages.js';
import {
  concurrencySetting,
  type ProviderSetting,
  type ProviderSettings,
  type TtsFactory,
  type VoiceListing,
} from '#providers/provider-definition.js';
import { bytesOf, noAudioError, refusalOf, streamedSpeechError } from '#providers/voices/voice-errors.js';
import { speedWithin } from '#speech/voice-settings.js';
import type { SoundFormat, VoicePart, VoiceSentence, VoiceWire } from '#providers/voices/voice-wire.js';
import { IdleSockets } from '#providers/wire/idle-sockets.js';
import { speakOverSocket } from '#providers/wire/socket-sentence.js';

/** Flux accepts speeds in steps of 0.05: 20 steps per 1.0. */
const SPEED_STEPS = 20;
/** The factors of speed that Flux accepts. */
const SPEEDS = { slowest: 0.85, fastest: 1.15 };

/** The settings of Deepgram's voices. */
export const deepgramVoiceSettings: Readonly<Record<string, ProviderSetting>> = {
  TTS_CONCURRENCY: concurrencySetting('Deepgram'),
  VOICE: {
    docs: 'Voice of Deepgram for agents that name none: `aura-2-…` or `flux-…`.',
    fallback: 'aura-2-thalia-en',
  },
};

/** An Aura voice per language, for sentences in another language than that of the named voice. */
const AURA_VOICES: Readonly<Record<string, string>> = {
  en: 'aura-2-thalia-en',
  es: 'aura-2-celeste-es',
  de: 'aura-2-aurelia-de',
  fr: 'aura-2-agathe-fr',
  it: 'aura-2-cesare-it',
  nl: 'aura-2-beatrix-nl',
  ja: 'aura-2-ama-ja',
};

/**
 * The voices of Deepgram; in its API each voice is a model. Aura voices take one streamed request per sentence, because
 * their sockets allow only 20 sentences a minute. Flux voices have only sockets, and their audio has no sentence id, so
 * an abort closes the socket. Opened by `Voices`.
 */
export const deepgramTts: TtsFactory = {
  languages: Object.keys(AURA_VOICES),
  defaults: ({ VOICE }) => ({ model: null, voice: VOICE ?? null }),
  open(settings, { fetch, clock, openSocket }): VoiceWire {
    const sockets = new IdleSockets(openSocket, clock);
    const account = accountOf(settings);
    return {
      provider: 'deepgram',
      account: account.baseUrl,
      format: formatOf,
      stream: (sentence, signal) =>
        isFlux(sentence)
          ? speakWithFlux(sentence, account, { sockets, signal })
          : speakWithAura(sentence, account, { fetch, nowMs: () => clock.wallMs(), signal }),
      prepare(sentence) {
        if (isFlux(sentence)) sockets.prepare(fluxTarget(sentence, account));
      },
      close: () => sockets.close(),
    };
  },
  async listVoices(settings, { fetch, clock }, signal) {
    const { baseUrl, headers } = accountOf(settings);
    const response = await fetch(`${baseUrl}/v1/models`, { headers, signal });
    if (!response.ok) throw await refusalOf('deepgram', response, { errorIn, nowMs: clock.wallMs() });
    return voicesIn(await response.json());
  },
};

/** The address and the authorisation of requests. */
interface Account {
  baseUrl: string;
  headers: Record<string, string>;
}

function accountOf({ BASE_URL, API_KEY }: ProviderSettings): Account {
  return { baseUrl: BASE_URL ?? '', headers: { authorization: `Token ${API_KEY ?? ''}` } };
}

/** True if a Flux voice speaks the sentence. */
function isFlux(sentence: Pick<VoiceSentence, 'voice' | 'language'>): boolean {
  return voiceFor(sentence).startsWith('flux-');
}

/** The format of the audio: a call at 8 kHz (telephony) gets µ-law, so that its audio needs no conversion. */
function formatOf({ sampleRateHz }: Pick<VoiceSentence, 'sampleRateHz'>): SoundFormat {
  return sampleRateHz === 8000
    ? { encoding: 'mulaw', rateHz: 8000 }
    : { encoding: 'pcm16', rateHz: sampleRateHz };
}

/**
 * The voice for a sentence: the named one if it speaks the language, else an Aura voice of that language. The last part
 * of a voice's name is its language.
 */
function voiceFor({ voice, language }: Pick<VoiceSentence, 'voice' | 'language'>): string {
  const spoken = codeOf(language);
  const voiceLanguage = /-([a-z]{2})$/.exec(voice ?? '')?.[1];
  const speaksIt = voiceLanguage === undefined || voiceLanguage === spoken;
  return speaksIt ? (voice ?? '') : (AURA_VOICES[spoken] ?? voice ?? '');
}

/** The query of the address: voice and format. */
function queryOf(sentence: Omit<VoiceSentence, 'text'>): string {
  return new URLSearchParams({
    model: voiceFor(sentence),
    encoding: formatOf(sentence).encoding === 'mulaw' ? 'mulaw' : 'linear16',
    sample_rate: String(sentence.sampleRateHz),
  }).toString();
}

/** Speaks a sentence with an Aura voice: one request, whose body is raw audio. @throws SpeechError */
async function* speakWithAura(
  sentence: VoiceSentence,
  { baseUrl, headers }: Account,
  { fetch, nowMs, signal }: { fetch: typeof globalThis.fetch; nowMs: () => number; signal: AbortSignal },
): AsyncGenerator<VoicePart> {
  const response = await fetch(`${baseUrl}/v1/speak?${queryOf(sentence)}&container=none`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ text: spelledOut(sentence.text) }),
    signal,
  });
  if (!response.ok) throw await refusalOf('deepgram', response, { errorIn, nowMs: nowMs() });
  // A proxy may answer with an error page and status 200.
  const type = response.headers.get('content-type') ?? '';
  if (/json|html/i.test(type)) throw noAudioError('deepgram', type);
  for await (const bytes of bytesOf('deepgram', response)) yield { bytes };
}

/** Separates spelled letters by commas: Aura drops letters that are joined by hyphens, as in "C-L-I-N-I-C". */
function spelledOut(text: string): string {
  return text.replace(/\b[A-Z\d](?:-[A-Z\d])+\b/g, (letters) => letters.replaceAll('-', ', '));
}

/** The socket for a Flux voice; voice and format belong to the connection. */
function fluxTarget(sentence: Omit<VoiceSentence, 'text'>, { baseUrl, headers }: Account) {
  return { url: `${baseUrl}/v2/speak?${queryOf(sentence)}`, headers };
}

/** Speaks a sentence with a Flux voice over a socket. */
function speakWithFlux(
  sentence: VoiceSentence,
  account: Account,
  { sockets, signal }: { sockets: IdleSockets; signal: AbortSignal },
): AsyncIterable<VoicePart> {
  const speed = speedWithin(sentence.settings, SPEEDS);
  return speakOverSocket(
    {
      provider: 'deepgram',
      target: fluxTarget(sentence, account),
      begin: [
        ...(speed === null
          ? []
          : [{ type: 'Configure', speed: Math.round(speed * SPEED_STEPS) / SPEED_STEPS }]),
        { type: 'Speak', text: sentence.text },
        { type: 'Flush' },
      ],
      read: (message) => ('bytes' in message ? [message] : partsOf(message.text)),
      // There is no message that cancels a sentence: an abort closes the socket.
      cancel: null,
    },
    sockets,
    signal,
  );
}

/** Codes of warnings that end a sentence, because no audio follows. */
const SILENT_WARNINGS = new Set(['NO_SYNTHESIZABLE_TEXT', 'NO_AUDIO_GENERATED']);

/** `done` if a text message of Flux ends the sentence; else nothing. @throws SpeechError for an error message */
function partsOf(text: string): 'done'[] {
  const event = readJson(text);
  if (event.type === 'Flushed') return ['done'];
  if (event.type === 'Warning' && SILENT_WARNINGS.has(event.code ?? '')) return ['done'];
  if (event.type === 'Error') throw streamedSpeechError('deepgram', { code: event.code ?? 'error' });
  return [];
}

function readJson(text: string): { type?: string; code?: string } {
  try {
    return (JSON.parse(text) as { type?: string; code?: string } | null) ?? {};
  } catch {
    return {};
  }
}

/** The code of an error, in the form that `refusalOf` reads. */
function errorIn(body: unknown): unknown {
  const { err_code } = (body ?? {}) as { err_code?: unknown };
  return { code: err_code };
}

function voicesIn(body: unknown): VoiceListing[] {
  const { tts = [] } = (body ?? {}) as {
    tts?: { canonical_name?: string; name?: string; languages?: string[] }[];
  };
  return tts.flatMap(({ canonical_name: id, name, languages }) =>
    id === undefined ? [] : [{ id, name: name ?? id, language: languages?.[0] ?? null }],
  );
}
