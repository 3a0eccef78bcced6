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

/** What the recogniser gets from before the voice was noticed: 400 ms, so that no first consonant is lost. */
const PRE_ROLL_FRAMES = 400 / FRAME_MS;
/** An utterance this long is cut: a television or a siren must not silence the agent for ever. */
const LONGEST_UTTERANCE_MS = 30_000;

/** Where somebody spoke, on the sample clock. */
export interface Utterance extends VoiceEvidence {
  startMs: number;
  /** The end of the last voiced frame. */
  endMs: number;
  /** Milliseconds of voice between the two. */
  voicedMs: number;
  /** It turned out to be music, a beep, or another sound that keeps its colour. */
  isSteady: boolean;
}

export interface UtteranceSegmenterParts {
  voiceActivity: VoiceActivity;
  link: SttLink;
  sampleRateHz: SampleRateHz;
  settings: TurnSettings;
}

/**
 * Cuts what the caller says into utterances and hands their sound to the recogniser. It hears exactly one frame per
 * tick, in order, so its time is the sample clock's.
 */
export class UtteranceSegmenter {
  readonly #voice: VoiceDetector;
  readonly #detector: EndpointDetector;
  readonly #beeps: BeepDetector;
  readonly #speakers: SpeakerClassifier;
  readonly #link: SttLink;
  readonly #preRoll: readonly Int16Array[];
  #frames = 0;
  /** Up to which frame the recogniser was given a voice that was cut. */
  #cutFrames = 0;
  #startMs = 0;
  readonly #settings: TurnSettings;
  #expectation: RecognitionHints = { kind: 'anything' };
  #words = '';
  #belief: TurnBelief | null = null;
  /** Of the present utterance: how much of it was a tone, and whether one was long enough for a beep. */
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

  /** Takes the next frame; an utterance when one has just ended. */
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

  /** What the recogniser made of the utterance so far. */
  understandSoFar(words: string): void {
    if (!this.isSpeaking) return;
    if (words !== this.#words && words !== '') this.#speakers.hasWords(this.positionMs);
    this.#words = words;
    this.#setWindow();
  }

  /** What the recogniser believes of the utterance so far. */
  believe(belief: TurnBelief): void {
    if (!this.isSpeaking) return;
    this.#belief = belief;
    this.#setWindow();
  }

  /** What was understood of the present utterance so far. */
  get words(): string {
    return this.#words;
  }

  /** For how long the caller has paused in the present utterance, in milliseconds; 0 when nobody speaks. */
  get pauseMs(): number {
    return this.isSpeaking ? this.#detector.silenceMs : 0;
  }

  /** Whether an utterance is over sooner, because the agent waits for it in mid-sentence. */
  set isHurried(isHurried: boolean) {
    this.#isHurried = isHurried;
    this.#setWindow();
  }

  expect(expectation: RecognitionHints): void {
    this.#expectation = expectation;
    this.#link.expect(expectation);
  }

  /** Ends an utterance in progress here and now; null when nobody speaks. */
  cut(): Utterance | null {
    if (!this.isSpeaking) return null;
    const { silenceMs, voicedMs } = this.#detector;
    const endMs = this.positionMs - silenceMs;
    this.#detector.cancel();
    this.#cutFrames = this.#frames;
    return this.#utterance(endMs, voicedMs);
  }

  /** Somebody speaks, or paused less than the end-of-turn window ago. */
  get isSpeaking(): boolean {
    return this.#detector.isSpeaking;
  }

  /** Somebody may be speaking to us, and it is no crowd, as far as is known. */
  get mayBeSpokenTo(): boolean {
    return this.isSpeaking && this.#speakers.mayBeSpeech;
  }

  /** Somebody does, for certain. */
  get isSpokenTo(): boolean {
    return this.isSpeaking && this.#speakers.isSpeech;
  }

  /** Whoever spoke to us has finished, in a loud place that does not fall silent. */
  get isDrowned(): boolean {
    return this.isSpeaking && this.#speakers.isDrowned;
  }

  /** Milliseconds of voice in the present utterance. */
  get voicedMs(): number {
    return this.#detector.voicedMs;
  }

  /** What is heard from now on tells who speaks: the agent has just begun to. */
  judgeAnew(): void {
    this.#speakers.judgeAnew();
  }

  get judgedMs(): number {
    return this.#speakers.beginning.judgedMs;
  }

  get plainMs(): number {
    return this.#speakers.beginning.plainMs;
  }

  /** How long the present utterance has lasted, pauses included; 0 when nobody speaks. */
  get utteranceMs(): number {
    return this.isSpeaking ? this.positionMs - this.#startMs : 0;
  }

  /** How much was heard, on the sample clock. */
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
