import { FRAME_MS } from '#media/samples/audio.js';
import type { CallLanguage } from '#language/languages/call-language.js';
import type { Transcript } from '#speech/stt.js';
import { weighIn, type Weight } from './back-channels.js';
import type { Utterance } from '#conversation/hearing/utterance-segmenter.js';
import { isOneVoice, type VoiceEvidence } from '#conversation/hearing/one-voice.js';
import type { TalkEvent } from '#conversation/talk/talk-machine.js';
import type { TurnSettings } from '#conversation/talk/turn-settings.js';

/** What the agent does about speech over its own. */
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

/** The voice that the segmenter hears at present. */
export interface Voice extends VoiceEvidence {
  readonly isSpeaking: boolean;
  /** Milliseconds of voice in the present utterance. */
  readonly voicedMs: number;
}

/** The agent's turn in progress; read only before an interruption. */
export interface SpokenTurn {
  readonly isInterruptible: boolean;
  /** Milliseconds that the agent still speaks. */
  readonly remainingMs: number;
}

/**
 * Decides who has the turn when caller and agent speak at once.
 *
 * Voice alone only makes the agent pause. Words other than back-channels, or a long voice of one person, take the turn;
 * everything else gives it back. An utterance once dismissed does not pause the agent again, unless it brings words.
 */
export class TurnArbitration {
  readonly #settings: TurnSettings;
  readonly #language: Pick<CallLanguage, 'current'>;
  /** Voice of the present utterance from before the agent spoke: it interrupts nothing. */
  #voicedBeforeMs = 0;
  #weight: Weight = 'none';
  #isDismissed = false;
  #pausedMs = 0;
  /** True if the present utterance began when the agent had nearly finished. */
  #isEarlyAnswer = false;
  /** `isEarlyAnswer` of the utterances whose words are still to come. */
  readonly #awaited: boolean[] = [];

  constructor(settings: TurnSettings, language: Pick<CallLanguage, 'current'>) {
    this.#settings = settings;
    this.#language = language;
  }

  #weigh(words: string): Weight {
    return weighIn(this.#language.current)(words);
  }

  /** The agent begins to speak. */
  agentBegan(voice: Voice): void {
    this.#voicedBeforeMs = voice.voicedMs;
    this.#isDismissed = this.#isEarlyAnswer = false;
  }

  /** The agent has paused, or continues. */
  turned(step: 'pause' | 'resume'): void {
    this.#pausedMs = 0;
    this.#isDismissed = step === 'resume';
  }

  /** Takes the recogniser's partial words of the utterance. */
  understandSoFar(words: string): void {
    const weight = this.#weigh(words);
    // The newest word is a guess: for a moment a recogniser turns the end of "okay" into "okay it".
    const isGuess = weight === 'words' && this.#weigh(withoutLast(words)) === 'back_channel';
    this.#weight = isGuess ? 'back_channel' : weight;
  }

  /** An utterance over the agent has ended; its words follow. */
  awaitWords(): void {
    this.#awaited.push(this.#isEarlyAnswer);
  }

  /** True if these words, said over the agent, take the turn. */
  isMeant(heard: Transcript, utterance: Omit<Utterance, 'startMs' | 'endMs'>): boolean {
    const { voicedMs, isSteady } = utterance;
    const isEarlyAnswer = this.#awaited.shift() ?? false;
    if (isSteady) return false;
    const weight = this.#weigh(heard.text);
    if (weight !== 'none' && isEarlyAnswer) return true;
    if (weight === 'none') return voicedMs >= this.#settings.wordlessCommitAfterMs && isOneVoice(utterance);
    if (weight === 'words') return voicedMs >= this.#settings.meantFromMs;
    return weight === 'stop';
  }

  /** Called every tick while the agent speaks or pauses. */
  tick(voice: Voice, isPaused: boolean, turn: SpokenTurn): ArbitrationStep {
    if (!voice.isSpeaking) this.#forgetUtterance();
    if (!isPaused) {
      const step = this.#whileSpeaking(voice);
      if (step === 'none' || !turn.isInterruptible) return 'none';
      // A turn that is nearly finished is not paused.
      this.#isEarlyAnswer ||= step === 'pause' && turn.remainingMs < this.#settings.finishWithinMs;
      return step === 'pause' && this.#isEarlyAnswer ? 'none' : step;
    }
    this.#pausedMs += FRAME_MS;
    if (this.#isTaken(voice)) return 'commit';
    // A voice long enough to take the turn, but not one person's, ends the pause.
    const isOver = !voice.isSpeaking || this.#goesOnWordless(this.#ownVoicedMs(voice));
    const isNothing = isOver && this.#awaited.length === 0;
    return isNothing || this.#pausedMs >= this.#settings.resumeAfterMs ? 'resume' : 'none';
  }

  #whileSpeaking(voice: Voice): ArbitrationStep {
    if (this.#isDismissed) return this.#hasWords && this.#isTaken(voice) ? 'commit' : 'none';
    return this.#ownVoicedMs(voice) >= this.#settings.pauseAfterMs ? 'pause' : 'none';
  }

  #isTaken(voice: Voice): boolean {
    const voicedMs = this.#ownVoicedMs(voice);
    if (this.#hasWords) return voicedMs >= this.#settings.commitAfterMs;
    return this.#goesOnWordless(voicedMs) && isOneVoice(voice);
  }

  #goesOnWordless(voicedMs: number): boolean {
    return this.#weight === 'none' && voicedMs >= this.#settings.wordlessCommitAfterMs;
  }

  get #hasWords(): boolean {
    return this.#weight === 'words' || this.#weight === 'stop';
  }

  #ownVoicedMs({ voicedMs }: Voice): number {
    return Math.max(0, voicedMs - this.#voicedBeforeMs);
  }

  #forgetUtterance(): void {
    this.#voicedBeforeMs = 0;
    this.#weight = 'none';
    this.#isDismissed = false;
    this.#isEarlyAnswer = false;
  }
}

function withoutLast(words: string): string {
  return words.slice(0, Math.max(0, words.lastIndexOf(' ')));
}
