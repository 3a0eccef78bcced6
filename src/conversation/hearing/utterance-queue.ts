import { Tasks } from '#kernel/work/tasks.js';
import type { Transcript } from '#speech/stt.js';
import type { Entry } from '#conversation/talk/conversation.js';
import type { Utterance } from './utterance-segmenter.js';
import { NOT_UNDERSTOOD, type SttLink } from './stt-link.js';
import { mayBeOneSpeaker } from './voice-evidence.js';
import type { ResponseMarks } from './turn-timing.js';

/**
 * Longest turn that is interpreted, in characters: over a minute and a half of speech. Reading days and numbers in a
 * longer text would delay other calls. The transcript keeps the whole text.
 */
const LONGEST_TURN_CHARACTERS = 1_500;

/**
 * Input of the caller: an utterance whose words are not known yet, or known words. An argument of the actions of
 * `LiveConversation`.
 */
export interface CallerInput {
  /** An utterance that has just ended. */
  utterance?: Utterance;
  /** Typed text, DTMF keys, or speech over the agent whose words have shown that it is meant to interrupt. */
  knownWords?: Transcript;
  /** When the input ended, for the timing of the response; now if missing. */
  response?: ResponseMarks;
}

/** The dependencies of {@link UtteranceQueue}; for the callbacks, see `ListeningHandlers`. */
export interface UtteranceQueueParts {
  link: SttLink;
  /** Voice up to this length, in milliseconds, without a word is noise. */
  noiseUpToMs: number;
  onEntry(entry: Entry, greeting?: string): void;
  onWords(heard: Transcript, response: ResponseMarks): void;
  onUnanswered(heard: Transcript): void;
  onNothing(): void;
  onFailure(error: unknown): void;
}

/**
 * Turns utterances into transcript entries and turns of the caller. Every utterance is transcribed, in order. Those
 * that the agent is to answer are collected until it answers, so that speech with a pause in it is one turn. Noise is
 * dropped. Used by `LiveConversation`, and by `Operator` for the words of a person in the agent's place.
 */
export class UtteranceQueue {
  readonly #parts: UtteranceQueueParts;
  readonly #pending = new Tasks();
  /** Work on the previous utterance, which comes first: a recogniser may finish a short utterance sooner than it. */
  #previous: Promise<void> = Promise.resolve();
  /** The parts of the caller's turn that the agent has not answered. */
  #unanswered: Transcript[] = [];
  /** The marks of the newest part, until the turn is reported. */
  #dueResponse: ResponseMarks | null = null;
  /** Number of utterances to answer whose words are still to come. */
  #awaitedUtterances = 0;
  /** Typed text and DTMF keys that came while the agent could not be interrupted; later ones queue behind them. */
  readonly #keptInput: Transcript[] = [];

  constructor(parts: UtteranceQueueParts) {
    this.#parts = parts;
  }

  /** True while words that the agent is to answer are still to come. */
  get isAwaiting(): boolean {
    return this.#awaitedUtterances > 0;
  }

  /**
   * Transcribes an utterance that is not to be answered, or not yet, and passes its words to `onHeard`. Its sound has
   * just been pushed to the recogniser.
   */
  transcribeUnanswered(utterance: Utterance, onHeard = this.#parts.onUnanswered): void {
    this.#transcribe(utterance, (heard) => onHeard(heard ?? NOT_UNDERSTOOD));
  }

  /** Transcribes an utterance, just pushed to the recogniser, as a part of the turn that the agent is to answer. */
  answer(utterance: Utterance, response: ResponseMarks): void {
    this.#awaitedUtterances += 1;
    this.#transcribe(utterance, (heard) => {
      this.#awaitedUtterances -= 1;
      if (heard) this.answerWith(heard, response);
      else this.#reportTurn();
    });
  }

  /** Writes the transcript entry of typed text or DTMF keys, and returns it as a transcript for {@link answerWith}. */
  addTyped(text: string, atMs: number): Transcript {
    const heard = { text, confidence: 1 };
    this.#parts.onEntry({ speaker: 'customer', ...heard, startMs: atMs, endMs: atMs, interrupted: false });
    return heard;
  }

  /** Keeps input that is answered later: each text is a turn of its own. */
  keep(heard: Transcript): void {
    this.#keptInput.push(heard);
  }

  /** True while kept input waits for its answer. */
  get isKeeping(): boolean {
    return this.#keptInput.length > 0;
  }

  /** Removes and returns the oldest kept input. */
  takeKept(): Transcript | undefined {
    return this.#keptInput.shift();
  }

  /** Takes known words, typed or already transcribed, as a part of the turn that the agent is to answer. */
  answerWith(heard: Transcript, response: ResponseMarks): void {
    this.#unanswered.push(heard);
    this.#dueResponse = response;
    this.#reportTurn();
  }

  /** The agent has begun to answer, or its turn is over: later utterances begin a new turn of the caller. */
  agentAnswered(): void {
    this.#unanswered = [];
    this.#dueResponse = null;
  }

  /** Resolves when all utterances are transcribed. */
  settled(): Promise<void> {
    return this.#pending.settled();
  }

  /**
   * Once no words are awaited: reports the whole turn so far if a part is new, and `onNothing` if it has no parts at
   * all. Reports nothing if only noise followed a turn that was reported.
   */
  #reportTurn(): void {
    if (this.#awaitedUtterances > 0) return;
    const response = this.#dueResponse;
    this.#dueResponse = null;
    if (response) this.#parts.onWords(joined(this.#unanswered), response);
    else if (this.#unanswered.length === 0) this.#parts.onNothing();
  }

  /** Passes the words of the utterance just pushed to `onTranscript` (null for noise), in the order of utterances. */
  #transcribe(utterance: Utterance, onTranscript: (heard: Transcript | null) => void): void {
    const words = Promise.all([this.#parts.link.finish(), this.#previous]);
    const work = words.then(([heard]) => onTranscript(this.#recordSpeech(utterance, heard)));
    this.#previous = work.catch(this.#parts.onFailure);
    this.#pending.add(this.#previous);
  }

  /** Writes the transcript entry of an utterance; returns its words, or null for noise. */
  #recordSpeech(utterance: Utterance, heard: Transcript): Transcript | null {
    const { voicedMs, isSteady, startMs, endMs } = utterance;
    const isNoise = voicedMs <= this.#parts.noiseUpToMs || !mayBeOneSpeaker(utterance);
    // Steady sound is music or a beep, and a recogniser finds words even in that.
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

/** Joins the parts of a turn; the confidence is that of the least certain part. */
function joined(parts: readonly Transcript[]): Transcript {
  const understood = parts.filter(({ text }) => text !== '');
  if (understood.length === 0) return NOT_UNDERSTOOD;
  // The end of a long turn is kept, because it counts most: "… so, yes".
  const text = understood
    .map((part) => part.text)
    .join(' ')
    .slice(-LONGEST_TURN_CHARACTERS);
  const language = understood.findLast((part) => part.language !== undefined)?.language;
  return {
    text,
    confidence: Math.min(...understood.map((part) => part.confidence)),
    ...(language !== undefined && { language }),
  };
}
