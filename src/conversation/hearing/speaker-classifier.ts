import { FRAME_MS, type SampleRateHz } from '#media/samples/audio.js';
import { createVoicePitch, type VoicePitch } from '#media/detecting/voice-pitch.js';
import { isOneVoice, type VoiceEvidence } from './one-voice.js';

/** Voice judged by its pitch at a time: enough to decide, at a third of a millisecond of computing. */
const JUDGED_MS = 600;
/** Time between two judgements: judging all voice would cost a call more than all other work on a frame. */
const BETWEEN_MS = 2_400;
/**
 * Time without a further word after which voice is judged again: if it is a crowd or music by then, the caller has
 * finished in a loud place.
 */
const LAST_WORD_MS = 2_400;
/** Judgements against one person's voice that decide: a voice may sound strange once. */
const STRANGE_ENOUGH = 2;

/** Classifies the sound of an utterance while it lasts: one person's voice, or background such as a crowd. */
export class SpeakerClassifier {
  readonly #pitch: VoicePitch;
  readonly #beginning = { judgedMs: 0, plainMs: 0 };
  readonly #later = { judgedMs: 0, plainMs: 0 };
  /** Time of the next judgement, on the sample clock. */
  #laterFromMs = 0;
  #hasWords = false;
  /** Judgements against one person's voice since the utterance began, or since the newest word. */
  #strange = 0;

  constructor(sampleRateHz: SampleRateHz) {
    this.#pitch = createVoicePitch(sampleRateHz);
  }

  /** Evidence from the beginning of the utterance while no word was recognised, or since {@link judgeAnew}. */
  get beginning(): VoiceEvidence {
    return this.#beginning;
  }

  /** True if one person may be speaking: words were recognised, or the sound is not known to be a crowd. */
  get mayBeSpeech(): boolean {
    return this.#hasWords || (isOneVoice(this.#beginning) && this.#strange < STRANGE_ENOUGH);
  }

  /** True if one person is certainly speaking. */
  get isSpeech(): boolean {
    const isJudged = this.#beginning.judgedMs >= JUDGED_MS;
    return this.#hasWords || (isJudged && isOneVoice(this.#beginning) && this.#strange < STRANGE_ENOUGH);
  }

  /** True if the sound since the last word is background: the speaker has finished. */
  get isDrowned(): boolean {
    return this.#hasWords && this.#strange > 0;
  }

  /** An utterance begins; `atMs` is on the sample clock. */
  begin(atMs: number): void {
    this.#hasWords = false;
    this.judgeAnew();
    this.#lookAgain(atMs + BETWEEN_MS);
  }

  /** Restarts the evidence: what is heard from now on decides. */
  judgeAnew(): void {
    forget(this.#beginning);
  }

  /** Words decide more than sound: only sound long after the newest word is judged. */
  hasWords(atMs: number): void {
    this.#hasWords = true;
    this.#lookAgain(atMs + LAST_WORD_MS);
  }

  /** Takes a voiced frame, and the frame before it. */
  take(before: Int16Array, frame: Int16Array, atMs: number): void {
    const isBeginning = !this.#hasWords && this.#beginning.judgedMs < JUDGED_MS;
    if (!isBeginning && atMs < this.#laterFromMs) return;
    const judged = isBeginning ? this.#beginning : this.#later;
    judged.judgedMs += FRAME_MS;
    if (this.#pitch.isPlain(before, frame)) judged.plainMs += FRAME_MS;
    if (judged.judgedMs < JUDGED_MS) return;
    if (!isOneVoice(judged)) this.#strange += 1;
    if (isBeginning) return;
    forget(judged);
    this.#laterFromMs = atMs + BETWEEN_MS;
  }

  #lookAgain(fromMs: number): void {
    forget(this.#later);
    this.#laterFromMs = fromMs;
    this.#strange = 0;
  }
}

function forget(evidence: { judgedMs: number; plainMs: number }): void {
  evidence.judgedMs = evidence.plainMs = 0;
}
