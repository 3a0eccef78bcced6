import { codeOf } from '#language/languages/languages.js';
import { listOf, msOf, objectOf, textOf, type Message } from '#providers/recognition/message.js';
import { socketUrl } from '#providers/recognition/socket-url.js';
import {
  isTransientStatus,
  type SttDialect,
  type SttEvent,
  type SttReader,
} from '#providers/recognition/stt-dialect.js';
import { wordOf, type DeepgramAccount } from './stt-nova.js';

/** The lowest confidence (0 to 1) at which Flux reports that a turn has ended. */
const END_OF_TURN = 0.7;
/** The lowest confidence at which Flux reports that a turn has probably ended. */
const LIKELY_END_OF_TURN = 0.4;
const ENGLISH = 'flux-general-en';
const MULTILINGUAL = 'flux-general-multi';

/**
 * The protocol of Deepgram's recogniser Flux (`/v2/listen`), for `createStreamingStt`. It receives every frame and
 * detects the end of a turn from words and prosody. It has no keep-alive message: silence keeps the connection open.
 * `ForceEndTurn` ends a turn in progress; between turns it is not answered.
 */
export function fluxDialect({ apiKey, baseUrl, model }: DeepgramAccount): SttDialect {
  return {
    provider: 'deepgram',
    hears: 'every_frame',
    // Deepgram's recommendation.
    chunkMs: 80,
    announcesReady: true,
    maxSendSpeed: 1.25,
    burstMs: 1_000,
    finishTimeoutMs: 1_000,
    keepAlive: null,
    closeMessage: JSON.stringify({ type: 'CloseStream' }),
    address: ({ language, otherLanguages, format, keyTerms }) => {
      const spoken = [language, ...otherLanguages].map(codeOf);
      // The English model cannot recognise another language of the call.
      const usedModel = model === ENGLISH && spoken.some((code) => code !== 'en') ? MULTILINGUAL : model;
      return {
        url: socketUrl(baseUrl, '/v2/listen', {
          model: usedModel,
          encoding: format.encoding,
          sample_rate: format.sampleRateHz,
          eot_threshold: END_OF_TURN,
          eager_eot_threshold: LIKELY_END_OF_TURN,
          keyterm: keyTerms,
          language_hint: usedModel === MULTILINGUAL ? spoken : null,
        }),
        headers: { authorization: `Token ${apiKey}` },
      };
    },
    audioMessage: (bytes) => bytes,
    keyTermsMessage: (terms) => JSON.stringify({ type: 'Configure', keyterms: terms }),
    openReader: () => new FluxReader(),
    // Deepgram closes with 1008 for a lasting refusal, except when a limit of the account is reached.
    shouldReconnect: ({ code, reason, status }) =>
      isTransientStatus(status) && !(code === 1008 && !/limit/i.test(reason)),
  };
}

const FORCE_END_OF_TURN = JSON.stringify({ type: 'ForceEndTurn' });

/** Parses the messages of one connection; knows whether a turn is in progress, which decides how an utterance ends. */
class FluxReader implements SttReader {
  /** True while a turn is in progress. */
  #isInTurn = false;
  /** True if a turn has ended by itself since the last utterance ended. */
  #hasTurnEnded = false;
  /** True if the end of an utterance was requested, and no turn has ended since. */
  #isFinishing = false;

  read(raw: unknown): SttEvent[] {
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

  /**
   * The message that ends the utterance; null if Flux has ended its turn by itself. If no turn has begun yet, Flux
   * ignores the message, and `#readTurn` sends it again when a turn begins.
   */
  finish(): string | null {
    const isOver = this.#hasTurnEnded && !this.#isInTurn;
    this.#hasTurnEnded = false;
    this.#isFinishing = !isOver;
    return isOver ? null : FORCE_END_OF_TURN;
  }

  /** The events of a `TurnInfo` message, which has the words of the turn so far. */
  #readTurn(turn: Message): SttEvent[] {
    const event = textOf(turn['event']);
    const isEnd = event === 'EndOfTurn';
    const throughMs = msOf(turn['audio_window_end']);
    const words: SttEvent = {
      kind: 'words',
      isFinal: isEnd,
      ...(throughMs !== undefined && { throughMs }),
      ...wordsOf(turn),
    };
    if (isEnd) return [words, ...this.#endTurn(throughMs)];
    // A turn that begins only after its end was requested is ended at once.
    const reply: SttEvent[] =
      this.#isFinishing && !this.#isInTurn ? [{ kind: 'reply', message: FORCE_END_OF_TURN }] : [];
    this.#isInTurn = true;
    if (event === 'EagerEndOfTurn') return [words, { kind: 'belief', belief: 'likely' }, ...reply];
    if (event === 'TurnResumed') return [words, { kind: 'belief', belief: 'resumed' }, ...reply];
    return [words, ...reply];
  }

  /** The turn is over: the answer to `finish`, or the vendor's own belief. */
  #endTurn(throughMs: number | undefined): SttEvent[] {
    this.#isInTurn = false;
    if (!this.#isFinishing) {
      this.#hasTurnEnded = true;
      return [{ kind: 'belief', belief: 'certain' }];
    }
    this.#isFinishing = false;
    return [{ kind: 'finished', ...(throughMs !== undefined && { throughMs }) }];
  }
}

/**
 * The text of a turn; its confidence is the mean of the words. The result has no `words` if Flux has sent no times.
 */
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
