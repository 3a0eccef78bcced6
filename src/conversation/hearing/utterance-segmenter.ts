import { FRAME_MS, frameSamples, type SampleRateHz } from '#media/samples/audio.js';
import { createBeepDetector, type BeepDetector } from '#media/detecting/beep-detector.js';
import { createEndpointDetector, type EndpointDetector } from '#media/detecting/endpoints.js';
import type { VoiceActivity, VoiceDetector } from '#media/detecting/voice-activity.js';
import type { RecognitionHints, TurnBelief } from '#speech/stt.js';
import { silenceWindowMs } from './end-of-turn.js';
import type { SttLink } from './stt-link.js';
import type { VoiceEvidence } from './voice-evidence.js';
import { SpeakerClassifier } from './speaker-classifier.js';
import type { TurnSettings } from '#conversation/talk/turn-settings.js';

/** The recogniser also gets the 400 ms of sound before voice is detected, so that no first consonant is lost. */
const PRE_ROLL_FRAMES = 400 / FRAME_MS;
/** Limit of an utterance: a television or a siren must not silence the agent for ever. */
const LONGEST_UTTERANCE_MS = 30_000;

/** A period of speech between two silences, on the sample clock. */
export interface Utterance extends VoiceEvidence {
  startMs: number;
  /** End of the last voiced frame. */
  endMs: number;
  /** Milliseconds of voice between `startMs` and `endMs`. */
  voicedMs: number;
  /** True for music, a beep, or another tone with a constant spectrum. */
  isSteady: boolean;
}

/** The dependencies of {@link UtteranceSegmenter}. */
export interface UtteranceSegmenterParts {
  voiceActivity: VoiceActivity;
  link: SttLink;
  sampleRateHz: SampleRateHz;
  settings: TurnSettings;
}

/**
 * Cuts the caller's or an operator's audio into utterances by voice activity and end-of-turn windows, and passes their
 * sound to the recogniser. Every tick brings exactly one frame, in order, so counting frames gives the time on the
 * sample clock, from the first frame taken. Made by `createListening` for `LiveConversation` and `Operator`.
 */
export class UtteranceSegmenter {
  readonly #voiceDetector: VoiceDetector;
  readonly #endpointDetector: EndpointDetector;
  readonly #beepDetector: BeepDetector;
  readonly #classifier: SpeakerClassifier;
  readonly #link: SttLink;
  /** The newest frames, as a ring: frame `n` is at `n % PRE_ROLL_FRAMES`. */
  readonly #preRoll: readonly Int16Array[];
  /** Number of frames taken. */
  #frames = 0;
  /** Frame at which the last utterance was cut: the recogniser has all sound before it. */
  #cutAtFrame = 0;
  /** Start of the present utterance, on the sample clock. */
  #startMs = 0;
  readonly #settings: TurnSettings;
  #hints: RecognitionHints = { kind: 'anything' };
  #partialWords = '';
  #belief: TurnBelief | null = null;
  /** Milliseconds of pure tone in the present utterance. */
  #toneMs = 0;
  /** True if a tone in the present utterance was long enough for a beep. */
  #hasBeeped = false;
  /** True while the agent waits in mid-sentence: the end-of-turn window is short. */
  #isHurried = false;

  constructor({ voiceActivity, link, sampleRateHz, settings }: UtteranceSegmenterParts) {
    const samples = frameSamples(sampleRateHz);
    const initialWindow = { silenceWindowMs: settings.openWindowMs };
    this.#voiceDetector = voiceActivity.open(sampleRateHz);
    this.#endpointDetector = createEndpointDetector(this.#voiceDetector, initialWindow);
    this.#beepDetector = createBeepDetector(sampleRateHz);
    this.#classifier = new SpeakerClassifier(sampleRateHz);
    this.#link = link;
    this.#settings = settings;
    this.#preRoll = Array.from({ length: PRE_ROLL_FRAMES }, () => new Int16Array(samples));
  }

  /** Takes the next frame; returns the utterance that has just ended, null for none. */
  hear(frame: Int16Array): Utterance | null {
    const previousFrame = this.#preRoll[(this.#frames + PRE_ROLL_FRAMES - 1) % PRE_ROLL_FRAMES]!;
    this.#preRoll[this.#frames++ % PRE_ROLL_FRAMES]!.set(frame);
    this.#link.pushEveryFrame(frame);
    const wasSpeaking = this.#endpointDetector.isSpeaking;
    const voicedMsBefore = this.#endpointDetector.voicedMs;
    const event = this.#endpointDetector.push(frame);
    if (event?.kind === 'start') {
      this.#begin(event.atMs);
      return null;
    }
    if (wasSpeaking) this.#continueUtterance(frame);
    const isVoiced = this.#endpointDetector.voicedMs > voicedMsBefore;
    if (isVoiced) this.#classifier.takeVoicedFrame(previousFrame, frame, this.positionMs);
    // The detector counts voice from 0 again after an end.
    if (event) return this.#utterance(event.lastVoicedMs, voicedMsBefore);
    const isTooLong = this.positionMs - this.#startMs >= LONGEST_UTTERANCE_MS;
    return wasSpeaking && isTooLong ? this.cut() : null;
  }

  /** Takes the recogniser's partial words of the utterance. */
  takePartialWords(words: string): void {
    if (!this.isSpeaking) return;
    if (words !== this.#partialWords && words !== '') this.#classifier.wordsRecognised(this.positionMs);
    this.#partialWords = words;
    this.#setWindow();
  }

  /** Takes the recogniser's belief about the end of the turn, which changes the silence that is waited for. */
  takeBelief(belief: TurnBelief): void {
    if (!this.isSpeaking) return;
    this.#belief = belief;
    this.#setWindow();
  }

  /** Partial words of the present utterance. */
  get words(): string {
    return this.#partialWords;
  }

  /** Length of the present pause within an utterance, in milliseconds; 0 between utterances. */
  get pauseMs(): number {
    return this.isSpeaking ? this.#endpointDetector.silenceMs : 0;
  }

  /** True shortens the end-of-turn window, because the agent waits in mid-sentence. */
  set isHurried(isHurried: boolean) {
    this.#isHurried = isHurried;
    this.#setWindow();
  }

  /** Sets the answer that the agent expects, for the end-of-turn window and the recogniser. */
  expect(hints: RecognitionHints): void {
    this.#hints = hints;
    this.#link.expect(hints);
  }

  /** Ends an utterance in progress at once; null if there is none. */
  cut(): Utterance | null {
    if (!this.isSpeaking) return null;
    const { silenceMs, voicedMs } = this.#endpointDetector;
    const endMs = this.positionMs - silenceMs;
    this.#endpointDetector.cancel();
    this.#cutAtFrame = this.#frames;
    return this.#utterance(endMs, voicedMs);
  }

  /** True while the caller speaks, or paused less than the end-of-turn window ago. */
  get isSpeaking(): boolean {
    return this.#endpointDetector.isSpeaking;
  }

  /** True during an utterance whose sound is not known to be background, such as a crowd. */
  get mayBeSpeech(): boolean {
    return this.isSpeaking && this.#classifier.mayBeSpeech;
  }

  /** True during an utterance that is certainly a person's speech. */
  get isCertainSpeech(): boolean {
    return this.isSpeaking && this.#classifier.isCertainSpeech;
  }

  /** True if the caller has finished speaking in a loud place, where the silence that ends a turn never comes. */
  get hasFinishedInNoise(): boolean {
    return this.isSpeaking && this.#classifier.hasFinishedInNoise;
  }

  /** Milliseconds of voice in the present utterance. */
  get voicedMs(): number {
    return this.#endpointDetector.voicedMs;
  }

  /** Restarts the evidence of who speaks, because the agent has just begun to speak. */
  restartEvidence(): void {
    this.#classifier.restartEvidence();
  }

  /** Milliseconds of the utterance's beginning whose pitch was judged, as in {@link VoiceEvidence}. */
  get judgedMs(): number {
    return this.#classifier.beginning.judgedMs;
  }

  /** Milliseconds of those that have the pitch of a single voice. */
  get singleVoiceMs(): number {
    return this.#classifier.beginning.singleVoiceMs;
  }

  /** Length of the present utterance so far, pauses included; 0 while the caller is silent. */
  get utteranceMs(): number {
    return this.isSpeaking ? this.positionMs - this.#startMs : 0;
  }

  /** Length of the audio taken so far, on the sample clock. */
  get positionMs(): number {
    return this.#frames * FRAME_MS;
  }

  /** Frees the voice detector. */
  close(): void {
    this.#endpointDetector.free();
  }

  /** The utterance that ends at `endMs`. */
  #utterance(endMs: number, voicedMs: number): Utterance {
    // Recognisers find words in a beep: an utterance that is hardly more than a beep is marked.
    const isBeep = this.#hasBeeped && voicedMs - this.#toneMs <= this.#settings.noiseUpToMs;
    const { judgedMs, singleVoiceMs } = this;
    return {
      startMs: this.#startMs,
      endMs,
      voicedMs,
      judgedMs,
      singleVoiceMs,
      isSteady: isBeep || this.#voiceDetector.isSteady,
    };
  }

  /** Passes a frame of the utterance to the recogniser, and counts the tones in it. */
  #continueUtterance(frame: Int16Array): void {
    this.#link.pushSpeech(frame);
    if (this.#beepDetector.hear(frame)) this.#hasBeeped = true;
    if (this.#beepDetector.isTone) this.#toneMs += FRAME_MS;
  }

  /** Sets the end-of-turn window by the expected answer, the words so far and the recogniser's belief. */
  #setWindow(): void {
    const { yieldWindowMs } = this.#settings;
    const windowMs = silenceWindowMs(this.#hints, this.#partialWords, this.#settings, this.#belief);
    this.#endpointDetector.setSilenceWindowMs(this.#isHurried ? Math.min(yieldWindowMs, windowMs) : windowMs);
  }

  /** Begins an utterance: the recogniser gets the pre-roll, unless it has that sound from a cut utterance. */
  #begin(startMs: number): void {
    this.#startMs = startMs;
    this.#partialWords = '';
    this.#belief = null;
    this.#toneMs = 0;
    this.#hasBeeped = false;
    this.#classifier.begin(startMs);
    this.#setWindow();
    const oldest = Math.max(this.#cutAtFrame, this.#frames - PRE_ROLL_FRAMES);
    for (let frame = oldest; frame < this.#frames; frame += 1)
      this.#link.pushSpeech(this.#preRoll[frame % PRE_ROLL_FRAMES]!);
  }
}
