import type { Clock } from '#kernel/time/clock.js';
import type { SampleRateHz } from '#media/samples/audio.js';
import { wordsOf } from '#speech/aligned-words.js';
import type { SpokenWord, Tts } from '#speech/tts.js';
import { pauseAfterMs, splitSentences } from '#speech/sentences.js';
import { SentenceAudio } from './sentence-audio.js';
import { wordsWithin } from '#speech/words-within.js';
import { eachWithin, isWorthRetrying } from '#conversation/talk/within.js';

/** Timeout for the next piece of sound from a voice. */
const VOICE_TIMEOUT_MS = 10_000;
/** Timeout of a local voice, which is slower when many calls speak at once. */
const LOCAL_VOICE_TIMEOUT_MS = 60_000;
/** Sound is kept at least this long after it was played, for a rewind; `Channel` waits for no longer lag either. */
const LONGEST_REWIND_MS = 3_000;
/** Usual speech rate, to estimate the share heard of a sentence that is not fully synthesised. */
const MS_PER_CHARACTER = 65;

/** The voice of an agent on one line, and its callbacks. */
export interface SpeechPlayerParts {
  clock: Clock;
  tts: Tts;
  voice: string | null;
  language: string;
  sampleRateHz: SampleRateHz;
  /** Called once per turn, when its first sound can be played. */
  onVoice(): void;
  onFailure(error: unknown): void;
}

/** A sentence of the turn, or a clause that is spoken on its own. Lengths are in samples. */
interface Sentence {
  text: string;
  interruptible: boolean;
  /** Null once the sentence is out of reach of a rewind. */
  sound: SentenceAudio | null;
  /** Samples synthesised so far. */
  synthesised: number;
  /** Samples that were certainly heard before the last rewind. */
  certainlyHeard: number;
  /** True when the sentence is fully synthesised. */
  isWhole: boolean;
  /** Samples of silence after the sentence. */
  pauseSamples: number;
  /** The words with known end times, from the first on; empty if the voice reports no times. */
  words: readonly SpokenWord[];
}

/**
 * Speaks the sentences of one agent turn: synthesises one sentence ahead of playing, delivers the sound frame by frame,
 * can go back to a word, and reports the words heard. Used by `AgentTurn`.
 */
export class SpeechPlayer {
  readonly #parts: SpeechPlayerParts;
  /** Read for every frame, unlike the other parts. */
  readonly #sampleRateHz: SampleRateHz;
  readonly #signal: AbortSignal;
  readonly #sentences: Sentence[] = [];
  /** Index of the sentence that plays; the number of sentences if all were played. */
  #playing = 0;
  /** Index of the next sentence to synthesise. */
  #nextToSynthesise = 0;
  /** Samples of silence still to be played before the next sentence. */
  #pauseSamples = 0;
  /** The pause due before a sentence that arrived only after all earlier sentences were played. */
  #deferredPauseSamples = 0;
  #isSynthesising = false;
  /** True once the first sound of the turn has arrived. */
  #hasVoice = false;

  constructor(parts: SpeechPlayerParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#sampleRateHz = parts.sampleRateHz;
    this.#signal = signal;
  }

  /** Speaks a text of whole sentences. */
  say(text: string, interruptible: boolean): void {
    this.speak(splitSentences(text), interruptible);
  }

  /** Speaks a text that is already cut into sentences or clauses. */
  speak(sentences: readonly string[], interruptible: boolean): void {
    const last = this.isDone ? this.#sentences.at(-1) : undefined;
    if (last && sentences.length > 0) this.#deferredPauseSamples = last.pauseSamples;
    for (const sentence of sentences) {
      this.#sentences.push({
        text: sentence,
        interruptible,
        sound: new SentenceAudio(this.#sampleRateHz),
        synthesised: 0,
        certainlyHeard: 0,
        isWhole: false,
        pauseSamples: this.#samples(pauseAfterMs(sentence)),
        words: [],
      });
    }
    this.#synthesiseAhead();
  }

  /** The whole text so far, heard or not. */
  get text(): string {
    return this.#sentences.map(({ text }) => text).join(' ');
  }

  /** True when all sentences so far were played. */
  get isDone(): boolean {
    return this.#playing === this.#sentences.length;
  }

  /**
   * True if the sentence that the caller hears now, or else the last one, may be interrupted; also true without any
   * sentence. The last `unheardMs` of the sound played are not heard yet.
   */
  isInterruptible(unheardMs: number): boolean {
    // From the sentence that plays back to the one that the caller hears now.
    let unheard = this.#samples(unheardMs);
    let at = Math.min(this.#playing, this.#sentences.length - 1);
    for (; at > 0; at -= 1) {
      const { sound, synthesised } = this.#sentences[at]!;
      unheard -= (sound?.position ?? synthesised) + this.#pausedBefore(at);
      if (unheard <= 0) break;
    }
    return this.#sentences[at]?.interruptible ?? true;
  }

  /** Milliseconds of speech left to play, with its pauses; Infinity while a sentence is not fully synthesised. */
  get remainingMs(): number {
    let samples = this.#pauseSamples;
    for (let at = this.#playing; at < this.#sentences.length; at += 1) {
      const { isWhole, synthesised, sound, pauseSamples } = this.#sentences[at]!;
      if (!isWhole) return Infinity;
      samples += synthesised - sound!.position;
      const isLast = at === this.#sentences.length - 1;
      if (!isLast && synthesised > 0) samples += pauseSamples;
    }
    return (samples * 1000) / this.#sampleRateHz;
  }

  /**
   * The words that the caller could have heard, if the last `unheardMs` of the sound played never reached the caller.
   */
  heardText(unheardMs = 0): string {
    // From the sentence that plays back to the first: the samples that were not heard are taken off the end.
    let unheard = this.#samples(unheardMs);
    const texts: string[] = [];
    for (let at = Math.min(this.#playing, this.#sentences.length - 1); at >= 0; at -= 1) {
      const sentence = this.#sentences[at]!;
      const played = sentence.sound?.position ?? sentence.synthesised;
      const unheardOfSentence = Math.min(unheard, played);
      unheard = Math.max(0, unheard - unheardOfSentence - this.#pausedBefore(at));
      const heard = Math.max(sentence.certainlyHeard, played - unheardOfSentence);
      const text = this.#heardTextOf(sentence, heard);
      if (text !== '') texts.unshift(text);
    }
    return texts.join(' ');
  }

  /**
   * Goes back to before the word that was cut. The last `lostMs` of the sound played never reach the caller; the
   * `unheardMs` before that are still on their way to the caller.
   */
  rewind(lostMs: number, unheardMs = 0): void {
    const lost = this.#stepBack(this.#samples(lostMs));
    const sentence = this.#sentences[this.#playing];
    if (!sentence?.sound) return;
    sentence.certainlyHeard = Math.max(
      sentence.certainlyHeard,
      sentence.sound.position - lost - this.#samples(unheardMs),
    );
    sentence.sound.rewind(lost);
  }

  /** True if this many samples can be played, or all text so far is synthesised. */
  canFill(samples: number): boolean {
    let ready = this.#pauseSamples;
    for (let at = this.#playing; at < this.#sentences.length && ready < samples; at += 1) {
      const { isWhole, synthesised, sound, pauseSamples } = this.#sentences[at]!;
      ready += synthesised - sound!.position;
      if (!isWhole) return ready >= samples;
      ready += pauseSamples;
    }
    return true;
  }

  /**
   * Fills a frame with speech and its pauses, and the rest with silence; returns the number of samples before that
   * rest. Never waits or allocates.
   * @param silentMs silence between the end of the sound sent before and this frame
   */
  fill(frame: Int16Array, silentMs: number): number {
    let filled = 0;
    if (this.#deferredPauseSamples > 0) {
      this.#pauseSamples = Math.max(0, this.#deferredPauseSamples - this.#samples(silentMs));
      // The other part of the pause has passed as silence, in which nothing was sent.
      this.#sentences[this.#playing - 1]!.pauseSamples = this.#pauseSamples;
      this.#deferredPauseSamples = 0;
    }
    for (;;) {
      filled = this.#fillPause(frame, filled);
      const sentence = this.#sentences[this.#playing];
      const played = sentence ? sentence.sound!.play(frame, filled) : 0;
      filled += played;
      if (!sentence) break;
      // Checked even for a full frame: a sentence that ends with a frame is over now, not a frame later.
      if (sentence.isWhole && sentence.sound!.position === sentence.synthesised) this.#advance(sentence);
      else if (played === 0 || filled === frame.length) break;
    }
    frame.fill(0, filled);
    return filled;
  }

  /**
   * Goes back to the sentence in which the lost samples begin: it plays next, and the sentences after it are rewound to
   * their start. Returns the lost samples of that sentence.
   */
  #stepBack(lost: number): number {
    for (let left = lost; ; this.#playing -= 1) {
      const previous = this.#sentences[this.#playing - 1];
      const sentence = this.#sentences[this.#playing];
      const sincePrevious = sentence ? sentence.sound!.position + this.#pausedBefore(this.#playing) : 0;
      if (!previous?.sound || left <= sincePrevious) return left;
      sentence?.sound!.rewind(sincePrevious);
      this.#pauseSamples = this.#deferredPauseSamples = 0;
      left -= sincePrevious;
    }
  }

  /** Releases sound out of reach of a rewind. */
  #releaseOldSound(): void {
    let playedAfter = 0;
    for (let at = this.#playing - 1; at >= 0 && this.#sentences[at]!.sound; at -= 1) {
      const sentence = this.#sentences[at]!;
      if (playedAfter >= this.#samples(LONGEST_REWIND_MS)) sentence.sound = null;
      playedAfter += sentence.synthesised + sentence.pauseSamples;
    }
  }

  /** Moves on to the next sentence, after the end of one: its pause comes first, and the synthesis continues. */
  #advance(sentence: Sentence): void {
    // A sentence without sound has no pause after it.
    sentence.pauseSamples = sentence.synthesised === 0 ? 0 : this.#samples(pauseAfterMs(sentence.text));
    this.#playing += 1;
    this.#releaseOldSound();
    const isLast = this.#playing === this.#sentences.length;
    if (!isLast) this.#pauseSamples = sentence.pauseSamples;
    this.#synthesiseAhead();
  }

  /** Fills the frame from a sample on with the rest of the pause; returns the end of the filled part. */
  #fillPause(frame: Int16Array, from: number): number {
    const count = Math.min(this.#pauseSamples, frame.length - from);
    this.#pauseSamples -= count;
    if (count > 0) frame.fill(0, from, from + count);
    return from + count;
  }

  /** Samples of silence played before a sentence. */
  #pausedBefore(at: number): number {
    const pause = this.#sentences[at - 1]?.pauseSamples ?? 0;
    return at === this.#playing ? pause - this.#pauseSamples - this.#deferredPauseSamples : pause;
  }

  /**
   * The words that end within the first `samples` of a sentence: by the voice's own times; without them, or for a
   * sentence heard to its end, by the share of the sound.
   */
  #heardTextOf(sentence: Sentence, samples: number): string {
    const { text, words, isWhole, synthesised } = sentence;
    if (words.length === 0 || (isWhole && samples >= synthesised))
      return wordsWithin(text, this.#share(sentence, samples));
    const heardMs = (samples * 1000) / this.#sampleRateHz;
    return wordsOf(text)
      .slice(0, words.filter(({ endMs }) => endMs <= heardMs).length)
      .join(' ');
  }

  /** The share of a sentence, 0 to 1, in its first `samples`; estimated until the sentence is fully synthesised. */
  #share(sentence: Sentence, samples: number): number {
    if (sentence.isWhole) return sentence.synthesised === 0 ? 1 : samples / sentence.synthesised;
    const usual = this.#samples(sentence.text.length * MS_PER_CHARACTER);
    return samples / Math.max(sentence.synthesised, usual);
  }

  #samples(milliseconds: number): number {
    return Math.round((milliseconds * this.#sampleRateHz) / 1000);
  }

  /** Starts the next synthesis, unless one is in progress or the sentence after the playing one is synthesised. */
  #synthesiseAhead(): void {
    const sentence = this.#sentences[this.#nextToSynthesise];
    if (
      !sentence ||
      this.#isSynthesising ||
      this.#nextToSynthesise > this.#playing + 1 ||
      this.#signal.aborted
    )
      return;
    this.#nextToSynthesise += 1;
    this.#isSynthesising = true;
    this.#synthesise(sentence).then(
      () => {
        sentence.isWhole = true;
        this.#isSynthesising = false;
        this.#synthesiseAhead();
      },
      (error: unknown) => {
        if (!this.#signal.aborted) this.#parts.onFailure(error);
      },
    );
  }

  /** Synthesises a sentence; a failure is retried once, if that may help. */
  async #synthesise(sentence: Sentence): Promise<void> {
    try {
      await this.#speak(sentence);
    } catch (error) {
      if (this.#signal.aborted || !isWorthRetrying(error)) throw error;
      await this.#speak(sentence);
    }
  }

  /** Appends a sentence's sound, continuing where a failed attempt stopped. */
  async #speak(sentence: Sentence): Promise<void> {
    const { clock, tts, voice, language, sampleRateHz } = this.#parts;
    const signal = this.#signal;
    let skip = sentence.synthesised;
    const onWords = (words: readonly SpokenWord[]) => (sentence.words = words);
    const sound = tts.speak({ text: sentence.text, voice, language, sampleRateHz, signal, onWords });
    const limitMs = tts.isLocal ? LOCAL_VOICE_TIMEOUT_MS : VOICE_TIMEOUT_MS;
    const limit = { clock, limitMs, signal, name: 'the voice' };
    for await (const piece of eachWithin(sound, limit)) {
      const newSamples = skip === 0 ? piece : piece.subarray(Math.min(skip, piece.length));
      skip = Math.max(0, skip - piece.length);
      if (newSamples.length === 0) continue;
      sentence.sound?.append(newSamples);
      sentence.synthesised += newSamples.length;
      if (this.#hasVoice) continue;
      this.#hasVoice = true;
      this.#parts.onVoice();
    }
  }
}
