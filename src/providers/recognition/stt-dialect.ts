/**
 * The protocol of one vendor's streaming recogniser, as data and functions without I/O. `StreamingSession` does the
 * rest: connections, buffering, timeouts and reconnects. Key terms and transient statuses also serve
 * `createTranscriptionStt`.
 */
import type { RecognitionHints, SttOptions, TimedWord, TurnBelief } from '#speech/stt.js';

/** An event parsed from a recogniser's message. Times are milliseconds in the audio of its connection. */
export type SttEvent =
  /** The session accepts audio. */
  | { kind: 'ready' }
  /**
   * Words from `fromMs` to `throughMs`, if the vendor reports times. They replace earlier interim words; final words
   * stay.
   */
  | ({ kind: 'words'; isFinal: boolean; fromMs?: number; throughMs?: number } & RecognisedWords)
  /** The answer to the end of an utterance: all audio up to `throughMs` is recognised. */
  | { kind: 'finished'; throughMs?: number }
  /** The vendor's own belief about the end of the caller's turn. */
  | { kind: 'belief'; belief: TurnBelief }
  /** A message to send back at once. */
  | { kind: 'reply'; message: string }
  /** An error message of the vendor. `retryable`: another connection may succeed. */
  | { kind: 'failed'; message: string; retryable: boolean };

/** The words of one result of a recogniser. */
export interface RecognisedWords {
  text: string;
  /** 0 to 1. */
  confidence: number;
  /** Missing if the vendor sends no word times. */
  words?: readonly TimedWord[];
  /** The tag of the spoken language, if the vendor reports it. */
  language?: string;
}

/** Parses the messages of one connection, and writes the message that ends an utterance. */
export interface SttReader {
  /** The events in a message, given as parsed JSON; empty for a message of no interest. */
  read(message: unknown): SttEvent[];
  /** The message that ends the utterance; null if the vendor has ended the turn itself and would not answer. */
  finish(): string | null;
  /** Skips the overdue answer for the oldest ended utterance. Returns the events that were held back for it. */
  skipUtterance?(): SttEvent[];
  /** Counts the audio sent, for vendors whose results have no times. */
  onAudioSent?(durationMs: number): void;
}

/** The audio format of a connection, one channel. */
export interface AudioFormat {
  /** μ-law at 8 kHz, or 16-bit little-endian samples. */
  encoding: 'mulaw' | 'linear16';
  sampleRateHz: number;
}

/** The parameters of a connection. */
export interface ConnectionRequest extends Pick<SttOptions, 'language'> {
  /** Other languages that may be spoken; empty for a single language. */
  otherLanguages: readonly string[];
  format: AudioFormat;
  /** Words and phrases that are likely to be said. */
  keyTerms: readonly string[];
}

/** The protocol of one vendor's streaming recogniser. */
export interface SttDialect {
  /** The vendor's name in errors and logs. */
  readonly provider: string;
  /** The audio that the vendor receives: only that of utterances, or every frame of the call. */
  readonly hears: 'utterances' | 'every_frame';
  /** The length of audio per message, in milliseconds. */
  readonly chunkMs: number;
  /** True if the vendor announces when a session accepts audio; otherwise an open connection does. */
  readonly announcesReady: boolean;
  /** The highest speed at which audio may be sent, as a multiple of real time. It matters after a reconnect. */
  readonly maxSendSpeed: number;
  /** How many milliseconds of audio may be sent at once, whatever the speed, such as the pre-roll of an utterance. */
  readonly burstMs: number;
  /** Timeout for the answer to the end of an utterance, in milliseconds; then the words so far count. */
  readonly finishTimeoutMs: number;
  /** The message that keeps a connection without audio open; null if none is needed. */
  readonly keepAlive: { everyMs: number; message: string } | null;
  /** The message before a connection is closed; null for none. */
  readonly closeMessage: string | null;
  /** URL and headers of a connection. */
  address(request: ConnectionRequest): { url: string; headers: Readonly<Record<string, string>> };
  /** The message that carries a chunk of audio. */
  audioMessage(bytes: Uint8Array, format: AudioFormat): string | Uint8Array;
  /** False for a vendor without key terms. Default true. */
  readonly acceptsKeyTerms?: boolean;
  /** The message that changes the key terms of an open connection; null if only a new connection can. */
  keyTermsMessage(terms: readonly string[]): string | null;
  /** Called for each connection: readers keep the state of theirs. */
  openReader(request: ConnectionRequest): SttReader;
  /** True if a new connection may succeed after this end. `status`: of a refused handshake; null for any other end. */
  shouldReconnect(end: { code: number; reason: string; status: number | null }): boolean;
}

/** The most key terms. A dialect whose vendor accepts fewer or shorter key terms has limits of its own. */
const MAX_KEY_TERMS = 50;
/** The most characters of a key term; longer key terms are left out. */
const MAX_KEY_TERM_LENGTH = 50;

/**
 * The words and phrases that the expected answer is likely to have, for recognisers that accept key terms: the options
 * of a choice, names, and phrases for yes and no.
 */
export function keyTermsOf(hints: RecognitionHints): string[] {
  // The answer to the question, a correction of an earlier answer, and an answer to the next question.
  const { correction, ahead, ...expected } = hints;
  const all = [expected, correction, ahead].flatMap((answer) => {
    if (answer?.kind === 'choice') return answer.options.flatMap(({ phrases }) => phrases);
    if (answer?.kind === 'name') return answer.names;
    return answer?.kind === 'yes_no' ? (answer.phrases ?? []) : [];
  });
  const terms = all
    .map((term) => term.trim())
    .filter((term) => term !== '' && term.length <= MAX_KEY_TERM_LENGTH);
  return [...new Set(terms)].slice(0, MAX_KEY_TERMS);
}

/** HTTP statuses after which the same request may succeed later. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529]);

/** True if a handshake or request refused with this status may succeed later; true for an end without a status. */
export function isTransientStatus(status: number | null): boolean {
  return status === null || TRANSIENT_STATUSES.has(status);
}
