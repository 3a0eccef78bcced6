import { FRAME_MS, type SampleRateHz } from '#media/samples/audio.js';
import type { CallLanguage } from '#language/languages/call-language.js';
import { createBeepDetector, type BeepDetector } from '#media/detecting/beep-detector.js';
import { classifyAnswer, type AnswerKind } from './answer-phrases.js';
import type { Entry } from '#conversation/talk/conversation.js';

/** Detection ends after this time: later in a call, people say the phrases of machines too. */
const DETECTION_MS = 30_000;
/** Latest start of speech that counts as the greeting of the answerer. */
const GREETING_MS = 15_000;
/** A greeting of this length, in time or in words, is too long for a person who picks up. */
const LONG_MS = 4_000;
const LONG_WORDS = 9;
/** Longest gap between a greeting and its beep. */
const BEEP_AFTER_MS = 5_000;
/** Longest beep. Right after a greeting, the beep is part of the same utterance and ends it. */
const LONGEST_BEEP_MS = 1_500;
/** After this silence a beep alone indicates a machine: a person would have spoken. */
const NO_SPEECH_MS = 5_000;
/** Time to recognise a beep. Until then, the beep may pass for the beginning of speech. */
const BEEP_MS = 240;
/** Wait for the words of a greeting after its beep: they may be those of a screening service instead. */
const WORDS_AFTER_MS = 2_500;
/** Longest further ringing after a screening service has spoken, before a person or a machine answers. */
const SCREENED_RINGING_MS = 30_000;
/** Shortest speech before a beep that can be its greeting. */
const SHORTEST_GREETING_MS = 500;

/** Who answered the phone in place of a person: an answering machine, or a call-screening service before the callee. */
export type Answerer = 'machine' | 'screening';

/**
 * Answering-machine detection: listens to the beginning of an outbound call for machines and call screening. Used by
 * {@link AnsweringParty}, which reacts to the detection.
 *
 * No single sign decides: a person says "he is not available", speaks a long greeting, or has a beeping device nearby.
 * Two of three signs together indicate a machine: a long greeting, a phrase of machines, and a beep after the greeting.
 * A phrase that people use as well counts only together with the beep. Without a greeting, a beep after five seconds of
 * silence is enough: a person would have spoken.
 */
export class AnsweringMachineDetector {
  readonly #language: Pick<CallLanguage, 'current'>;
  readonly #beepDetector: BeepDetector;
  readonly #onAnswerer: (answerer: Answerer) => void;
  readonly #onBeep: () => void;
  /** Length of the sound taken so far, in milliseconds; all other times are positions in it. */
  #positionMs = 0;
  /**
   * The position from which {@link DETECTION_MS} and {@link GREETING_MS} count: 0 or, after a screening service, the
   * latest end of further ringing.
   */
  #windowStartMs = 0;
  /** Kind of the greeting by its words so far. */
  #greetingKind: AnswerKind = 'person';
  /** True if the greeting is too long for a person, in time or in words. */
  #isLong = false;
  /** True after long speech whose words have not arrived yet. */
  #isAwaitingWords = false;
  /** Time of a beep that indicates a machine unless the words of the greeting say otherwise; −1 for none. */
  #pendingBeepAtMs = -1;
  /** True after a call-screening service has answered. */
  #isScreened = false;
  /** Time that the agent has listened so far. */
  #waitedMs = 0;
  /** When speech was first heard; −1 before. */
  #firstSpeechAtMs = -1;
  /** When speech was last heard; −1 before any speech, and again after a screening service. */
  #lastSpeechAtMs = -1;
  /** Time of the last beep that decided nothing when it came; −1 for none. Later words may still make it decide. */
  #lastBeepAtMs = -1;
  /** True once a machine is detected: from then on only its beeps are reported. */
  #isDetected = false;

  constructor(parts: {
    language: Pick<CallLanguage, 'current'>;
    sampleRateHz: SampleRateHz;
    onAnswerer: (answerer: Answerer) => void;
    /** Called for each beep of a detected machine: it records from now on. */
    onBeep: () => void;
  }) {
    this.#language = parts.language;
    this.#beepDetector = createBeepDetector(parts.sampleRateHz);
    this.#onAnswerer = parts.onAnswerer;
    this.#onBeep = parts.onBeep;
  }

  /**
   * Takes the caller's next frame of 20 ms.
   * @param utteranceMs length of the utterance in progress; 0 during silence
   * @param isWaiting true while the agent listens: people do not answer while it speaks
   */
  hear(frame: Int16Array, utteranceMs: number, isWaiting: boolean): void {
    this.#positionMs += FRAME_MS;
    if (isWaiting) this.#waitedMs += FRAME_MS;
    if (this.#isDetected) {
      if (this.#beepDetector.hear(frame)) this.#onBeep();
      return;
    }
    if (this.#positionMs > this.#windowStartMs + DETECTION_MS) return;
    if (utteranceMs >= LONG_MS && !this.#isLong) this.#noteLongSpeech();
    const isBeep = this.#beepDetector.hear(frame);
    if (utteranceMs > 0) {
      this.#lastSpeechAtMs = this.#positionMs;
      if (this.#firstSpeechAtMs < 0) this.#firstSpeechAtMs = this.#positionMs;
    }
    if (isBeep) this.#handleBeep();
    else if (this.#pendingBeepAtMs >= 0 && this.#positionMs - this.#pendingBeepAtMs >= WORDS_AFTER_MS)
      this.#decidePendingBeep(utteranceMs);
  }

  /** Decides without the words of the greeting, which are late. Speech that goes on after the beep is no machine's. */
  #decidePendingBeep(utteranceMs: number): void {
    this.#pendingBeepAtMs = -1;
    if (utteranceMs === 0) this.#reportMachineByBeep();
  }

  /** The utterance has reached {@link LONG_MS}: it counts as long if it began early enough to be a greeting. */
  #noteLongSpeech(): void {
    this.#isLong = this.#isAwaitingWords = this.#positionMs <= this.#windowStartMs + GREETING_MS + LONG_MS;
  }

  /** A beep at a fitting time indicates a machine. After a long greeting it waits for the words of the greeting. */
  #handleBeep(): void {
    const mustAwaitWords = this.#isAfterGreeting && this.#isAwaitingWords;
    if (!mustAwaitWords && (this.#isAfterSilence || this.#isAfterGreeting))
      return this.#reportMachineByBeep();
    this.#lastBeepAtMs = this.#positionMs;
    if (mustAwaitWords) this.#pendingBeepAtMs = this.#positionMs;
  }

  /**
   * True if the beep is the first sound after a long silence. Always false after a screening service, which has spoken:
   * a beep there is a ringing tone or background.
   */
  get #isAfterSilence(): boolean {
    const isBeepAlone = this.#firstSpeechAtMs < 0 || this.#positionMs - this.#firstSpeechAtMs <= BEEP_MS;
    return isBeepAlone && this.#waitedMs >= NO_SPEECH_MS;
  }

  /** True if speech that may be a machine's greeting has just ended. */
  get #isAfterGreeting(): boolean {
    if (this.#lastSpeechAtMs < 0 || this.#positionMs - this.#lastSpeechAtMs > BEEP_AFTER_MS) return false;
    return this.#isGreeting;
  }

  /** True if the speech so far may be the greeting of a machine. */
  get #isGreeting(): boolean {
    return this.#isLong || this.#greetingKind === 'machine' || this.#greetingKind === 'absent';
  }

  /** True if an undecided beep came at the end of this utterance, whose words arrive some time after the beep. */
  #wasEndedByBeep({ startMs, endMs }: Pick<Entry, 'startMs' | 'endMs'>): boolean {
    const hasSpeechBefore = this.#lastBeepAtMs - startMs > SHORTEST_GREETING_MS;
    return (
      hasSpeechBefore &&
      this.#lastBeepAtMs >= endMs - LONGEST_BEEP_MS &&
      this.#lastBeepAtMs <= endMs + BEEP_AFTER_MS
    );
  }

  /** The carrier's own detection reports a machine. */
  machineAnswered(): void {
    if (!this.#isDetected) this.#reportMachine();
  }

  /** Takes a transcribed utterance; times are milliseconds of the stream. */
  takeTranscript({ text, startMs, endMs }: Pick<Entry, 'text' | 'startMs' | 'endMs'>): void {
    if (this.#isDetected || startMs > this.#windowStartMs + GREETING_MS) return;
    this.#isAwaitingWords = false;
    this.#pendingBeepAtMs = -1;
    const kind = classifyAnswer(text, this.#language.current);
    const isLong = endMs - startMs >= LONG_MS || text.split(' ').length >= LONG_WORDS;
    this.#isLong ||= isLong;
    if (kind !== 'person') this.#greetingKind = kind;
    if (kind === 'screening') this.#restartAfterScreening(endMs);
    else if (this.#isGreeting && this.#wasEndedByBeep({ startMs, endMs })) this.#reportMachineByBeep();
    else if (kind === 'machine' && this.#isLong) this.#reportMachine();
  }

  /** Restarts the detection: after a screening service either a machine or a person may still answer. */
  #restartAfterScreening(endMs: number): void {
    this.#windowStartMs = endMs + SCREENED_RINGING_MS;
    this.#greetingKind = 'person';
    this.#isLong = false;
    this.#lastSpeechAtMs = this.#lastBeepAtMs = -1;
    if (this.#isScreened) return;
    this.#isScreened = true;
    this.#onAnswerer('screening');
  }

  #reportMachineByBeep(): void {
    this.#reportMachine();
    this.#onBeep();
  }

  #reportMachine(): void {
    this.#isDetected = true;
    this.#onAnswerer('machine');
  }
}
