import { FRAME_MS } from '#media/samples/audio.js';
import type { CallLanguage } from '#language/languages/call-language.js';
import type { Transcript } from '#speech/stt.js';
import { weighIn, type Weight } from './back-channels.js';
import type { Utterance } from '#conversation/hearing/utterance-segmenter.js';
import { isOneVoice, type VoiceEvidence } from '#conversation/hearing/one-voice.js';
import type { TalkEvent } from '#conversation/talk/talk-machine.js';
import type { TurnSettings } from '#conversation/talk/turn-settings.js';

/** What is to be done about somebody who speaks while the agent does. */
export type ArbitrationStep =
  | 'none'
  /** The agent pauses in mid-sentence, to hear what is meant. */
  | 'pause'
  /** The caller has the floor. */
  | 'commit'
  /** It was nothing: the agent goes on with its sentence. */
  | 'resume';

/** What the talk is told of it. */
export const ARBITRATION_EVENTS: Readonly<Record<Exclude<ArbitrationStep, 'none'>, TalkEvent>> = {
  pause: 'overlap',
  commit: 'barge_in',
  resume: 'false_alarm',
};

/** What the segmenter hears now. */
export interface Voice extends VoiceEvidence {
  readonly isSpeaking: boolean;
  /** Milliseconds of voice in the present utterance. */
  readonly voicedMs: number;
}

/** What the agent says at the moment; asked only when it would be interrupted. */
export interface SpokenTurn {
  readonly isInterruptible: boolean;
  /** How long it still speaks. */
  readonly remainingMs: number;
}

/**
 * Who has the floor when caller and agent speak at once. Voice alone only makes the agent pause; words that are no
 * back-channel, or one person's voice that goes on for long, take the floor; everything else gives it back. What was
 * once held to be nothing does not make the agent pause again, unless words come of it.
 */
export class TurnArbitration {
  readonly #settings: TurnSettings;
  readonly #language: Pick<CallLanguage, 'current'>;
  /** Voice of the present utterance from before the agent spoke: nobody interrupts what has not begun. */
  #voicedBeforeMs = 0;
  #weight: Weight = 'none';
  #isDismissed = false;
  #pausedMs = 0;
  /** Whether the present utterance began when the agent had all but finished. */
  #isEarlyAnswer = false;
  /** The same of the utterances whose words are still to come. */
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

  /** The agent has paused, or goes on. */
  turned(step: 'pause' | 'resume'): void {
    this.#pausedMs = 0;
    this.#isDismissed = step === 'resume';
  }

  /** What the recogniser has made of the utterance so far. */
  understandSoFar(words: string): void {
    const weight = this.#weigh(words);
    // The newest word is a guess: what a recogniser makes of the end of "okay" is "okay it", for a moment.
    const isGuess = weight === 'words' && this.#weigh(withoutLast(words)) === 'back_channel';
    this.#weight = isGuess ? 'back_channel' : weight;
  }

  /** An utterance over the agent has ended; its words follow. */
  awaitWords(): void {
    this.#awaited.push(this.#isEarlyAnswer);
  }

  /** Were these words, said over the agent, meant to take the floor? */
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

  /** One tick while the agent speaks, or has paused. */
  tick(voice: Voice, isPaused: boolean, turn: SpokenTurn): ArbitrationStep {
    if (!voice.isSpeaking) this.#forgetUtterance();
    if (!isPaused) {
      const step = this.#whileSpeaking(voice);
      if (step === 'none' || !turn.isInterruptible) return 'none';
      // Who has all but finished does not pause.
      this.#isEarlyAnswer ||= step === 'pause' && turn.remainingMs < this.#settings.finishWithinMs;
      return step === 'pause' && this.#isEarlyAnswer ? 'none' : step;
    }
    this.#pausedMs += FRAME_MS;
    if (this.#isTaken(voice)) return 'commit';
    // What would take the floor by now were it one person's voice has had its time.
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
