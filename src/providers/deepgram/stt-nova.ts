import type { TimedWord } from '#speech/stt.js';
import {
  confidenceOf,
  listOf,
  msOf,
  objectOf,
  textOf,
  type Message,
} from '#providers/recognition/message.js';
import { socketUrl } from '#providers/recognition/socket-url.js';
import {
  isTransientStatus,
  type SttDialect,
  type SttEvent,
  type SttReader,
} from '#providers/recognition/stt-dialect.js';
import { novaLanguage, SEVERAL_LANGUAGES } from './stt-languages.js';

/** Address and key of an account, and the name of the recogniser (a nova model or Flux). */
export interface DeepgramAccount {
  apiKey: string;
  baseUrl: string;
  model: string;
}

/**
 * The protocol of Deepgram's recogniser nova (live transcription, `/v1/listen`), for `createStreamingStt`. Its own
 * endpointing is off: `Finalize` ends an utterance, and the answer has `from_finalize`. By Deepgram's documentation
 * that answer may be missing; then the timeout ends the utterance.
 */
export function novaDialect({ apiKey, baseUrl, model }: DeepgramAccount): SttDialect {
  return {
    provider: 'deepgram',
    hears: 'utterances',
    chunkMs: 80,
    announcesReady: false,
    // Deepgram's recommendation for audio that is sent again after a reconnect.
    maxSendSpeed: 1.25,
    burstMs: 1_000,
    finishTimeoutMs: 1_000,
    // Deepgram closes the connection after ten seconds without audio or this message.
    keepAlive: { everyMs: 4_000, message: JSON.stringify({ type: 'KeepAlive' }) },
    closeMessage: JSON.stringify({ type: 'CloseStream' }),
    address: ({ language, otherLanguages, format, keyTerms }) => ({
      url: socketUrl(baseUrl, '/v1/listen', {
        model,
        language: otherLanguages.length > 0 ? SEVERAL_LANGUAGES : novaLanguage(language),
        encoding: format.encoding,
        sample_rate: format.sampleRateHz,
        channels: 1,
        interim_results: true,
        punctuate: true,
        smart_format: true,
        endpointing: false,
        keyterm: keyTerms,
      }),
      headers: { authorization: `Token ${apiKey}` },
    }),
    audioMessage: (bytes) => bytes,
    // Key terms cannot change on an open connection.
    keyTermsMessage: () => null,
    openReader: () => NOVA_READER,
    // Deepgram closes with 1008 for a lasting refusal, except when a limit of the account is reached.
    shouldReconnect: ({ code, reason, status }) =>
      isTransientStatus(status) && !(code === 1008 && !/limit/i.test(reason)),
  };
}

/** Parses results; stateless, because each result has its times. */
const NOVA_READER: SttReader = {
  read(message) {
    const { type, ...rest } = objectOf(message);
    return type === 'Results' ? readResults(rest) : [];
  },
  finish: () => JSON.stringify({ type: 'Finalize' }),
};

/** The words of a `Results` message; the answer to `Finalize` also finishes the utterance. */
function readResults(results: Message): SttEvent[] {
  const best = objectOf(listOf(objectOf(results['channel'])['alternatives'])[0]);
  const fromMs = msOf(results['start']) ?? 0;
  const throughMs = fromMs + (msOf(results['duration']) ?? 0);
  const language = textOf(listOf(best['languages'])[0]);
  const words: SttEvent = {
    kind: 'words',
    isFinal: results['is_final'] === true,
    fromMs,
    throughMs,
    text: textOf(best['transcript']),
    confidence: confidenceOf(best['confidence']),
    words: listOf(best['words']).map(wordOf),
    ...(language !== '' && { language }),
  };
  return results['from_finalize'] === true ? [words, { kind: 'finished', throughMs }] : [words];
}

/** A word in the results of nova and Flux, whose times are in seconds. */
export function wordOf(raw: unknown): TimedWord {
  const word = objectOf(raw);
  const startMs = msOf(word['start']) ?? 0;
  return {
    text: textOf(word['punctuated_word']) || textOf(word['word']),
    startMs,
    endMs: msOf(word['end']) ?? startMs,
    confidence: confidenceOf(word['confidence']),
  };
}
