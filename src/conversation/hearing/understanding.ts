import { Tasks } from '#kernel/work/tasks.js';
import type { Transcript } from '#speech/stt.js';
import type { Entry } from '#conversation/talk/conversation.js';
import type { Utterance } from './utterance-segmenter.js';
import { NOT_UNDERSTOOD, type SttLink } from './stt-link.js';
import { isOneVoice } from './one-voice.js';
import type { ResponseMarks } from './turn-timing.js';

/**
 * Longest turn that is interpreted, in characters: over a minute and a half of speech. Reading days and numbers in a
 * longer text would delay other calls. The transcript keeps all of it.
 */
const LONGEST_TURN = 1_500;

/** Input of the caller: an utterance that has just ended, or known words, and the response that is due. */
export interface Said {
  utterance?: Utterance;
  known?: Transcript;
  response?: ResponseMarks;
}

export interface UnderstandingParts {
  link: SttLink;
  /** Voice up to this length, in milliseconds, without a word is noise. */
  noiseUpToMs: number;
  /** @param greeting the greeting of an answering machine, if the words are one */
  onEntry(entry: Entry, greeting?: string): void;
  /** The caller's whole turn is transcribed. */
  onWords(heard: Transcript, response: ResponseMarks): void;
  /** Speech that is no turn was transcribed. */
  onUnanswered(heard: Transcript): void;
  /** There was no turn: the sound that seemed to be one was no speech. */
  onNothing(): void;
  onFailure(error: unknown): void;
}

/**
 * The utterance queue: every utterance becomes a transcript entry, and those that are answers are collected until the
 * agent has answered, so that a turn with a pause in it is one turn. Noise is dropped.
 */
export class Understanding {
  readonly #parts: UnderstandingParts;
  readonly #pending = new Tasks();
  /** Handling of the utterance before: a recogniser may finish a short utterance sooner than an earlier one. */
  #before: Promise<void> = Promise.resolve();
  #unanswered: Transcript[] = [];
  /** The response due for the last of them, until it is reported. */
  #untold: ResponseMarks | null = null;
  /** Utterances of the caller's turn whose words are still to come. */
  #awaited = 0;
  /** Typed or pressed input that came while the agent could not be interrupted, and typed input queued after it. */
  readonly #kept: Transcript[] = [];

  constructor(parts: UnderstandingParts) {
    this.#parts = parts;
  }

  /** True while words of an answer are still to come. */
  get isAwaiting(): boolean {
    return this.#awaited > 0;
  }

  /** Transcribes the utterance just pushed as no answer, as far as is known, and passes its words to `onHeard`. */
  note(utterance: Utterance, onHeard = this.#parts.onUnanswered): void {
    this.#hear(utterance, (heard) => onHeard(heard ?? NOT_UNDERSTOOD));
  }

  /** Transcribes the utterance just pushed as an answer, or as the rest of one. */
  answer(utterance: Utterance, response: ResponseMarks): void {
    this.#awaited += 1;
    this.#hear(utterance, (heard) => {
      this.#awaited -= 1;
      if (heard) this.known(heard, response);
      else this.#tell();
    });
  }

  /** Typed input: only an entry of the transcript. */
  type(text: string, atMs: number): Transcript {
    const heard = { text, confidence: 1 };
    this.#parts.onEntry({ speaker: 'customer', ...heard, startMs: atMs, endMs: atMs, interrupted: false });
    return heard;
  }

  /** Keeps typed input for a later answer: each text is its own turn, meant for the question of its time. */
  keep(heard: Transcript): void {
    this.#kept.push(heard);
  }

  get isKeeping(): boolean {
    return this.#kept.length > 0;
  }

  /** The oldest kept input. */
  nextKept(): Transcript | undefined {
    return this.#kept.shift();
  }

  /** An answer with known words: typed, or transcribed before it was known to be an answer. */
  known(heard: Transcript, response: ResponseMarks): void {
    this.#unanswered.push(heard);
    this.#untold = response;
    this.#tell();
  }

  /** The agent has begun to answer, or needed no words to do so. */
  answered(): void {
    this.#unanswered = [];
    this.#untold = null;
  }

  /** Resolves when all utterances are transcribed. */
  settled(): Promise<void> {
    return this.#pending.settled();
  }

  #tell(): void {
    if (this.#awaited > 0) return;
    const response = this.#untold;
    this.#untold = null;
    if (response) this.#parts.onWords(joined(this.#unanswered), response);
    else if (this.#unanswered.length === 0) this.#parts.onNothing();
  }

  /** Passes the words of the utterance just pushed to `take`, null for noise, in the order of the utterances. */
  #hear(utterance: Utterance, take: (heard: Transcript | null) => void): void {
    const words = Promise.all([this.#parts.link.finish(), this.#before]);
    const work = words.then(([heard]) => take(this.#speechIn(utterance, heard)));
    this.#before = work.catch(this.#parts.onFailure);
    this.#pending.add(this.#before);
  }

  /** Writes the transcript entry; null for noise. */
  #speechIn(utterance: Utterance, heard: Transcript): Transcript | null {
    const { voicedMs, isSteady, startMs, endMs } = utterance;
    const isNoise = voicedMs <= this.#parts.noiseUpToMs || !isOneVoice(utterance);
    // A recogniser finds words in music too.
    if (isSteady || (heard.text === '' && isNoise)) return null;
    const { text, confidence, greeting, language } = heard;
    this.#parts.onEntry(
      {
        speaker: 'customer',
        text,
        confidence,
        startMs,
        endMs,
        interrupted: false,
        ...(language !== undefined && { language }),
      },
      greeting,
    );
    return heard;
  }
}

/** Several utterances in a row as one; its confidence is that of the least certain part. */
function joined(parts: readonly Transcript[]): Transcript {
  const understood = parts.filter(({ text }) => text !== '');
  if (understood.length === 0) return NOT_UNDERSTOOD;
  // The end of a turn counts most: "… so, yes".
  const text = understood
    .map((part) => part.text)
    .join(' ')
    .slice(-LONGEST_TURN);
  const language = understood.findLast((part) => part.language !== undefined)?.language;
  return {
    text,
    confidence: Math.min(...understood.map((part) => part.confidence)),
    ...(language !== undefined && { language }),
  };
}
