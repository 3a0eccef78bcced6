import { FRAME_MS, type SampleRateHz } from '#media/samples/audio.js';
import { createVoicePitch, type VoicePitch } from '#media/detecting/voice-pitch.js';
import { mayBeOneSpeaker, type VoiceEvidence } from './voice-evidence.js';

/** Length of the voice that one judgement covers. It is enough to decide, and costs a third of a millisecond. */
const JUDGED_MS = 600;
/** Time between two judgements: judging every frame would cost more than all other work on it. */
const JUDGEMENT_INTERVAL_MS = 2_400;
/**
 * Time after the newest word from which sound is judged again. If it is a crowd or music by then, the caller has
 * finished speaking in a loud place.
 */
const AFTER_WORD_MS = 2_400;
/**
 * This many later judgements against one person's voice reject an utterance whose beginning has passed as one person's:
 * a single judgement may be wrong.
 */
const VOTES_TO_REJECT = 2;

/**
 * Classifies the sound of an utterance while it lasts: one person's voice, or background such as a crowd. Recognised
 * words decide for a person; without words the pitch decides. Used by `UtteranceSegmenter`.
 */
export class SpeakerClassifier {
  readonly #pitch: VoicePitch;
  readonly #beginning = { judgedMs: 0, singleVoiceMs: 0 };
  readonly #later = { judgedMs: 0, singleVoiceMs: 0 };
  /** Time of the next judgement, on the sample clock. */
  #nextJudgementMs = 0;
  #hasWords = false;
  /** Judgements against one person's voice since the utterance began, or since the newest word. */
  #votesAgainst = 0;

  constructor(sampleRateHz: SampleRateHz) {
    this.#pitch = createVoicePitch(sampleRateHz);
  }

  /** Evidence from the beginning of the utterance, or since {@link restartEvidence}, until words are recognised. */
  get beginning(): VoiceEvidence {
    return this.#beginning;
  }

  /** True if a person may be speaking: words were recognised, or the sound is not known to be background. */
  get mayBeSpeech(): boolean {
    return this.#hasWords || (mayBeOneSpeaker(this.#beginning) && this.#votesAgainst < VOTES_TO_REJECT);
  }

  /** True if a person is certainly speaking: words were recognised, or one voice was found in the whole beginning. */
  get isCertainSpeech(): boolean {
    const isJudged = this.#beginning.judgedMs >= JUDGED_MS;
    return (
      this.#hasWords || (isJudged && mayBeOneSpeaker(this.#beginning) && this.#votesAgainst < VOTES_TO_REJECT)
    );
  }

  /** True if the sound 2.4 seconds after the last word is background: the speaker has finished in a loud place. */
  get hasFinishedInNoise(): boolean {
    return this.#hasWords && this.#votesAgainst > 0;
  }

  /** An utterance begins; `atMs` is on the sample clock. */
  begin(atMs: number): void {
    this.#hasWords = false;
    this.restartEvidence();
    this.#scheduleNextJudgement(atMs + JUDGEMENT_INTERVAL_MS);
  }

  /** Restarts the evidence of the beginning: only later sound decides. */
  restartEvidence(): void {
    clear(this.#beginning);
  }

  /** New words were recognised. They outweigh the pitch: only sound 2.4 seconds after them is judged again. */
  wordsRecognised(atMs: number): void {
    this.#hasWords = true;
    this.#scheduleNextJudgement(atMs + AFTER_WORD_MS);
  }

  /**
   * Takes a voiced frame and the frame before it; `atMs` is on the sample clock. The first 600 ms of voice without
   * words are the beginning. Later judgements, of 600 ms each, start 2.4 seconds after the last one or after the newest
   * word; frames between them are ignored.
   */
  takeVoicedFrame(before: Int16Array, frame: Int16Array, atMs: number): void {
    const isBeginning = !this.#hasWords && this.#beginning.judgedMs < JUDGED_MS;
    if (!isBeginning && atMs < this.#nextJudgementMs) return;
    const evidence = isBeginning ? this.#beginning : this.#later;
    evidence.judgedMs += FRAME_MS;
    if (this.#pitch.hasSingleVoicePitch(before, frame)) evidence.singleVoiceMs += FRAME_MS;
    if (evidence.judgedMs < JUDGED_MS) return;
    if (!mayBeOneSpeaker(evidence)) this.#votesAgainst += 1;
    if (isBeginning) return;
    clear(evidence);
    this.#nextJudgementMs = atMs + JUDGEMENT_INTERVAL_MS;
  }

  #scheduleNextJudgement(fromMs: number): void {
    clear(this.#later);
    this.#nextJudgementMs = fromMs;
    this.#votesAgainst = 0;
  }
}

function clear(evidence: { judgedMs: number; singleVoiceMs: number }): void {
  evidence.judgedMs = evidence.singleVoiceMs = 0;
}
