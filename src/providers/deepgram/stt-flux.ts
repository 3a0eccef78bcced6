import { codeOf } from '#language/languages/languages.js';
import { listOf, msOf, objectOf, textOf, type Message } from '#providers/recognition/message.js';
import { socketUrl } from '#providers/recognition/socket-url.js';
import {
  isPassing,
  type SttDialect,
  type SttNews,
  type SttReader,
} from '#providers/recognition/stt-dialect.js';
import { wordOf, type DeepgramAccount } from './stt-nova.js';

/** Flux's thresholds of confidence: that a turn has ended, and that it has probably ended. */
const END_OF_TURN = 0.7;
const LIKELY_END_OF_TURN = 0.4;
const ENGLISH = 'flux-general-en';
const MULTILINGUAL = 'flux-general-multi';

/**
 * The protocol of Deepgram's recogniser Flux (`/v2/listen`). It receives every frame and detects the end of a turn from
 * words and prosody. It has no keep-alive message: silence keeps the connection open. `ForceEndTurn` ends a turn in
 * progress; between turns it is not answered.
 */
export function fluxDialect({ apiKey, baseUrl, model }: DeepgramAccount): SttDialect {
  return {
    provider: 'deepgram',
    hears: 'every_frame',
    // Deepgram's recommendation.
    pieceMs: 80,
    greets: true,
    fastest: 1.25,
    burstMs: 1_000,
    finishLimitMs: 1_000,
    keepAlive: null,
    goodbye: JSON.stringify({ type: 'CloseStream' }),
    address: ({ language, otherLanguages, sound, keyTerms }) => {
      const spoken = [language, ...otherLanguages].map(codeOf);
      const used = model === ENGLISH && spoken.some((code) => code !== 'en') ? MULTILINGUAL : model;
      return {
        url: socketUrl(baseUrl, '/v2/listen', {
          model: used,
          encoding: sound.encoding,
          sample_rate: sound.sampleRateHz,
          eot_threshold: END_OF_TURN,
          eager_eot_threshold: LIKELY_END_OF_TURN,
          keyterm: keyTerms,
          language_hint: used === MULTILINGUAL ? spoken : null,
        }),
        headers: { authorization: `Token ${apiKey}` },
      };
    },
    sound: (bytes) => bytes,
    keyTerms: (terms) => JSON.stringify({ type: 'Configure', keyterms: terms }),
    reader: () => new FluxReader(),
    isWorthReopening: ({ code, reason, status }) =>
      isPassing(status) && !(code === 1008 && !/limit/i.test(reason)),
  };
}

const FORCE_END = JSON.stringify({ type: 'ForceEndTurn' });

/** Parses the messages of one connection; knows whether a turn is in progress, which decides how an utterance ends. */
class FluxReader implements SttReader {
  /** True while a turn is in progress. */
  #isTurn = false;
  /** True if a turn has ended by itself since the last utterance ended. */
  #hasEnded = false;
  /** True if the end of an utterance was requested, and no turn has ended since. */
  #isFinishing = false;

  read(raw: unknown): SttNews[] {
    const message = objectOf(raw);
    switch (message['type']) {
      case 'Connected':
        return [{ kind: 'ready' }];
      case 'TurnInfo':
        return this.#readTurn(message);
      case 'Error':
        return [{ kind: 'failed', message: textOf(message['code']), retryable: true }];
      default:
        return [];
    }
  }

  finish(): string | null {
    const isOver = this.#hasEnded && !this.#isTurn;
    this.#hasEnded = false;
    this.#isFinishing = !isOver;
    return isOver ? null : FORCE_END;
  }

  #readTurn(turn: Message): SttNews[] {
    const event = textOf(turn['event']);
    const isEnd = event === 'EndOfTurn';
    const throughMs = msOf(turn['audio_window_end']);
    const words: SttNews = {
      kind: 'words',
      isFinal: isEnd,
      ...(throughMs !== undefined && { throughMs }),
      ...wordsOf(turn),
    };
    if (isEnd) return [words, ...this.#endTurn(throughMs)];
    // A turn that begins only after its end was requested is ended at once.
    const reply: SttNews[] =
      this.#isFinishing && !this.#isTurn ? [{ kind: 'reply', message: FORCE_END }] : [];
    this.#isTurn = true;
    if (event === 'EagerEndOfTurn') return [words, { kind: 'belief', belief: 'likely' }, ...reply];
    if (event === 'TurnResumed') return [words, { kind: 'belief', belief: 'resumed' }, ...reply];
    return [words, ...reply];
  }

  /** The turn is over: the answer to `finish`, or the vendor's own belief. */
  #endTurn(throughMs: number | undefined): SttNews[] {
    this.#isTurn = false;
    if (!this.#isFinishing) {
      this.#hasEnded = true;
      return [{ kind: 'belief', belief: 'certain' }];
    }
    this.#isFinishing = false;
    return [{ kind: 'finished', ...(throughMs !== undefined && { throughMs }) }];
  }
}

/** The words of a turn; their confidence is the mean of the words'. */
function wordsOf(turn: Message) {
  const words = listOf(turn['words']).map(wordOf);
  const isTimed = listOf(turn['words']).some((word) => objectOf(word)['start'] !== undefined);
  const confidence = words.reduce((sum, word) => sum + word.confidence, 0) / (words.length || 1);
  const language = textOf(listOf(turn['languages'])[0]);
  return {
    text: textOf(turn['transcript']),
    confidence,
    ...(isTimed && { words }),
    ...(language !== '' && { language }),
  };
}
