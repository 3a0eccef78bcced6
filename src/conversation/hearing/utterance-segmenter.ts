import { FRAME_MS, frameSamples, type SampleRateHz } from '#media/samples/audio.js';
import { createBeepDetector, type BeepDetector } from '#media/detecting/beep-detector.js';
import { createEndpointDetector, type EndpointDetector } from '#media/detecting/endpoints.js';
import type { VoiceActivity, VoiceDetector } from '#media/detecting/voice-activity.js';
import type { RecognitionHints, TurnBelief } from '#speech/stt.js';
import { silenceWindowMs } from './end-of-turn.js';
import type { SttLink } from './stt-link.js';
import type { VoiceEvidence } from './one-voice.js';
import { SpeakerClassifier } from './speaker-classifier.js';
import type { TurnSettings } from '#conversation/talk/turn-settings.js';

/** Sound from before voice was detected that the recogniser gets: 400 ms, so that no first consonant is lost. */
const PRE_ROLL_FRAMES = 400 / FRAME_MS;
/** Limit of an utterance: a television or a siren must not silence the agent for ever. */
const LONGEST_UTTERANCE_MS = 30_000;

/** A stretch of the caller's speech, on the sample clock. */
export interface Utterance extends VoiceEvidence {
  startMs: number;
  /** End of the last voiced frame. */
  endMs: number;
  /** Milliseconds of voice between `startMs` and `endMs`. */
  voicedMs: number;
  /** True for music, a beep, or another tone with a constant spectrum. */
  isSteady: boolean;
}

export interface UtteranceSegmenterParts {
  voiceActivity: VoiceActivity;
  link: SttLink;
  sampleRateHz: SampleRateHz;
  settings: TurnSettings;
}

/**
 * Cuts the caller's audio into utterances and passes their sound to the recogniser. Every tick brings exactly one
 * frame, in order, so the segmenter's time is the sample clock's.
 */
export class UtteranceSegmenter {
  readonly #voice: VoiceDetector;
  readonly #detector: EndpointDetector;
  readonly #beeps: BeepDetector;
  readonly #speakers: SpeakerClassifier;
  readonly #link: SttLink;
  readonly #preRoll: readonly Int16Array[];
  #frames = 0;
  /** Frame up to which the recogniser has the voice of an utterance that was cut. */
  #cutFrames = 0;
  #startMs = 0;
  readonly #settings: TurnSettings;
  #expectation: RecognitionHints = { kind: 'anything' };
  #words = '';
  #belief: TurnBelief | null = null;
  /** Tone in the present utterance, in milliseconds, and whether one tone was long enough for a beep. */
  #toneMs = 0;
  #hasBeeped = false;
  #isHurried = false;

  constructor({ voiceActivity, link, sampleRateHz, settings }: UtteranceSegmenterParts) {
    const samples = frameSamples(sampleRateHz);
    const usual = { silenceWindowMs: settings.openWindowMs };
    this.#voice = voiceActivity.open(sampleRateHz);
    this.#detector = createEndpointDetector(this.#voice, usual);
    this.#beeps = createBeepDetector(sampleRateHz);
    this.#speakers = new SpeakerClassifier(sampleRateHz);
    this.#link = link;
    this.#settings = settings;
    this.#preRoll = Array.from({ length: PRE_ROLL_FRAMES }, () => new Int16Array(samples));
  }

  /** Takes the next frame; returns an utterance that has just ended. */
  hear(frame: Int16Array): Utterance | null {
    const before = this.#preRoll[(this.#frames + PRE_ROLL_FRAMES - 1) % PRE_ROLL_FRAMES]!;
    this.#preRoll[this.#frames++ % PRE_ROLL_FRAMES]!.set(frame);
    this.#link.pass(frame);
    const wasSpeaking = this.#detector.isSpeaking;
    const voicedMs = this.#detector.voicedMs;
    const event = this.#detector.push(frame);
    if (event?.kind === 'start') {
      this.#begin(event.atMs);
      return null;
    }
    if (wasSpeaking) this.#goOn(frame);
    if (this.#detector.voicedMs > voicedMs) this.#speakers.take(before, frame, this.positionMs);
    if (event) return this.#utterance(event.lastVoicedMs, voicedMs);
    const isTooLong = this.positionMs - this.#startMs >= LONGEST_UTTERANCE_MS;
    return wasSpeaking && isTooLong ? this.cut() : null;
  }

  /** Takes the recogniser's partial words of the utterance. */
  understandSoFar(words: string): void {
    if (!this.isSpeaking) return;
    if (words !== this.#words && words !== '') this.#speakers.hasWords(this.positionMs);
    this.#words = words;
    this.#setWindow();
  }

  /** Takes the recogniser's end-of-turn belief. */
  believe(belief: TurnBelief): void {
    if (!this.isSpeaking) return;
    this.#belief = belief;
    this.#setWindow();
  }

  /** Partial words of the present utterance. */
  get words(): string {
    return this.#words;
  }

  /** Present pause within an utterance, in milliseconds; 0 while the caller is silent. */
  get pauseMs(): number {
    return this.isSpeaking ? this.#detector.silenceMs : 0;
  }

  /** True shortens the end-of-turn window, because the agent waits in mid-sentence. */
  set isHurried(isHurried: boolean) {
    this.#isHurried = isHurried;
    this.#setWindow();
  }

  expect(expectation: RecognitionHints): void {
    this.#expectation = expectation;
    this.#link.expect(expectation);
  }

  /** Ends an utterance in progress at once; null if there is none. */
  cut(): Utterance | null {
    if (!this.isSpeaking) return null;
    const { silenceMs, voicedMs } = this.#detector;
    const endMs = this.positionMs - silenceMs;
    this.#detector.cancel();
    this.#cutFrames = this.#frames;
    return this.#utterance(endMs, voicedMs);
  }

  /** True while the caller speaks, or paused less than the end-of-turn window ago. */
  get isSpeaking(): boolean {
    return this.#detector.isSpeaking;
  }

  /** True if the caller may be speaking, and the sound is not known to be a crowd. */
  get mayBeSpokenTo(): boolean {
    return this.isSpeaking && this.#speakers.mayBeSpeech;
  }

  /** True if the caller is certainly speaking. */
  get isSpokenTo(): boolean {
    return this.isSpeaking && this.#speakers.isSpeech;
  }

  /** True if the caller has finished in a loud place, where silence never comes. */
  get isDrowned(): boolean {
    return this.isSpeaking && this.#speakers.isDrowned;
  }

  /** Milliseconds of voice in the present utterance. */
  get voicedMs(): number {
    return this.#detector.voicedMs;
  }

  /** Restarts the evidence of who speaks: the agent has just begun to speak. */
  judgeAnew(): void {
    this.#speakers.judgeAnew();
  }

  get judgedMs(): number {
    return this.#speakers.beginning.judgedMs;
  }

  get plainMs(): number {
    return this.#speakers.beginning.plainMs;
  }

  /** Length of the present utterance so far, pauses included; 0 while the caller is silent. */
  get utteranceMs(): number {
    return this.isSpeaking ? this.positionMs - this.#startMs : 0;
  }

  /** Length of the audio taken so far, on the sample clock. */
  get positionMs(): number {
    return this.#frames * FRAME_MS;
  }

  close(): void {
    this.#detector.free();
  }

  #utterance(endMs: number, voicedMs: number): Utterance {
    // A recogniser finds words in a beep too.
    const isBeep = this.#hasBeeped && voicedMs - this.#toneMs <= this.#settings.noiseUpToMs;
    const { judgedMs, plainMs } = this;
    return {
      startMs: this.#startMs,
      endMs,
      voicedMs,
      judgedMs,
      plainMs,
      isSteady: isBeep || this.#voice.isSteady,
    };
  }

  #goOn(frame: Int16Array): void {
    this.#link.push(frame);
    if (this.#beeps.hear(frame)) this.#hasBeeped = true;
    if (this.#beeps.isTone) this.#toneMs += FRAME_MS;
  }

  #setWindow(): void {
    const { yieldWindowMs } = this.#settings;
    const windowMs = silenceWindowMs(this.#expectation, this.#words, this.#settings, this.#belief);
    this.#detector.setSilenceWindowMs(this.#isHurried ? Math.min(yieldWindowMs, windowMs) : windowMs);
  }

  #begin(startMs: number): void {
    this.#startMs = startMs;
    this.#words = '';
    this.#belief = null;
    this.#toneMs = 0;
    this.#hasBeeped = false;
    this.#speakers.begin(startMs);
    this.#setWindow();
    const oldest = Math.max(this.#cutFrames, this.#frames - PRE_ROLL_FRAMES);
    for (let at = oldest; at < this.#frames; at += 1) this.#link.push(this.#preRoll[at % PRE_ROLL_FRAMES]!);
  }
}
