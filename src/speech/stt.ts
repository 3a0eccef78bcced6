import type { SampleRateHz } from '#media/samples/audio.js';

/*
 * The port to speech recognition. Adapters in src/providers implement it; `SttLink` uses it. The types of expected
 * answers are shared with the playbook.
 */

/** The kinds of answer that a question may expect. */
export type Answerable =
  | { kind: 'anything' }
  /** `phrases`: further phrases that mean yes or no to this question only. */
  | { kind: 'yes_no'; phrases?: readonly string[] }
  | { kind: 'choice'; options: readonly { value: string; phrases: readonly string[] }[] }
  | { kind: 'date' }
  | { kind: 'time' }
  /** `max`: the largest sensible number; null if there is none. */
  | { kind: 'number'; max: number | null; isWhole: boolean }
  /** `plan`: the numbering plan, which may fix the number of digits. */
  | { kind: 'phone_number'; plan: 'north_american' | 'any' }
  /** `names`: likely names, as they are written. */
  | { kind: 'name'; names: readonly string[] };

/**
 * The answer that the agent expects, made by the dialogue manager. A recogniser uses it to recognise better,
 * end-of-turn detection and `DtmfInput` to know when the answer is complete. `correction`: the caller may correct an
 * earlier answer ("no, I said Tuesday"). `ahead`: the caller may answer the next question as well ("Tuesday at three").
 */
export type RecognitionHints = Answerable & { correction?: Answerable; ahead?: Answerable };

/** A word, and its position in the sound of the utterance. */
export interface TimedWord {
  text: string;
  /** Milliseconds since the first sample of the utterance, or of the stream for a recogniser that takes every frame. */
  startMs: number;
  endMs: number;
  /** 0 to 1. */
  confidence: number;
}

/** One transcribed utterance. Speech without recognised words has an empty text and confidence 0. */
export interface Transcript {
  text: string;
  /** 0 to 1. */
  confidence: number;
  /** If `mayBeMachine` was set: phrases of a machine's greeting in the utterance, such as "after the tone". */
  greeting?: string;
  /** Set if the recogniser reports word times. */
  words?: readonly TimedWord[];
  /** The tag of the spoken language, if the recogniser reports it. */
  language?: string;
}

/**
 * A recogniser's belief about the end of the caller's turn, from the words and their sound: the turn is `likely` or
 * `certain` to be over, or has `resumed` after it seemed to be. It changes the silence that is waited for; see
 * `silenceWindowMs`.
 */
export type TurnBelief = 'likely' | 'certain' | 'resumed';

/** The options of a recogniser session. */
export interface SttOptions {
  /** A language tag such as `en-US`. */
  language: string;
  /** Tags of other languages that may be spoken; the recogniser reports the spoken language. Default none. */
  otherLanguages?: readonly string[];
  sampleRateHz: SampleRateHz;
  /** Called with the partial words while the caller speaks, if the provider has them. */
  onPartial?: (text: string) => void;
  /** Called with beliefs about the end of the caller's turn, if the provider has them. */
  onEndOfTurn?: (belief: TurnBelief) => void;
  /** True if an answering machine may have answered. A capable recogniser then also looks for its greeting. */
  mayBeMachine?: boolean;
}

/** Speech to text (port). Every adapter passes `test/contracts/stt.ts`. */
export interface Stt {
  readonly name: string;
  /**
   * The sound that the recogniser receives: the utterances that our voice activity detection cuts, or every frame of
   * the call, silence included, for a recogniser that detects the end of a turn by itself. Default `utterances`.
   */
  readonly hears?: 'utterances' | 'every_frame';
  /**
   * True if the recogniser computes on this machine. If it is late, the machine is busy and nothing has failed: the
   * timeouts are longer, and no call ends because of them. Default false.
   */
  readonly isLocal?: boolean;
  /** Opens a recogniser for one call. Must not block the calling thread for more than a millisecond. */
  open(options: SttOptions): Promise<SttSession>;
  /** Releases the adapter's resources at the end of the process. */
  close(): Promise<void>;
}

/**
 * The recogniser session of one call. An utterance ends when the service calls `finish`; a recogniser's own end of turn
 * is only a belief (`onEndOfTurn`). The words of an utterance are those since the last `finish` or `discard`, also for
 * a recogniser that receives every frame.
 */
export interface SttSession {
  /** Sets the hints for all utterances until the next call of this method. */
  expect(hints: RecognitionHints): void;
  /** Takes sound in order, pre-roll of utterances included. The samples are copied before this returns. */
  push(samples: Int16Array): void;
  /** Ends the utterance: resolves with its words, and the next `push` begins a new utterance. */
  finish(): Promise<Transcript>;
  /** Drops the utterance in progress: its words are not wanted. */
  discard(): void;
  /** Ends the session at the end of the call. */
  close(): void;
}
