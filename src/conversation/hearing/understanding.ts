import { Tasks } from '#kernel/work/tasks.js';
import type { Transcript } from '#speech/stt.js';
import type { Entry } from '#conversation/talk/conversation.js';
import type { Utterance } from './utterance-segmenter.js';
import { NOT_UNDERSTOOD, type SttLink } from './stt-link.js';
import { isOneVoice } from './one-voice.js';
import type { ResponseMarks } from './turn-timing.js';

/**
 * The most that a turn of a caller gives to be understood, in characters: over a minute and a half of speech. Reading
 * days and numbers in a longer text would hold up other calls. The transcript keeps all of it.
 */
const LONGEST_TURN = 1_500;

/**
 * Something the caller said: an utterance that has just ended, or words that are known, and the response they ask for.
 */
export interface Said {
  utterance?: Utterance;
  known?: Transcript;
  response?: ResponseMarks;
}

export interface UnderstandingParts {
  link: SttLink;
  /** Voice up to this, in milliseconds, without a word, is no speech. */
  noiseUpToMs: number;
  /** `greeting`: how a machine greets, where it was that. */
  onEntry(entry: Entry, greeting?: string): void;
  /** The caller's turn is understood, all of it. */
  onWords(heard: Transcript, response: ResponseMarks): void;
  /** Something that is no turn was understood. */
  onUnanswered(heard: Transcript): void;
  /** There was no turn: what sounded like one was no speech. */
  onNothing(): void;
  onFailure(error: unknown): void;
}

/**
 * From utterances to words: every utterance becomes an entry of the transcript; those that are answers are gathered
 * until the agent has answered, so that a turn with a pause in it is understood as one. A cough is none of it.
 */
export class Understanding {
  readonly #parts: UnderstandingParts;
  readonly #pending = new Tasks();
  /** What is to be made of the utterance before: a recogniser may understand a short one sooner than one before it. */
  #before: Promise<void> = Promise.resolve();
  #unanswered: Transcript[] = [];
  /** The response that the last of them asks for, until it was told. */
  #untold: ResponseMarks | null = null;
  /** Utterances of the caller's turn whose words are still to come. */
  #awaited = 0;
  /** Typed or pressed while the agent could not be interrupted, and what was typed behind that. */
  readonly #kept: Transcript[] = [];

  constructor(parts: UnderstandingParts) {
    this.#parts = parts;
  }

  /** Words of an answer are still to come. */
  get isAwaiting(): boolean {
    return this.#awaited > 0;
  }

  /** The utterance just pushed is no answer, as far as is known: it is written down, and `onHeard` told what it was. */
  note(utterance: Utterance, onHeard = this.#parts.onUnanswered): void {
    this.#hear(utterance, (heard) => onHeard(heard ?? NOT_UNDERSTOOD));
  }

  /** The utterance just pushed is an answer, or goes on with one. */
  answer(utterance: Utterance, response: ResponseMarks): void {
    this.#awaited += 1;
    this.#hear(utterance, (heard) => {
      this.#awaited -= 1;
      if (heard) this.known(heard, response);
      else this.#tell();
    });
  }

  /** Something typed: it needs no understanding, only to be written down. */
  type(text: string, atMs: number): Transcript {
    const heard = { text, confidence: 1 };
    this.#parts.onEntry({ speaker: 'customer', ...heard, startMs: atMs, endMs: atMs, interrupted: false });
    return heard;
  }

  /** Something typed that is to be answered later: each in its turn, as it was meant for what was asked then. */
  keep(heard: Transcript): void {
    this.#kept.push(heard);
  }

  get isKeeping(): boolean {
    return this.#kept.length > 0;
  }

  /** What has waited longest to be answered. */
  nextKept(): Transcript | undefined {
    return this.#kept.shift();
  }

  /** An answer whose words are known: typed, or understood before it was known to be one. */
  known(heard: Transcript, response: ResponseMarks): void {
    this.#unanswered.push(heard);
    this.#untold = response;
    this.#tell();
  }

  /** The agent has begun to answer, or has done so without a word. */
  answered(): void {
    this.#unanswered = [];
    this.#untold = null;
  }

  /** Resolves when nothing is left to be understood. */
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

  /** Takes what the utterance just pushed turns out to be, null for what was no speech, in the order of utterances. */
  #hear(utterance: Utterance, take: (heard: Transcript | null) => void): void {
    const words = Promise.all([this.#parts.link.finish(), this.#before]);
    const work = words.then(([heard]) => take(this.#speechIn(utterance, heard)));
    this.#before = work.catch(this.#parts.onFailure);
    this.#pending.add(this.#before);
  }

  /** Writes it down; null for what was no speech. */
  #speechIn(utterance: Utterance, heard: Transcript): Transcript | null {
    const { voicedMs, isSteady, startMs, endMs } = utterance;
    const isNoise = voicedMs <= this.#parts.noiseUpToMs || !isOneVoice(utterance);
    // Words that a recogniser makes of music are nobody's.
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

/** Several utterances in a row as one: what was understood of them, as sure as the least sure part. */
function joined(parts: readonly Transcript[]): Transcript {
  const understood = parts.filter(({ text }) => text !== '');
  if (understood.length === 0) return NOT_UNDERSTOOD;
  // What was said last counts most: "… so, yes".
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
