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

/** One utterance as it was understood. Speech that was not understood has an empty text and confidence 0. */
export interface Transcript {
  text: string;
  /** 0 to 1. */
  confidence: number;
  /** Of speech that was no answer: the phrases in it by which machines greet, such as "after the tone". */
  greeting?: string;
}

/** Hearing: speech to text (port). Adapters: one file each; all pass `test/contracts/hearing`. */
export interface Stt {
  readonly name: string;
  /**
   * Whether it computes on this machine. Where it is late, the machine is busy and nothing has failed: it is waited for
   * longer, and no call ends for it. Default false.
   */
  readonly isLocal?: boolean;
  /** Opens a recogniser for one call. Must not block the calling thread for more than a millisecond. */
  open(options: {
    language: string;
    sampleRateHz: SampleRateHz;
    /** Told the words understood so far while somebody speaks, where the provider has them. */
    onPartial?: (text: string) => void;
    /** Whether a machine may have answered: where the provider can, it then listens for `greeting`, too. */
    mayBeMachine?: boolean;
  }): Promise<SttSession>;
  close(): Promise<void>;
}

/** The recogniser of one call. Utterances are cut by the caller's voice activity detection, not here. */
export interface SttSession {
  /** Prepares for the answer to come; holds until the next call of it. */
  expect(expectation: RecognitionHints): void;
  /** Sound of the utterance in progress, pre-roll included. The samples are copied before this returns. */
  push(samples: Int16Array): void;
  /** The utterance is over: resolves with the words, and the next `push` begins a new utterance. */
  finish(): Promise<Transcript>;
  /** Forgets the utterance in progress: it was no speech. */
  discard(): void;
  close(): void;
}
