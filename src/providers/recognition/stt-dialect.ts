import type { RecognitionHints, SttOptions, TimedWord, TurnBelief } from '#speech/stt.js';

/** What a recogniser's message means. Times are milliseconds of the sound that was sent over its connection. */
export type SttNews =
  /** The session takes sound. */
  | { kind: 'ready' }
  /**
   * Words of the sound from `fromMs` to `throughMs`, where the vendor tells times. They replace the words before them
   * that were not final; final ones stand.
   */
  | ({ kind: 'words'; isFinal: boolean; fromMs?: number; throughMs?: number } & RecognisedWords)
  /** The answer to the message that ends an utterance: everything sent before it is recognised. */
  | { kind: 'finished'; throughMs?: number }
  | { kind: 'belief'; belief: TurnBelief }
  /** Something is to be sent back at once. */
  | { kind: 'reply'; message: string }
  | { kind: 'failed'; message: string; retryable: boolean };

export interface RecognisedWords {
  text: string;
  /** 0 to 1. */
  confidence: number;
  words?: readonly TimedWord[];
  language?: string;
}

/** Reads what one connection tells, and says how an utterance is ended on it. */
export interface SttReader {
  read(message: unknown): SttNews[];
  /** The message that ends the utterance; null when the vendor has ended it already, so that no answer would come. */
  finish(): string | null;
  /** The answer to the oldest end of an utterance is not waited for any more. Returns what may be read without it. */
  gaveUp?(): SttNews[];
  /** So much sound was sent: for vendors that tell no times. */
  sent?(durationMs: number): void;
}

/** How the sound travels. */
export interface SoundForm {
  /** μ-law at 8 kHz, else 16-bit samples, lowest byte first. */
  encoding: 'mulaw' | 'linear16';
  sampleRateHz: number;
}

/** What is asked for with a connection. */
export interface ConnectionRequest extends Pick<SttOptions, 'language'> {
  /** Other languages that may be spoken; none for one language alone. */
  otherLanguages: readonly string[];
  sound: SoundForm;
  /** Words and phrases that are likely to be said. */
  keyTerms: readonly string[];
}

/** How one vendor's streaming recogniser is spoken to. */
export interface SttDialect {
  readonly provider: string;
  readonly hears: 'utterances' | 'every_frame';
  /** The least sound that one message carries, in milliseconds. */
  readonly pieceMs: number;
  /** Whether the vendor says when a session takes sound; otherwise an open connection does. */
  readonly greets: boolean;
  /** How much faster than it was spoken sound may be sent, as after a connection was lost. */
  readonly fastest: number;
  /** How much sound may be ahead of that pace: what comes at once when an utterance begins. */
  readonly burstMs: number;
  /** How long the answer to the end of an utterance is waited for; then what is known by then counts. */
  readonly finishLimitMs: number;
  /** What keeps a connection open on which no sound is sent; null where nothing is needed. */
  readonly keepAlive: { everyMs: number; message: string } | null;
  /** What is sent before the connection is closed; null for nothing. */
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

/** The words and phrases that an expectation makes likely, for recognisers that take a list of them. */
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

/** Statuses of HTTP after which the same request may be accepted. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529]);

/** Whether a refused handshake may be accepted later; a broken connection always may. */
export function isPassing(status: number | null): boolean {
  return status === null || PASSING_STATUSES.has(status);
}
