import { FRAME_MS, type SampleRateHz } from '#media/samples/audio.js';
import type { CallLanguage } from '#language/languages/call-language.js';
import { createBeepDetector, type BeepDetector } from '#media/detecting/beep-detector.js';
import { answerKindOf, type AnswerKind } from './answer-phrases.js';
import type { Entry } from '#conversation/talk/conversation.js';

/** Whoever has not been known for a machine by then is a person: people say such things later, too. */
const WATCH_MS = 30_000;
/** The same for what is said, counted from where it begins. */
const GREETING_MS = 15_000;
/** People who pick up a phone do not speak for so long, or so many words, in one go. */
const LONG_MS = 4_000;
const LONG_WORDS = 9;
/** A beep belongs to a greeting that ended so shortly before it. */
const BEEP_AFTER_MS = 5_000;
/** On the heels of a greeting it counts as part of what was said, which ends with it then. */
const LONGEST_BEEP_MS = 1_500;
/** People who are waited for that long say something. */
const NO_SPEECH_MS = 5_000;
/** So long after its start a beep is known for one; until then it may be taken for the beginning of speech. */
const BEEP_MS = 240;
/** Behind a beep, the words of the greeting are waited for so long: one that asks for our name is no machine's. */
const WORDS_AFTER_MS = 2_500;
/** Behind a screening service a phone rings for so long before a machine answers. */
const RINGING_MS = 30_000;
/** A greeting is at least so long before it beeps; whoever speaks after a beep is somebody else. */
const LEAST_WORDS_MS = 500;

/** Who answered, as soon as it is known that it was not (yet) a person. */
export type Answerer = 'machine' | 'screening';

/**
 * Listens to the beginning of an outbound call for answering machines and call screening.
 *
 * No sign is enough by itself: a person says "he is not available", speaks a long greeting, or sits beside something
 * that beeps. Two signs of different kinds make a machine: a long greeting, a phrase, a beep after it, or a beep where
 * nobody has spoken who was waited for. A phrase that people use as well counts only together with the beep.
 */
export class AnswerWatch {
  readonly #language: Pick<CallLanguage, 'current'>;
  readonly #beeps: BeepDetector;
  readonly #onAnswerer: (answerer: Answerer) => void;
  readonly #onBeep: () => void;
  #heardMs = 0;
  /** From when on the times count within which a machine answers: later where the phone rings again. */
  #fromMs = 0;
  #phrase: AnswerKind = 'person';
  #isLong = false;
  /** It has spoken for long, and what it said is not known yet. */
  #isUnread = false;
  /** When a beep came that makes it a machine, unless its words say otherwise; −1 for none. */
  #owedAtMs = -1;
  #isScreened = false;
  /** How long the agent has waited for a word. */
  #waitedMs = 0;
  /** When somebody was first and last heard speaking; −1 before. */
  #firstSpokenAtMs = -1;
  #spokenAtMs = -1;
  /** When the last beep was heard that belonged to nothing known by then; −1 before. */
  #beepedAtMs = -1;
  #isKnown = false;

  constructor(parts: {
    language: Pick<CallLanguage, 'current'>;
    sampleRateHz: SampleRateHz;
    onAnswerer: (answerer: Answerer) => void;
    /** A machine that is known has beeped. */
    onBeep: () => void;
  }) {
    this.#language = parts.language;
    this.#beeps = createBeepDetector(parts.sampleRateHz);
    this.#onAnswerer = parts.onAnswerer;
    this.#onBeep = parts.onBeep;
  }

  /**
   * Takes the caller's next frame, how long the utterance in progress has lasted so far (0: nobody speaks), and whether
   * it is for the caller to speak: people do not answer an agent who speaks.
   */
  hear(frame: Int16Array, utteranceMs: number, isWaiting: boolean): void {
    this.#heardMs += FRAME_MS;
    if (isWaiting) this.#waitedMs += FRAME_MS;
    if (this.#isKnown) {
      if (this.#beeps.hear(frame)) this.#onBeep();
      return;
    }
    if (this.#heardMs > this.#fromMs + WATCH_MS) return;
    if (utteranceMs >= LONG_MS && !this.#isLong) this.#soundsLong();
    const isBeep = this.#beeps.hear(frame);
    if (utteranceMs > 0) {
      this.#spokenAtMs = this.#heardMs;
      if (this.#firstSpokenAtMs < 0) this.#firstSpokenAtMs = this.#heardMs;
    }
    if (isBeep) this.#takeBeep();
    else if (this.#owedAtMs >= 0 && this.#heardMs - this.#owedAtMs >= WORDS_AFTER_MS)
      this.#settle(utteranceMs);
  }

  /** No words have come for the beep. Whoever speaks on behind it is no machine. */
  #settle(utteranceMs: number): void {
    this.#owedAtMs = -1;
    if (utteranceMs === 0) this.#knowByBeep();
  }

  #soundsLong(): void {
    this.#isLong = this.#isUnread = this.#heardMs <= this.#fromMs + GREETING_MS + LONG_MS;
  }

  #takeBeep(): void {
    const isOwed = this.#isAfterGreeting && this.#isUnread;
    if (!isOwed && (this.#isAfterSilence || this.#isAfterGreeting)) return this.#knowByBeep();
    this.#beepedAtMs = this.#heardMs;
    if (isOwed) this.#owedAtMs = this.#heardMs;
  }

  /** Never behind a screening service, which has spoken: what beeps there is a phone that rings, or somebody's. */
  get #isAfterSilence(): boolean {
    const isBeepAlone = this.#firstSpokenAtMs < 0 || this.#heardMs - this.#firstSpokenAtMs <= BEEP_MS;
    return isBeepAlone && this.#waitedMs >= NO_SPEECH_MS;
  }

  get #isAfterGreeting(): boolean {
    if (this.#spokenAtMs < 0 || this.#heardMs - this.#spokenAtMs > BEEP_AFTER_MS) return false;
    return this.#isGreeting;
  }

  /** Whether what was said may be the greeting of a machine. */
  get #isGreeting(): boolean {
    return this.#isLong || this.#phrase === 'machine' || this.#phrase === 'absent';
  }

  /** Words are known some time after they were spoken: whether a beep has come by then that ended them. */
  #hasBeepEnded({ startMs, endMs }: Pick<Entry, 'startMs' | 'endMs'>): boolean {
    const hasSpokenBefore = this.#beepedAtMs - startMs > LEAST_WORDS_MS;
    return (
      hasSpokenBefore &&
      this.#beepedAtMs >= endMs - LONGEST_BEEP_MS &&
      this.#beepedAtMs <= endMs + BEEP_AFTER_MS
    );
  }

  /** Somebody else has found out that it is a machine. */
  machineAnswered(): void {
    if (!this.#isKnown) this.#know();
  }

  /** What was understood of an utterance. */
  understand({ text, startMs, endMs }: Pick<Entry, 'text' | 'startMs' | 'endMs'>): void {
    if (this.#isKnown || startMs > this.#fromMs + GREETING_MS) return;
    this.#isUnread = false;
    this.#owedAtMs = -1;
    const kind = answerKindOf(text, this.#language.current);
    const isLong = endMs - startMs >= LONG_MS || text.split(' ').length >= LONG_WORDS;
    this.#isLong ||= isLong;
    if (kind !== 'person') this.#phrase = kind;
    if (kind === 'screening') this.#screen(endMs);
    else if (this.#isGreeting && this.#hasBeepEnded({ startMs, endMs })) this.#knowByBeep();
    else if (kind === 'machine' && this.#isLong) this.#know();
  }

  /** Behind a screening service there may still be a machine: it has said nothing yet, nor has a person. */
  #screen(endMs: number): void {
    this.#fromMs = endMs + RINGING_MS;
    this.#phrase = 'person';
    this.#isLong = false;
    this.#spokenAtMs = this.#beepedAtMs = -1;
    if (this.#isScreened) return;
    this.#isScreened = true;
    this.#onAnswerer('screening');
  }

  #knowByBeep(): void {
    this.#know();
    this.#onBeep();
  }

  #know(): void {
    this.#isKnown = true;
    this.#onAnswerer('machine');
  }
}
