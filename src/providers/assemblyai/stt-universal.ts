import type { TimedWord } from '#speech/stt.js';
import {
  confidenceOf,
  listOf,
  numberOf,
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

/**
 * WebSocket close codes after which a new session may succeed: the standard ones of a lost connection or a restart, and
 * AssemblyAI's 3005 (server error), 3008 (session expired) and 3009 (too many sessions).
 */
const TRANSIENT_CLOSE_CODES: ReadonlySet<number> = new Set([1_000, 1_001, 1_006, 1_011, 3_005, 3_008, 3_009]);

/** Address, key and model of an account. */
interface AssemblyAiAccount {
  apiKey: string;
  baseUrl: string;
  model: string;
}

/**
 * The protocol of AssemblyAI's Universal-Streaming (v3), for `createStreamingStt`. The recogniser receives every frame
 * and detects the end of a turn. Messages carry 50 to 1,000 ms of audio, sent no faster than real time. The closing
 * message matters: a session that is not terminated is billed for three hours.
 */
export function assemblyAiDialect({ apiKey, baseUrl, model }: AssemblyAiAccount): SttDialect {
  return {
    provider: 'assemblyai',
    hears: 'every_frame',
    chunkMs: 100,
    announcesReady: true,
    maxSendSpeed: 1,
    burstMs: 40,
    finishTimeoutMs: 1_200,
    keepAlive: null,
    closeMessage: JSON.stringify({ type: 'Terminate' }),
    address: ({ otherLanguages, format, keyTerms }) => ({
      url: socketUrl(baseUrl, '/v3/ws', {
        sample_rate: format.sampleRateHz,
        encoding: format.encoding === 'mulaw' ? 'pcm_mulaw' : 'pcm_s16le',
        speech_model: model,
        format_turns: true,
        language_detection: otherLanguages.length > 0 ? true : null,
        keyterms_prompt: keyTerms.length > 0 ? JSON.stringify(keyTerms) : null,
      }),
      headers: { authorization: apiKey },
    }),
    audioMessage: (bytes) => bytes,
    keyTermsMessage: (terms) => JSON.stringify({ type: 'UpdateConfiguration', keyterms_prompt: terms }),
    openReader: () => new AssemblyAiReader(),
    shouldReconnect: ({ code, reason, status }) =>
      isTransientStatus(status) && (TRANSIENT_CLOSE_CODES.has(code) || /limit|too many/i.test(reason)),
  };
}

/**
 * Parses the messages of one session. A turn ends twice: first as bare words, then punctuated ("formatted"). The first
 * end shows that the turn is over; the formatted version has the final words. It may be missing, and then the bare
 * words become final with the next turn.
 */
class AssemblyAiReader implements SttReader {
  /** The number of the turn in progress; null between turns. */
  #currentTurn: number | null = null;
  /** Turns up to this number have their final words. */
  #lastFinalTurn = -1;
  /** The words of an ended turn whose formatted version may still follow. */
  #bareTurn: { order: number; words: SttEvent } | null = null;
  /** True if a turn has ended by itself since the last utterance ended. */
  #hasEnded = false;
  /** True if the end of an utterance was requested, and no turn has ended since. */
  #isFinishing = false;

  read(raw: unknown): SttEvent[] {
    const message = objectOf(raw);
    if (message['error'] !== undefined)
      return [{ kind: 'failed', message: textOf(message['error']), retryable: true }];
    if (message['type'] === 'Begin') return [{ kind: 'ready' }];
    return message['type'] === 'Turn' ? this.#readTurn(message) : [];
  }

  /** The message that ends the turn in progress; null if it has ended by itself. */
  finish(): string | null {
    const isOver = this.#hasEnded && this.#currentTurn === null;
    this.#hasEnded = false;
    this.#isFinishing = !isOver;
    return isOver ? null : FORCE_END_OF_TURN;
  }

  /** The events of a `Turn` message; a later message repeats the whole turn with more words. */
  #readTurn(turn: Message): SttEvent[] {
    const order = numberOf(turn['turn_order']) ?? 0;
    if (order <= this.#lastFinalTurn) return [];
    const earlierEvents = this.#bareTurn && order > this.#bareTurn.order ? this.#finaliseBareTurn() : [];
    const isEnd = turn['end_of_turn'] === true;
    if (!isEnd) return [...earlierEvents, wordsOf(turn, false), ...this.#noteTurn(order)];
    const isFormatted = turn['turn_is_formatted'] === true;
    // The formatted version after the bare one is no second end.
    const isFirstEnd = this.#bareTurn === null;
    const endEvents = isFirstEnd ? this.#endTurn() : [];
    if (!isFormatted) {
      this.#bareTurn = { order, words: wordsOf(turn, true) };
      return [...earlierEvents, wordsOf(turn, false), ...endEvents];
    }
    this.#bareTurn = null;
    this.#lastFinalTurn = order;
    return [...earlierEvents, wordsOf(turn, true), ...endEvents];
  }

  /** Makes the bare words final, because the next turn has begun. */
  #finaliseBareTurn(): SttEvent[] {
    const { order, words } = this.#bareTurn!;
    this.#bareTurn = null;
    this.#lastFinalTurn = order;
    return [words];
  }

  /** Notes the turn in progress. A turn that begins only after its end was requested is ended at once. */
  #noteTurn(order: number): SttEvent[] {
    const isNew = this.#currentTurn === null;
    this.#currentTurn = order;
    return isNew && this.#isFinishing ? [{ kind: 'reply', message: FORCE_END_OF_TURN }] : [];
  }

  /** The turn is over: the answer to `finish`, or the vendor's own belief. */
  #endTurn(): SttEvent[] {
    this.#currentTurn = null;
    const wasRequested = this.#isFinishing;
    this.#isFinishing = false;
    this.#hasEnded = !wasRequested;
    return [wasRequested ? { kind: 'finished' } : { kind: 'belief', belief: 'certain' }];
  }
}

const FORCE_END_OF_TURN = JSON.stringify({ type: 'ForceEndpoint' });

/** The words of a turn. */
function wordsOf(turn: Message, isFinal: boolean): SttEvent {
  const words = listOf(turn['words']).map(wordOf);
  // The transcript of a turn in progress may lack words that can still change.
  const soFar = words.map(({ text }) => text).join(' ');
  const confidence = words.reduce((sum, word) => sum + word.confidence, 0) / (words.length || 1);
  const throughMs = words.at(-1)?.endMs;
  const language = textOf(turn['language_code']);
  return {
    kind: 'words',
    isFinal,
    text: isFinal || soFar === '' ? textOf(turn['transcript']) : soFar,
    confidence,
    words,
    ...(throughMs !== undefined && { throughMs }),
    ...(language !== '' && { language }),
  };
}

/** A word of a turn; the vendor's times are in milliseconds. */
function wordOf(raw: unknown): TimedWord {
  const word = objectOf(raw);
  const startMs = numberOf(word['start']) ?? 0;
  const endMs = numberOf(word['end']) ?? startMs;
  return { text: textOf(word['text']), startMs, endMs, confidence: confidenceOf(word['confidence']) };
}
