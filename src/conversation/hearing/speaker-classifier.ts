import { FRAME_MS, type SampleRateHz } from '#media/samples/audio.js';
import { createVoicePitch, type VoicePitch } from '#media/detecting/voice-pitch.js';
import { isOneVoice, type VoiceEvidence } from './one-voice.js';

/** How much voice is judged by its pitch at a time: enough to tell, and a third of a millisecond to compute. */
const JUDGED_MS = 600;
/** Between two looks: a look at all of it would cost each call more than all else that is done for a frame. */
const BETWEEN_MS = 2_400;
/**
 * No word has followed for so long, by which music would be known: when nobody's voice follows either, the caller has
 * finished, in a loud place.
 */
const LAST_WORD_MS = 2_400;
/** A voice may sound strange once. */
const STRANGE_ENOUGH = 2;

/** What an utterance sounds like as it goes on: the voice of one person, or nobody's, as a crowd's. */
export class SpeakerClassifier {
  readonly #pitch: VoicePitch;
  readonly #beginning = { judgedMs: 0, plainMs: 0 };
  readonly #later = { judgedMs: 0, plainMs: 0 };
  /** From when on it is looked at again, on the sample clock. */
  #laterFromMs = 0;
  #hasWords = false;
  /** Looks at which it was nobody's voice, since it began or since the newest word. */
  #strange = 0;

  constructor(sampleRateHz: SampleRateHz) {
    this.#pitch = createVoicePitch(sampleRateHz);
  }

  /** How it began, as far as no word was known, or how it has sounded since {@link judgeAnew}. */
  get beginning(): VoiceEvidence {
    return this.#beginning;
  }

  /** It may be one person who says something: in words, or not known for a crowd. */
  get mayBeSpeech(): boolean {
    return this.#hasWords || (isOneVoice(this.#beginning) && this.#strange < STRANGE_ENOUGH);
  }

  /** It is, for certain. */
  get isSpeech(): boolean {
    const isJudged = this.#beginning.judgedMs >= JUDGED_MS;
    return this.#hasWords || (isJudged && isOneVoice(this.#beginning) && this.#strange < STRANGE_ENOUGH);
  }

  /** What has gone on since the last word is nobody's voice: whoever spoke has finished. */
  get isDrowned(): boolean {
    return this.#hasWords && this.#strange > 0;
  }

  /** An utterance begins; `atMs` is on the sample clock. */
  begin(atMs: number): void {
    this.#hasWords = false;
    this.judgeAnew();
    this.#lookAgain(atMs + BETWEEN_MS);
  }

  /** What is heard from now on tells who speaks. */
  judgeAnew(): void {
    forget(this.#beginning);
  }

  /** Words tell more than any sound: only what goes on long after the newest is judged. */
  hasWords(atMs: number): void {
    this.#hasWords = true;
    this.#lookAgain(atMs + LAST_WORD_MS);
  }

  /** Takes a voiced frame, and the one before it. */
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
