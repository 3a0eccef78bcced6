import { codeOf } from '#language/languages/languages.js';
import type { TimedWord } from '#speech/stt.js';
import { listOf, msOf, numberOf, objectOf, textOf, type Message } from '#providers/recognition/message.js';
import { socketUrl } from '#providers/recognition/socket-url.js';
import {
  isTransientStatus,
  type SttDialect,
  type SttEvent,
  type SttReader,
} from '#providers/recognition/stt-dialect.js';

/** Scribe's limits of key terms (words that the caller may say): their number, and their length in characters. */
const MAX_KEY_TERMS = 50;
const MAX_KEY_TERM_LENGTH = 20;
/** Errors that another connection would meet too. */
const FINAL_ERRORS: ReadonlySet<string> = new Set([
  'auth_error',
  'quota_exceeded',
  'unaccepted_terms_error',
  'input_error',
]);
/** Errors that leave the session usable. */
const HARMLESS_ERRORS: ReadonlySet<string> = new Set(['commit_throttled']);

/** Address, key and model of an account. */
interface ScribeAccount {
  apiKey: string;
  baseUrl: string;
  model: string;
}

/**
 * The protocol of ElevenLabs' recogniser Scribe, for `createStreamingStt`. Audio is streamed as JSON messages; a commit
 * message ends an utterance.
 */
export function scribeDialect({ apiKey, baseUrl, model }: ScribeAccount): SttDialect {
  return {
    provider: 'elevenlabs',
    hears: 'utterances',
    chunkMs: 100,
    announcesReady: true,
    maxSendSpeed: 4,
    burstMs: 1_000,
    finishTimeoutMs: 1_200,
    // An empty chunk of audio keeps the session open.
    keepAlive: { everyMs: 10_000, message: chunk('', false) },
    closeMessage: null,
    address: ({ language, otherLanguages, format, keyTerms }) => ({
      url: socketUrl(baseUrl, '/speech-to-text/realtime', {
        model_id: model,
        audio_format: format.encoding === 'mulaw' ? 'ulaw_8000' : `pcm_${format.sampleRateHz}`,
        commit_strategy: 'manual',
        // Without a language code it detects the language.
        language_code: otherLanguages.length > 0 ? null : codeOf(language),
        include_timestamps: true,
        keyterms: keyTerms.filter((term) => term.length <= MAX_KEY_TERM_LENGTH).slice(0, MAX_KEY_TERMS),
      }),
      headers: { 'xi-api-key': apiKey },
    }),
    audioMessage: (bytes) => chunk(Buffer.from(bytes).toString('base64'), false),
    keyTermsMessage: () => null,
    openReader: () => SCRIBE_READER,
    shouldReconnect: ({ status }) => isTransientStatus(status),
  };
}

/** Parses messages; stateless, because answers come in the order of the commits. */
const SCRIBE_READER: SttReader = {
  read(raw) {
    const message = objectOf(raw);
    const type = textOf(message['message_type']);
    switch (type) {
      case 'session_started':
        return [{ kind: 'ready' }];
      case 'partial_transcript':
        return [
          { kind: 'words', isFinal: false, text: textOf(message['text']), confidence: ASSUMED_CONFIDENCE },
        ];
      case 'committed_transcript_with_timestamps':
        return [committed(message), { kind: 'finished' }];
      // The same result without timestamps, sent first.
      case 'committed_transcript':
        return [];
      default:
        return message['error'] === undefined || HARMLESS_ERRORS.has(type)
          ? []
          : [{ kind: 'failed', message: type, retryable: !FINAL_ERRORS.has(type) }];
    }
  },
  finish: () => chunk('', true),
};

/** The confidence of words for which Scribe sends none. */
const ASSUMED_CONFIDENCE = 0.8;

/** A message with audio (base64, may be empty); `commit` ends the utterance. */
function chunk(audio: string, commit: boolean): string {
  return JSON.stringify({ message_type: 'input_audio_chunk', audio_base_64: audio, commit });
}

/** The final words of an utterance. Their confidence is the mean of the words' log probabilities, as a probability. */
function committed(message: Message): SttEvent {
  const spoken = listOf(message['words'])
    .map(objectOf)
    .filter((word) => word['type'] === 'word');
  const logProbabilities = spoken.flatMap((word) => numberOf(word['logprob']) ?? []);
  const mean = logProbabilities.reduce((sum, log) => sum + log, 0) / (logProbabilities.length || 1);
  const language = textOf(message['language_code']);
  return {
    kind: 'words',
    isFinal: true,
    text: textOf(message['text']),
    confidence: logProbabilities.length === 0 ? ASSUMED_CONFIDENCE : Math.exp(mean),
    words: spoken.map(wordOf),
    ...(language !== '' && { language }),
  };
}

function wordOf(word: Message): TimedWord {
  const startMs = msOf(word['start']) ?? 0;
  const logProbability = numberOf(word['logprob']);
  return {
    text: textOf(word['text']),
    startMs,
    endMs: msOf(word['end']) ?? startMs,
    confidence: logProbability === null ? ASSUMED_CONFIDENCE : Math.min(1, Math.exp(logProbability)),
  };
}
