import type { RecognitionHints, SttOptions, TimedWord, TurnBelief } from '#speech/stt.js';

/** An event parsed from a recogniser's message. Times are milliseconds in the audio of its connection. */
export type SttNews =
  /** The session accepts audio. */
  | { kind: 'ready' }
  /**
   * Words from `fromMs` to `throughMs`, if the vendor reports times. They replace earlier interim words; final words
   * stay.
   */
  | ({ kind: 'words'; isFinal: boolean; fromMs?: number; throughMs?: number } & RecognisedWords)
  /** The answer to the end-of-utterance message: all audio before it is recognised. */
  | { kind: 'finished'; throughMs?: number }
  | { kind: 'belief'; belief: TurnBelief }
  /** A message to send back at once. */
  | { kind: 'reply'; message: string }
  | { kind: 'failed'; message: string; retryable: boolean };

export interface RecognisedWords {
  text: string;
  /** 0 to 1. */
  confidence: number;
  words?: readonly TimedWord[];
  language?: string;
}

/** Parses the messages of one connection, and makes the end-of-utterance message. */
export interface SttReader {
  read(message: unknown): SttNews[];
  /** The message that ends the utterance; null if the vendor has ended it already and would not answer. */
  finish(): string | null;
  /** The answer to the oldest end of an utterance is not waited for any more. Returns what may be read without it. */
  gaveUp?(): SttNews[];
  /** So much sound was sent: for vendors that tell no times. */
  sent?(durationMs: number): void;
}

/** The audio format of a connection. */
export interface SoundForm {
  /** μ-law at 8 kHz, or 16-bit little-endian samples. */
  encoding: 'mulaw' | 'linear16';
  sampleRateHz: number;
}

/** The parameters of a connection. */
export interface ConnectionRequest extends Pick<SttOptions, 'language'> {
  /** Other languages that may be spoken; empty for a single language. */
  otherLanguages: readonly string[];
  sound: SoundForm;
  /** Words and phrases that are likely to be said. */
  keyTerms: readonly string[];
}

/** The protocol of one vendor's streaming recogniser. */
export interface SttDialect {
  readonly provider: string;
  readonly hears: 'utterances' | 'every_frame';
  /** The length of audio per message, in milliseconds. */
  readonly pieceMs: number;
  /** True if the vendor announces when a session accepts audio; otherwise an open connection does. */
  readonly greets: boolean;
  /** The fastest speed at which audio may be sent, relative to real time; used after a reconnect. */
  readonly fastest: number;
  /** How much audio may be sent ahead of that speed: the audio buffered when an utterance begins. */
  readonly burstMs: number;
  /** Timeout for the answer to the end of an utterance; then the words so far count. */
  readonly finishLimitMs: number;
  /** The message that keeps a connection without audio open; null if none is needed. */
  readonly keepAlive: { everyMs: number; message: string } | null;
  /** The message before a connection is closed; null for none. */
  readonly goodbye: string | null;
  address(request: ConnectionRequest): { url: string; headers: Readonly<Record<string, string>> };
  /** The message that carries a piece of sound. */
  sound(bytes: Uint8Array, form: SoundForm): string | Uint8Array;
  /** False for a vendor that takes no key terms. Default true. */
  readonly takesKeyTerms?: boolean;
  /** The message that changes the key terms of an open session; null where only a new connection can. */
  keyTerms(terms: readonly string[]): string | null;
  reader(request: ConnectionRequest): SttReader;
  /** Why a connection was closed, or was refused: whether it is worth opening another. */
  isWorthReopening(end: { code: number; reason: string; status: number | null }): boolean;
}

const MOST_TERMS = 50;
const LONGEST_TERM = 50;

/** The likely words and phrases of an expectation, for recognisers that accept key terms. */
export function keyTermsOf(hints: RecognitionHints): string[] {
  const { correction, ahead, ...asked } = hints;
  const all = [asked, correction, ahead].flatMap((one) => {
    if (one?.kind === 'choice') return one.options.flatMap(({ phrases }) => phrases);
    if (one?.kind === 'name') return one.names;
    return one?.kind === 'yes_no' ? (one.phrases ?? []) : [];
  });
  const terms = all.map((term) => term.trim()).filter((term) => term !== '' && term.length <= LONGEST_TERM);
  return [...new Set(terms)].slice(0, MOST_TERMS);
}

/** HTTP statuses after which the same request may succeed later. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529]);

/** True if a refused handshake may succeed later; a broken connection always may. */
export function isPassing(status: number | null): boolean {
  return status === null || PASSING_STATUSES.has(status);
}
