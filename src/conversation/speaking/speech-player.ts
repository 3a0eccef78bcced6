import type { Clock } from '#kernel/time/clock.js';
import type { SampleRateHz } from '#media/samples/audio.js';
import { wordsOf } from '#speech/aligned-words.js';
import type { SpokenWord, Tts } from '#speech/tts.js';
import { pauseAfterMs, splitSentences } from '#speech/sentences.js';
import { Sound } from './sound.js';
import { wordsWithin } from '#speech/words-within.js';
import { eachWithin, isWorthRetrying } from '#conversation/talk/within.js';

/** The longest wait for the next piece of a voice. */
const VOICE_TIMEOUT_MS = 10_000;
/** The same for a voice made on this machine, where many who talk at once make each other late. */
const LOCAL_VOICE_TIMEOUT_MS = 60_000;
/** A peer may be so far behind with what was played that more of it is never gone back to. */
const LONGEST_BACK_MS = 3_000;
/** For the share that was heard of a sentence whose end is not synthesised yet: usual speech. */
const MS_PER_CHARACTER = 65;

/** The voice of an agent on one line, and who is told when it fails. */
export interface SpeechPlayerParts {
  clock: Clock;
  tts: Tts;
  voice: string | null;
  language: string;
  sampleRateHz: SampleRateHz;
  /** Told once per turn, when its first sound is there to be played. */
  onVoice(): void;
  onFailure(error: unknown): void;
}

interface Sentence {
  text: string;
  interruptible: boolean;
  /** Null once so much more was played that nobody goes back as far as that. */
  sound: Sound | null;
  /** Samples synthesised, and how many of them the caller had certainly heard when it was last set back. */
  made: number;
  heard: number;
  isWhole: boolean;
  /** Samples of silence after it. */
  pause: number;
  /** Its words whose end is known, from the first one on; none where the voice does not tell. */
  words: readonly SpokenWord[];
}

/**
 * Speaks the sentences of one turn: synthesises one sentence ahead of the one that plays, hands the sound out frame
 * by frame, can go back a word, and knows what of it was heard.
 */
export class SpeechPlayer {
  readonly #parts: SpeechPlayerParts;
  /** Looked into for every frame, unlike the other parts. */
  readonly #sampleRateHz: SampleRateHz;
  readonly #signal: AbortSignal;
  readonly #sentences: Sentence[] = [];
  /** Index of the sentence that plays, and of the next one to synthesise. */
  #playing = 0;
  #next = 0;
  /** Samples of silence still to be played before the next sentence. */
  #pauseSamples = 0;
  /** The same, from the end of the sentence before, when the next one came only after that. */
  #owedSamples = 0;
  #isSynthesising = false;
  #hasVoice = false;

  constructor(parts: SpeechPlayerParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#sampleRateHz = parts.sampleRateHz;
    this.#signal = signal;
  }

  /** Whole sentences. */
  say(text: string, interruptible: boolean): void {
    this.speak(splitSentences(text), interruptible);
  }

  /** A text in the pieces it is spoken in. */
  speak(sentences: readonly string[], interruptible: boolean): void {
    const last = this.isDone ? this.#sentences.at(-1) : undefined;
    if (last && sentences.length > 0) this.#owedSamples = last.pause;
    for (const sentence of sentences) {
      this.#sentences.push({
        text: sentence,
        interruptible,
        sound: new Sound(this.#sampleRateHz),
        made: 0,
        heard: 0,
        isWhole: false,
        pause: this.#samples(pauseAfterMs(sentence)),
        words: [],
      });
    }
    this.#synthesiseAhead();
  }

  /** All that was to be spoken so far, heard or not. */
  get text(): string {
    return this.#sentences.map(({ text }) => text).join(' ');
  }

  /** Everything said so far has been played. */
  get isDone(): boolean {
    return this.#playing === this.#sentences.length;
  }

  /** Whether the sentence that is heard, or was last, may be spoken over; `unheardMs` were played and not heard yet. */
  isInterruptible(unheardMs: number): boolean {
    let unheard = this.#samples(unheardMs);
    let at = Math.min(this.#playing, this.#sentences.length - 1);
    for (; at > 0; at -= 1) {
      const { sound, made } = this.#sentences[at]!;
      unheard -= (sound?.position ?? made) + this.#pausedBefore(at);
      if (unheard <= 0) break;
    }
    return this.#sentences[at]?.interruptible ?? true;
  }

  /** Milliseconds left of what was said so far; what is not synthesised yet counts as endless. */
  get remainingMs(): number {
    let samples = this.#pauseSamples;
    for (let at = this.#playing; at < this.#sentences.length; at += 1) {
      const { isWhole, made, sound } = this.#sentences[at]!;
      if (!isWhole) return Infinity;
      samples += made - sound!.position;
    }
    return (samples * 1000) / this.#sampleRateHz;
  }

  /** What the caller could have heard so far, when the last `unheardMs` of what was played never reached them. */
  heardText(unheardMs = 0): string {
    let unheard = this.#samples(unheardMs);
    const texts: string[] = [];
    for (let at = Math.min(this.#playing, this.#sentences.length - 1); at >= 0; at -= 1) {
      const sentence = this.#sentences[at]!;
      const played = sentence.sound?.position ?? sentence.made;
      const lost = Math.min(unheard, played);
      unheard = Math.max(0, unheard - lost - this.#pausedBefore(at));
      const text = this.#heardOf(sentence, Math.max(sentence.heard, played - lost));
      if (text !== '') texts.unshift(text);
    }
    return texts.join(' ');
  }

  /**
   * Goes back to before the word that was cut; `lostMs` of what was played never reach the caller, and what was played
   * in the `unheardMs` before that is still on its way to them.
   */
  rewind(lostMs: number, unheardMs = 0): void {
    const lost = this.#goBack(this.#samples(lostMs));
    const sentence = this.#sentences[this.#playing];
    if (!sentence?.sound) return;
    sentence.heard = Math.max(sentence.heard, sentence.sound.position - lost - this.#samples(unheardMs));
    sentence.sound.rewind(lost);
  }

  /** Whether so many samples are there to be played, or all that there is to say so far is. */
  canFill(samples: number): boolean {
    let ready = this.#pauseSamples;
    for (let at = this.#playing; at < this.#sentences.length && ready < samples; at += 1) {
      const { isWhole, made, sound, pause } = this.#sentences[at]!;
      ready += made - sound!.position;
      if (!isWhole) return ready >= samples;
      ready += pause;
    }
    return true;
  }

  /**
   * Fills a frame, the rest with silence; returns how many samples are ours. Never waits, never allocates. `silentMs`
   * lie between the last sample of before and this frame.
   */
  fill(frame: Int16Array, silentMs: number): number {
    let filled = 0;
    if (this.#owedSamples > 0) {
      this.#pauseSamples = Math.max(0, this.#owedSamples - this.#samples(silentMs));
      // The rest of it was a break, in which nothing was sent.
      this.#sentences[this.#playing - 1]!.pause = this.#pauseSamples;
      this.#owedSamples = 0;
    }
    for (;;) {
      filled = this.#pause(frame, filled);
      const sentence = this.#sentences[this.#playing];
      const played = sentence ? sentence.sound!.play(frame, filled) : 0;
      filled += played;
      if (!sentence) break;
      // Looked at also when the frame is full: a sentence that ends with a frame is over now, not a frame later.
      if (sentence.isWhole && sentence.sound!.position === sentence.made) this.#goOn(sentence);
      else if (played === 0 || filled === frame.length) break;
    }
    frame.fill(0, filled);
    return filled;
  }

  /** To the first sentence whose end was not heard; how much of that one was not. */
  #goBack(unheard: number): number {
    for (let left = unheard; ; this.#playing -= 1) {
      const before = this.#sentences[this.#playing - 1];
      const sentence = this.#sentences[this.#playing];
      const since = sentence ? sentence.sound!.position + this.#pausedBefore(this.#playing) : 0;
      if (!before?.sound || left <= since) return left;
      sentence?.sound!.rewind(since);
      this.#pauseSamples = this.#owedSamples = 0;
      left -= since;
    }
  }

  /** Lets go of the sound that nobody goes back to. */
  #forget(): void {
    let since = 0;
    for (let at = this.#playing - 1; at >= 0 && this.#sentences[at]!.sound; at -= 1) {
      const sentence = this.#sentences[at]!;
      if (since >= this.#samples(LONGEST_BACK_MS)) sentence.sound = null;
      since += sentence.made + sentence.pause;
    }
  }

  /** A sentence was played to its end. */
  #goOn(sentence: Sentence): void {
    // A sentence that made no sound is followed by no pause.
    sentence.pause = sentence.made === 0 ? 0 : this.#samples(pauseAfterMs(sentence.text));
    this.#playing += 1;
    this.#forget();
    const isLast = this.#playing === this.#sentences.length;
    if (!isLast) this.#pauseSamples = sentence.pause;
    this.#synthesiseAhead();
  }

  #pause(frame: Int16Array, from: number): number {
    const count = Math.min(this.#pauseSamples, frame.length - from);
    this.#pauseSamples -= count;
    if (count > 0) frame.fill(0, from, from + count);
    return from + count;
  }

  /** Samples of silence that were played before a sentence. */
  #pausedBefore(at: number): number {
    const pause = this.#sentences[at - 1]?.pause ?? 0;
    return at === this.#playing ? pause - this.#pauseSamples - this.#owedSamples : pause;
  }

  /** The words of a sentence that are over in its first `samples`: by the voice's own times, else by their share. */
  #heardOf(sentence: Sentence, samples: number): string {
    const { text, words, isWhole, made } = sentence;
    if (words.length === 0 || (isWhole && samples >= made))
      return wordsWithin(text, this.#share(sentence, samples));
    const heardMs = (samples * 1000) / this.#sampleRateHz;
    return wordsOf(text)
      .slice(0, words.filter(({ endMs }) => endMs <= heardMs).length)
      .join(' ');
  }

  /** Which share of a sentence its first `samples` are. */
  #share(sentence: Sentence, samples: number): number {
    if (sentence.isWhole) return sentence.made === 0 ? 1 : samples / sentence.made;
    const usual = this.#samples(sentence.text.length * MS_PER_CHARACTER);
    return samples / Math.max(sentence.made, usual);
  }

  #samples(milliseconds: number): number {
    return Math.round((milliseconds * this.#sampleRateHz) / 1000);
  }

  #synthesiseAhead(): void {
    const sentence = this.#sentences[this.#next];
    if (!sentence || this.#isSynthesising || this.#next > this.#playing + 1 || this.#signal.aborted) return;
    this.#next += 1;
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

  async #synthesise(sentence: Sentence): Promise<void> {
    try {
      await this.#speak(sentence);
    } catch (error) {
      if (this.#signal.aborted || !isWorthRetrying(error)) throw error;
      await this.#speak(sentence);
    }
  }

  /** Takes a sentence's sound from where an earlier try broke off. */
  async #speak(sentence: Sentence): Promise<void> {
    const { clock, tts, voice, language, sampleRateHz } = this.#parts;
    const signal = this.#signal;
    let skip = sentence.made;
    const onWords = (words: readonly SpokenWord[]) => (sentence.words = words);
    const sound = tts.speak({ text: sentence.text, voice, language, sampleRateHz, signal, onWords });
    const limitMs = tts.isLocal ? LOCAL_VOICE_TIMEOUT_MS : VOICE_TIMEOUT_MS;
    const limit = { clock, limitMs, signal, what: 'the voice' };
    for await (const piece of eachWithin(sound, limit)) {
      const fresh = skip === 0 ? piece : piece.subarray(Math.min(skip, piece.length));
      skip = Math.max(0, skip - piece.length);
      if (fresh.length === 0) continue;
      sentence.sound?.append(fresh);
      sentence.made += fresh.length;
      if (this.#hasVoice) continue;
      this.#hasVoice = true;
      this.#parts.onVoice();
    }
  }
}
