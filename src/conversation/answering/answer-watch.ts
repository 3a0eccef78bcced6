import { FRAME_MS, type SampleRateHz } from '#media/samples/audio.js';
import type { CallLanguage } from '#language/languages/call-language.js';
import { createBeepDetector, type BeepDetector } from '#media/detecting/beep-detector.js';
import { answerKindOf, type AnswerKind } from './answer-phrases.js';
import type { Entry } from '#conversation/talk/conversation.js';

/** Detection ends after this time: people say such phrases later in a call, too. */
const WATCH_MS = 30_000;
/** Latest start of speech that counts as a greeting. */
const GREETING_MS = 15_000;
/** Length in time and words of a greeting too long for a person who picks up. */
const LONG_MS = 4_000;
const LONG_WORDS = 9;
/** Longest gap between a greeting and its beep. */
const BEEP_AFTER_MS = 5_000;
/** Longest beep: right after a greeting, it is part of the utterance and ends it. */
const LONGEST_BEEP_MS = 1_500;
/** Silence after which a person would have spoken. */
const NO_SPEECH_MS = 5_000;
/** Time to recognise a beep; until then it may pass for the beginning of speech. */
const BEEP_MS = 240;
/** Wait for the words of a greeting after its beep: a greeting that asks for the caller's name is not a machine's. */
const WORDS_AFTER_MS = 2_500;
/** Longest ringing of a phone after a screening service, before a machine answers. */
const RINGING_MS = 30_000;
/** Shortest greeting before its beep: speech that begins later is not the greeting. */
const LEAST_WORDS_MS = 500;

/** What answered the phone, if that is not, or not yet, a person. */
export type Answerer = 'machine' | 'screening';

/**
 * Answering-machine detection: listens to the beginning of an outbound call for machines and call screening.
 *
 * No single sign decides: a person says "he is not available", speaks a long greeting, or has a beeping device nearby.
 * Two signs of different kinds indicate a machine: a long greeting, a phrase, a beep after the greeting, or a beep
 * after silence in which a person would have spoken. A phrase that people use as well counts only together with the
 * beep.
 */
export class AnswerWatch {
  readonly #language: Pick<CallLanguage, 'current'>;
  readonly #beeps: BeepDetector;
  readonly #onAnswerer: (answerer: Answerer) => void;
  readonly #onBeep: () => void;
  #heardMs = 0;
  /** Start of the detection window; later if the phone rings again behind a screening service. */
  #fromMs = 0;
  #phrase: AnswerKind = 'person';
  #isLong = false;
  /** A long utterance was heard whose words are not known yet. */
  #isUnread = false;
  /** Time of a beep that indicates a machine unless the words say otherwise; −1 for none. */
  #owedAtMs = -1;
  #isScreened = false;
  /** How long the agent has waited for a word. */
  #waitedMs = 0;
  /** First and last time at which speech was heard; −1 before. */
  #firstSpokenAtMs = -1;
  #spokenAtMs = -1;
  /** Time of the last beep that matched no sign known by then; −1 before. */
  #beepedAtMs = -1;
  #isKnown = false;

  constructor(parts: {
    language: Pick<CallLanguage, 'current'>;
    sampleRateHz: SampleRateHz;
    onAnswerer: (answerer: Answerer) => void;
    /** The detected machine has beeped. */
    onBeep: () => void;
  }) {
    this.#language = parts.language;
    this.#beeps = createBeepDetector(parts.sampleRateHz);
    this.#onAnswerer = parts.onAnswerer;
    this.#onBeep = parts.onBeep;
  }

  /**
   * Takes the caller's next frame.
   * @param utteranceMs length of the utterance in progress; 0 during silence
   * @param isWaiting true while the agent is silent: people do not answer over its speech
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

  /** The words of the greeting have not arrived in time. Speech that continues after the beep is no machine's. */
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

  /** False after a screening service, which has spoken: a beep there is a ringing phone or background. */
  get #isAfterSilence(): boolean {
    const isBeepAlone = this.#firstSpokenAtMs < 0 || this.#heardMs - this.#firstSpokenAtMs <= BEEP_MS;
    return isBeepAlone && this.#waitedMs >= NO_SPEECH_MS;
  }

  get #isAfterGreeting(): boolean {
    if (this.#spokenAtMs < 0 || this.#heardMs - this.#spokenAtMs > BEEP_AFTER_MS) return false;
    return this.#isGreeting;
  }

  /** True if the speech so far may be the greeting of a machine. */
  get #isGreeting(): boolean {
    return this.#isLong || this.#phrase === 'machine' || this.#phrase === 'absent';
  }

  /** Words arrive some time after they were spoken: true if a beep has ended them meanwhile. */
  #hasBeepEnded({ startMs, endMs }: Pick<Entry, 'startMs' | 'endMs'>): boolean {
    const hasSpokenBefore = this.#beepedAtMs - startMs > LEAST_WORDS_MS;
    return (
      hasSpokenBefore &&
      this.#beepedAtMs >= endMs - LONGEST_BEEP_MS &&
      this.#beepedAtMs <= endMs + BEEP_AFTER_MS
    );
  }

  /** The carrier has detected a machine. */
  machineAnswered(): void {
    if (!this.#isKnown) this.#know();
  }

  /** Takes the words of an utterance. */
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

  /** Restarts the detection: behind a screening service either a machine or a person may still answer. */
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
