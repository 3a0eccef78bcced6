import { FRAME_MS } from '#media/samples/audio.js';
import type { CallLanguage } from '#language/languages/call-language.js';
import type { Transcript } from '#speech/stt.js';
import { overlapClassifier, type OverlapKind } from './back-channels.js';
import type { Utterance } from '#conversation/hearing/utterance-segmenter.js';
import { mayBeOneSpeaker, type VoiceEvidence } from '#conversation/hearing/voice-evidence.js';
import type { TalkEvent } from '#conversation/talk/talk-machine.js';
import type { TurnSettings } from '#conversation/talk/turn-settings.js';

/** The step that overlapping speech requires of the agent. */
export type ArbitrationStep =
  | 'none'
  /** The agent pauses in mid-sentence, to find out whether the speech is meant. */
  | 'pause'
  /** The caller takes the turn. */
  | 'commit'
  /** The speech was not meant: the agent continues its sentence. */
  | 'resume';

/** The conversation's event for each step. */
export const ARBITRATION_EVENTS: Readonly<Record<Exclude<ArbitrationStep, 'none'>, TalkEvent>> = {
  pause: 'overlap',
  commit: 'barge_in',
  resume: 'false_alarm',
};

/** The caller's voice at present; `UtteranceSegmenter` implements it. */
export interface Voice extends VoiceEvidence {
  readonly isSpeaking: boolean;
  /** Milliseconds of voice in the present utterance. */
  readonly voicedMs: number;
}

/** The agent's turn in progress; `AgentTurn` implements it. */
export interface SpokenTurn {
  readonly isInterruptible: boolean;
  /** Milliseconds that the agent still speaks. */
  readonly remainingMs: number;
}

/**
 * Decides who has the turn when caller and agent speak at once (barge-in). Used by `Interruptions`.
 *
 * Voice alone only makes the agent pause. Words other than back-channels, or a long voice of one person, take the turn;
 * after anything else the agent continues. An utterance that was dismissed once interrupts later only by its words.
 */
export class TurnArbitration {
  readonly #settings: TurnSettings;
  readonly #language: Pick<CallLanguage, 'current'>;
  /** Voice of the present utterance from before the agent spoke: it interrupts nothing. */
  #voicedBeforeMs = 0;
  /** Class of the partial words of the present utterance. */
  #overlapKind: OverlapKind = 'none';
  /** True if the agent has paused for the present utterance, and has continued again. */
  #isDismissed = false;
  /** Length of the agent's present pause. */
  #pausedMs = 0;
  /** True if the agent had nearly finished when the present utterance was long enough for a pause. */
  #isEarlyAnswer = false;
  /** For each utterance whose words are still to come, in order: whether it is an early answer. */
  readonly #awaitedEarlyAnswers: boolean[] = [];

  constructor(settings: TurnSettings, language: Pick<CallLanguage, 'current'>) {
    this.#settings = settings;
    this.#language = language;
  }

  #classify(words: string): OverlapKind {
    return overlapClassifier(this.#language.current)(words);
  }

  /** The agent begins to speak. */
  agentBegan(voice: Voice): void {
    this.#voicedBeforeMs = voice.voicedMs;
    this.#isDismissed = this.#isEarlyAnswer = false;
  }

  /** The agent has paused, or continues. */
  pauseChanged(step: 'pause' | 'resume'): void {
    this.#pausedMs = 0;
    this.#isDismissed = step === 'resume';
  }

  /** Takes the recogniser's partial words of the utterance. */
  takePartialWords(words: string): void {
    const kind = this.#classify(words);
    // The newest word is a guess: for a moment a recogniser turns the end of "okay" into "okay it".
    const isGuess = kind === 'words' && this.#classify(withoutLast(words)) === 'back_channel';
    this.#overlapKind = isGuess ? 'back_channel' : kind;
  }

  /** An utterance over the agent has ended; {@link takeWords} follows with its words. */
  awaitWords(): void {
    this.#awaitedEarlyAnswers.push(this.#isEarlyAnswer);
  }

  /** Takes the words of the oldest utterance of {@link awaitWords}. True if they take the turn. */
  takeWords(heard: Transcript, utterance: Omit<Utterance, 'startMs' | 'endMs'>): boolean {
    const { voicedMs, isSteady } = utterance;
    const isEarlyAnswer = this.#awaitedEarlyAnswers.shift() ?? false;
    // A recogniser finds words in music and beeps too.
    if (isSteady) return false;
    const kind = this.#classify(heard.text);
    // At the end of a turn even "okay" is an answer.
    if (kind !== 'none' && isEarlyAnswer) return true;
    if (kind === 'none')
      return voicedMs >= this.#settings.wordlessCommitAfterMs && mayBeOneSpeaker(utterance);
    if (kind === 'words') return voicedMs >= this.#settings.meantFromMs;
    return kind === 'stop';
  }

  /**
   * Called every 20 ms while the agent speaks or pauses; returns the step that is due.
   * @param isPaused true while the agent pauses in mid-sentence
   */
  tick(voice: Voice, isPaused: boolean, turn: SpokenTurn): ArbitrationStep {
    if (!voice.isSpeaking) this.#forgetUtterance();
    if (!isPaused) {
      const step = this.#stepWhileSpeaking(voice);
      if (step === 'none' || !turn.isInterruptible) return 'none';
      // A turn that is nearly finished is not paused.
      this.#isEarlyAnswer ||= step === 'pause' && turn.remainingMs < this.#settings.finishWithinMs;
      return step === 'pause' && this.#isEarlyAnswer ? 'none' : step;
    }
    this.#pausedMs += FRAME_MS;
    if (this.#takesTurn(voice)) return 'commit';
    // A voice that is long enough to take the turn, but is not one person's, ends the pause like silence.
    const hasFinished = !voice.isSpeaking || this.#isLongWithoutWords(this.#ownVoicedMs(voice));
    const isFalseAlarm = hasFinished && this.#awaitedEarlyAnswers.length === 0;
    return isFalseAlarm || this.#pausedMs >= this.#settings.resumeAfterMs ? 'resume' : 'none';
  }

  /** The step while the agent speaks; after a dismissed utterance only its words can interrupt. */
  #stepWhileSpeaking(voice: Voice): ArbitrationStep {
    if (this.#isDismissed) return this.#hasWords && this.#takesTurn(voice) ? 'commit' : 'none';
    return this.#ownVoicedMs(voice) >= this.#settings.pauseAfterMs ? 'pause' : 'none';
  }

  /** True if the voice is long enough to take the turn, with words or as one person's voice. */
  #takesTurn(voice: Voice): boolean {
    const voicedMs = this.#ownVoicedMs(voice);
    if (this.#hasWords) return voicedMs >= this.#settings.commitAfterMs;
    return this.#isLongWithoutWords(voicedMs) && mayBeOneSpeaker(voice);
  }

  /** True for a voice without words that is long enough to take the turn, if it is one person's. */
  #isLongWithoutWords(voicedMs: number): boolean {
    return this.#overlapKind === 'none' && voicedMs >= this.#settings.wordlessCommitAfterMs;
  }

  get #hasWords(): boolean {
    return this.#overlapKind === 'words' || this.#overlapKind === 'stop';
  }

  /** Milliseconds of voice since the agent began to speak. */
  #ownVoicedMs({ voicedMs }: Voice): number {
    return Math.max(0, voicedMs - this.#voicedBeforeMs);
  }

  /** No utterance is in progress: the next one is judged afresh. */
  #forgetUtterance(): void {
    this.#voicedBeforeMs = 0;
    this.#overlapKind = 'none';
    this.#isDismissed = false;
    this.#isEarlyAnswer = false;
  }
}

function withoutLast(words: string): string {
  return words.slice(0, Math.max(0, words.lastIndexOf(' ')));
}
