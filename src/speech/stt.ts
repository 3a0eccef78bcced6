import type { SampleRateHz } from '#media/samples/audio.js';

/** The kinds of answer that a question may hope for. */
export type Answerable =
  | { kind: 'anything' }
  /** `phrases`: further ones that mean yes or no to this question only. */
  | { kind: 'yes_no'; phrases?: readonly string[] }
  | { kind: 'choice'; options: readonly { value: string; phrases: readonly string[] }[] }
  | { kind: 'date' }
  | { kind: 'time' }
  /** `max`: the largest number that makes sense; null when there is none. */
  | { kind: 'number'; max: number | null; isWhole: boolean }
  /** `plan`: how many digits it has, where that is known. */
  | { kind: 'phone_number'; plan: 'north_american' | 'any' }
  /** `names`: those that are likely, as they are written. */
  | { kind: 'name'; names: readonly string[] };

/**
 * What the agent hopes to hear next. A recogniser uses it to listen better; the playbook reads the answer with it.
 * `correction`: what the caller may say instead, to change an answer given before ("no, I said Tuesday").
 * `ahead`: what the caller may say along with it, the answer to the next question ("Tuesday at three").
 */
export type RecognitionHints = Answerable & { correction?: Answerable; ahead?: Answerable };

/** A word, where it stands in the sound that the recogniser was given for the utterance. */
export interface TimedWord {
  text: string;
  /** Milliseconds since the first sample of the utterance, or of the stream for one that takes every frame. */
  startMs: number;
  endMs: number;
  /** 0 to 1. */
  confidence: number;
}

/** One utterance as it was understood. Speech that was not understood has an empty text and confidence 0. */
export interface Transcript {
  text: string;
  /** 0 to 1. */
  confidence: number;
  /** Of speech that was no answer: the phrases in it by which machines greet, such as "after the tone". */
  greeting?: string;
  /** Where the recogniser tells them. */
  words?: readonly TimedWord[];
  /** The language that was spoken, as a tag, where the recogniser tells it. */
  language?: string;
}

/**
 * What a recogniser believes of the caller's turn by the words and how they sound: it is `likely` or `certain` to be
 * over, or has `resumed` after it seemed to be. Evidence for the end of a turn, never the end itself.
 */
export type TurnBelief = 'likely' | 'certain' | 'resumed';

/** How a recogniser is opened for one call. */
export interface SttOptions {
  /** A language tag such as `en-US`. */
  language: string;
  /** Tags of other languages that may be spoken; the recogniser tells which one was. Default none. */
  otherLanguages?: readonly string[];
  sampleRateHz: SampleRateHz;
  /** Called with the words understood so far while the caller speaks, where the provider has them. */
  onPartial?: (text: string) => void;
  /** Called with what the recogniser believes of the caller's turn, where it has a belief. */
  onEndOfTurn?: (belief: TurnBelief) => void;
  /** Whether a machine may have answered: where the provider can, it then listens for `greeting`, too. */
  mayBeMachine?: boolean;
}

/** Speech to text (port). Every adapter passes `test/contracts/stt.ts`. */
export interface Stt {
  readonly name: string;
  /**
   * What it is given to hear: the utterances that our voice activity detection cuts, or every frame of the call,
   * silence included, which a recogniser needs that tells the end of a turn by itself. Default `utterances`.
   */
  readonly hears?: 'utterances' | 'every_frame';
  /**
   * Whether it computes on this machine. Where it is late, the machine is busy and nothing has failed: it is waited for
   * longer, and no call ends for it. Default false.
   */
  readonly isLocal?: boolean;
  /** Opens a recogniser for one call. Must not block the calling thread for more than a millisecond. */
  open(options: SttOptions): Promise<SttSession>;
  close(): Promise<void>;
}

/**
 * The recogniser of one call. Our voice activity detection says when an utterance is over, also to one that hears every
 * frame: its words then are all that it has understood since the last `finish` or `discard`.
 */
export interface SttSession {
  /** Prepares for the answer to come; holds until the next call of it. */
  expect(expectation: RecognitionHints): void;
  /** Sound in order, pre-roll of utterances included. The samples are copied before this returns. */
  push(samples: Int16Array): void;
  /** The utterance is over: resolves with the words, and the next `push` begins a new utterance. */
  finish(): Promise<Transcript>;
  /** Forgets the utterance in progress: it was no speech. */
  discard(): void;
  close(): void;
}
