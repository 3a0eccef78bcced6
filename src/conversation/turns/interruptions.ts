import type { CallLanguage } from '#language/languages/call-language.js';
import type { Transcript } from '#speech/stt.js';
import type { Utterance, UtteranceSegmenter } from '#conversation/hearing/utterance-segmenter.js';
import type { AgentTurns } from '#conversation/speaking/agent-turns.js';
import type { TalkEvent } from '#conversation/talk/talk-machine.js';
import type { TurnSettings } from '#conversation/talk/turn-settings.js';
import { TurnArbitration, ARBITRATION_EVENTS } from './turn-arbitration.js';

/** The dependencies of {@link Interruptions}. */
export interface InterruptionsParts {
  settings: TurnSettings;
  language: CallLanguage;
  segmenter: UtteranceSegmenter;
  turns: AgentTurns;
}

/**
 * Handles speech over the agent: reports the decisions of {@link TurnArbitration} as events, and pauses, resumes or
 * cuts the agent's turn when `LiveConversation` acts on them.
 */
export class Interruptions {
  readonly #segmenter: UtteranceSegmenter;
  readonly #turns: AgentTurns;
  readonly #arbitration: TurnArbitration;

  constructor({ settings, language, segmenter, turns }: InterruptionsParts) {
    this.#segmenter = segmenter;
    this.#turns = turns;
    this.#arbitration = new TurnArbitration(settings, language);
  }

  /** The agent begins to speak. */
  agentBegan(): void {
    this.#arbitration.agentBegan(this.#segmenter);
    this.#segmenter.restartEvidence();
  }

  /** Takes the recogniser's partial words of the present utterance. */
  takePartialWords(words: string): void {
    this.#segmenter.takePartialWords(words);
    this.#arbitration.takePartialWords(words);
  }

  /** Called every 20 ms; returns the event of overlapping speech, null for none. */
  tick(isPaused: boolean): TalkEvent | null {
    const turn = this.#turns.current;
    if (!turn?.hasSounded) return null;
    const step = this.#arbitration.tick(this.#segmenter, isPaused, turn);
    return step === 'none' ? null : ARBITRATION_EVENTS[step];
  }

  /** Pauses the agent in mid-sentence. */
  pause(): void {
    this.#turns.pause();
    this.#segmenter.isHurried = true;
    this.#arbitration.pauseChanged('pause');
  }

  /** The agent continues its sentence. */
  resume(): void {
    this.#turns.resume();
    this.#segmenter.isHurried = false;
    this.#arbitration.pauseChanged('resume');
  }

  /** Cuts the agent's turn: the caller interrupts, or a machine or a person in the agent's place ends it. */
  cutAgentTurn(): void {
    this.#segmenter.isHurried = false;
    this.#turns.cut();
  }

  /** An utterance over the agent has ended; {@link takeWords} follows with its words. */
  awaitWords(): void {
    this.#arbitration.awaitWords();
  }

  /** Takes the words of the oldest utterance of {@link awaitWords}. True if they are meant to interrupt, and may. */
  takeWords(heard: Transcript, utterance: Utterance): boolean {
    const isMeantToInterrupt = this.#arbitration.takeWords(heard, utterance);
    return isMeantToInterrupt && this.#turns.current?.isInterruptible !== false;
  }
}
