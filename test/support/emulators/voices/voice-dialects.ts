import { cutInto, type Received, type Refused, type VoiceDialect } from './voice-emulator.js';
import { hummed, hummedWords, TONE_MS_PER_CHARACTER } from './spoken-tone.js';

/** The letters that one piece of audio may name. */
interface Letters {
  chars: string[];
  charStartTimesMs: number[];
  charDurationsMs: number[];
}

const headerIs = ({ headers }: Received, name: string, value: string) => headers[name] === value;

/** `/audio/speech` of OpenAI and compatible servers. */
export function openAiSpeech(key: string | null, rateHz = 24_000): VoiceDialect {
  const refused = (status: number): Refused => ({
    status,
    body: JSON.stringify({
      error: { message: 'no', type: 'error', code: status === 401 ? 'invalid_api_key' : null, param: null },
    }),
  });
  return {
    refused,
    refuse(request) {
      if (key !== null && !headerIs(request, 'authorization', `Bearer ${key}`)) return refused(401);
      if (request.path.endsWith('/audio/voices')) return null;
      const { input, model, instructions } = request.body;
      if (typeof input !== 'string' || input.trim() === '' || input.length > 4_096) return refused(400);
      return instructions !== undefined && String(model).startsWith('tts-1') ? refused(400) : null;
    },
    overHttp({ body }, sizes) {
      const rate = Number(body['sample_rate'] ?? rateHz);
      const sound = hummed(String(body['input']), { encoding: 'pcm16', rateHz: rate });
      return { type: 'audio/pcm', pieces: cutInto(sound, sizes) };
    },
    list: (path) =>
      path.endsWith('/audio/voices') ? { voices: [{ id: 'af_heart' }, { id: 'af_bella' }] } : undefined,
  };
}

/** ElevenLabs: contexts on `multi-stream-input`, and `stream/with-timestamps`. */
export function elevenLabs(key: string): VoiceDialect {
  const refused = (status: number): Refused => ({
    status,
    body: JSON.stringify({
      detail: { status: status === 401 ? 'invalid_api_key' : 'system_busy', message: 'no' },
    }),
  });
  return {
    refused,
    refuse: (request) => (headerIs(request, 'xi-api-key', key) ? null : refused(401)),
    errorEvent: () =>
      JSON.stringify({ message: 'Too long without text.', error: 'input_timeout_exceeded', code: 1008 }),
    overHttp(request, sizes) {
      const format = formatOf(new URLSearchParams(request.path.split('?')[1]));
      const text = String(request.body['text']);
      const lines = piecesWithLetters(text, format, sizes).map(({ audio, letters }) =>
        JSON.stringify({
          audio_base64: audio.toString('base64'),
          alignment: {
            characters: letters.chars,
            character_start_times_seconds: letters.charStartTimesMs.map((ms) => ms / 1000),
            character_end_times_seconds: letters.charStartTimesMs.map(
              (ms, at) => (ms + letters.charDurationsMs[at]!) / 1000,
            ),
          },
        }),
      );
      return { type: 'application/json', pieces: lines.map((line) => `${line}\n`) };
    },
    overSocket(message, { query, open, cancelled }) {
      const context = String(message['context_id']);
      if (message['close_context'] === true) {
        if (open.has(context)) open.delete(context);
        else cancelled.add(context);
        return null;
      }
      const text = `${open.get(context) ?? ''}${(message['text'] as string | undefined) ?? ''}`;
      open.set(context, text);
      if (message['flush'] !== true) return null;
      return {
        context,
        pieces: piecesWithLetters(text.trim(), formatOf(query), [1_280]).map(({ audio, letters }) => [
          JSON.stringify({
            audio: audio.toString('base64'),
            isFinal: null,
            alignment: letters,
            normalizedAlignment: letters,
            contextId: context,
          }),
        ]),
        end: [JSON.stringify({ isFinal: true, contextId: context })],
      };
    },
    list: (path) =>
      path.endsWith('/voices')
        ? {
            voices: [
              { voice_id: 'v1', name: 'Ann', labels: { language: 'en' } },
              { voice_id: 'v2', name: 'Bo' },
            ],
          }
        : undefined,
  };
}

/** Aura speaks only the first of letters joined by hyphens (deepgram-js-sdk#482). */
function withoutSpelledLetters(text: string): string {
  return text.replace(/\b([A-Z])(?:-[A-Z])+\b/g, '$1');
}

/** Deepgram: Aura over HTTP, Flux over sockets. */
export function deepgram(key: string): VoiceDialect {
  const refused = (status: number): Refused => ({
    status,
    body: JSON.stringify({
      err_code: status === 401 ? 'INVALID_AUTH' : 'TOO_MANY_REQUESTS',
      err_msg: 'no',
      request_id: 'r',
    }),
  });
  return {
    refused,
    refuse(request) {
      if (!headerIs(request, 'authorization', `Token ${key}`)) return refused(401);
      const model = new URLSearchParams(request.path.split('?')[1]).get('model') ?? '';
      // Each endpoint accepts only its own models.
      if (request.path.startsWith('/v1/speak') && !model.startsWith('aura')) return refused(400);
      return request.path.startsWith('/v2/speak') && !model.startsWith('flux') ? refused(400) : null;
    },
    errorEvent: () => JSON.stringify({ type: 'Error', code: 'INTERNAL_SERVER_ERROR', description: 'no' }),
    overHttp(request, sizes) {
      const text = withoutSpelledLetters(String(request.body['text']));
      const sound = hummed(text, deepgramFormat(request.path));
      return { type: 'audio/mulaw', pieces: cutInto(sound, sizes) };
    },
    overSocket(message, { open, path }) {
      if (message['type'] === 'Speak') open.set('', `${open.get('') ?? ''}${String(message['text'])}`);
      if (message['type'] !== 'Flush') return null;
      const text = open.get('') ?? '';
      open.delete('');
      const started = JSON.stringify({ type: 'SpeechStarted', speech_id: 'dg_sp_1' });
      return {
        context: '',
        // Samples may be cut in the middle.
        pieces: cutInto(hummed(text, deepgramFormat(path)), [1_281, 1_279]).map((piece, at) =>
          at === 0 ? [started, piece] : [piece],
        ),
        end: [JSON.stringify({ type: 'Flushed', speech_id: 'dg_sp_1' })],
      };
    },
    list: (path) =>
      path === '/v1/models'
        ? { stt: [], tts: [{ name: 'thalia', canonical_name: 'aura-2-thalia-en', languages: ['en'] }] }
        : undefined,
  };
}

/** Cartesia: contexts on one socket. */
export function cartesia(key: string): VoiceDialect {
  const refused = (status: number): Refused => ({
    status,
    body: JSON.stringify({
      error_code: status === 401 ? 'unauthenticated' : 'rate_limited',
      title: 'no',
      message: 'no',
    }),
  });
  return {
    refused,
    refuse: (request) =>
      headerIs(request, 'x-api-key', key) && request.headers['cartesia-version'] ? null : refused(401),
    errorEvent: (context) =>
      JSON.stringify({
        type: 'error',
        status_code: 500,
        error_code: 'internal',
        done: true,
        context_id: context,
      }),
    overSocket(message, { cancelled }) {
      const context_id = String(message['context_id']);
      if (message['cancel'] === true) {
        cancelled.add(context_id);
        return null;
      }
      const said = (type: string, fields: object) =>
        JSON.stringify({ type, done: false, status_code: 206, context_id, ...fields });
      const text = String(message['transcript']);
      if (text.trim() === '')
        return {
          context: context_id,
          pieces: [],
          end: [said('error', { status_code: 400, error_code: 'empty_transcript' })],
        };
      const { encoding, sample_rate } = message['output_format'] as { encoding: string; sample_rate: number };
      const words = hummedWords(text);
      const times = said('timestamps', {
        word_timestamps: {
          words: words.map(({ word }) => word),
          start: words.map(({ startMs }) => startMs / 1000),
          end: words.map(({ endMs }) => endMs / 1000),
        },
      });
      const chunks = cutInto(hummed(text, { encoding, rateHz: sample_rate })).map((bytes) =>
        said('chunk', { data: bytes.toString('base64') }),
      );
      return {
        context: context_id,
        pieces: chunks.map((chunk, at) => (at === 0 ? [chunk, times] : [chunk])),
        end: [said('done', { done: true, status_code: 200 })],
      };
    },
    list: (path) =>
      path.startsWith('/voices')
        ? { data: [{ id: 'c1', name: 'Cay', language: 'en' }], has_more: false }
        : undefined,
  };
}

function formatOf(query: URLSearchParams): { encoding: string; rateHz: number } {
  const [encoding = '', rate] = (query.get('output_format') ?? '').split('_');
  return { encoding, rateHz: Number(rate) };
}

function deepgramFormat(path: string): { encoding: string; rateHz: number } {
  const query = new URLSearchParams(path.split('?')[1]);
  return { encoding: query.get('encoding') ?? '', rateHz: Number(query.get('sample_rate')) };
}

/** Pieces of audio with the letters that begin in them; times count from the beginning of the piece. */
function piecesWithLetters(
  text: string,
  format: { encoding: string; rateHz: number },
  sizes: readonly number[],
): { audio: Buffer; letters: Letters }[] {
  const bytesPerMs = (format.rateHz / 1000) * (/ulaw/.test(format.encoding) ? 1 : 2);
  let fromMs = 0;
  return cutInto(hummed(text, format), sizes).map((audio) => {
    const toMs = fromMs + audio.length / bytesPerMs;
    const first = Math.ceil(fromMs / TONE_MS_PER_CHARACTER);
    const chars = Array.from(text.slice(first, Math.ceil(toMs / TONE_MS_PER_CHARACTER)));
    const startsMs = chars.map((_, at) => (first + at) * TONE_MS_PER_CHARACTER - fromMs);
    fromMs = toMs;
    return {
      audio,
      letters: {
        chars,
        charStartTimesMs: startsMs,
        charDurationsMs: chars.map(() => TONE_MS_PER_CHARACTER),
      },
    };
  });
}
