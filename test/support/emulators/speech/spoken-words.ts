import { ULAW_OF_PCM, ULAW_SILENCE } from '#media/samples/g711.js';
import { joined } from '#test/support/telephone-line.js';

/** The length of each word, at 8 kHz. */
const WORD_MS = 240;
const SAMPLES_PER_MS = 8;
const WORD_SAMPLES = WORD_MS * SAMPLES_PER_MS;
const HARMONICS = 12;
const VOLUME = 1_500;
const GARBLED = '(garbled)';
/** What ends a garbled word: a single silent sample is in every sound. */
const PAUSE = Buffer.alloc(10 * SAMPLES_PER_MS, ULAW_SILENCE);

/** The audio of a text for {@link EmulatedEar}: a distinct hum per word, without pauses. */
export function soundOf(text: string): Int16Array {
  return joined(text.split(' ').map(soundOfWord));
}

/** A hum whose pitch and timbre depend on the letters, which voice activity detection accepts as a voice. */
function soundOfWord(word: string): Int16Array {
  const letters = [...word];
  return Int16Array.from({ length: WORD_SAMPLES }, (_, at) => {
    const letter = letters[Math.floor((at * letters.length) / WORD_SAMPLES)]!.codePointAt(0)!;
    const pitchHz = 100 + (letter % 32) * 3;
    const phase = (2 * Math.PI * pitchHz * at) / (SAMPLES_PER_MS * 1_000);
    let value = 0;
    for (let harmonic = 1; harmonic <= HARMONICS; harmonic += 1)
      value += Math.cos(harmonic * phase) / (1 + ((letter * harmonic) % 5));
    return Math.round(VOLUME * value) || 1;
  });
}

function encoded(samples: Int16Array): Uint8Array {
  return Uint8Array.from(samples, (sample) => ULAW_OF_PCM[sample & 0xffff]!);
}

function keyOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/** A recognised word and its position, in milliseconds. */
export interface HeardWord {
  text: string;
  startMs: number;
  endMs: number;
}

/**
 * Recognises the words of {@link soundOf} in μ-law exactly: a lost, doubled or misplaced frame makes the word {@link
 * GARBLED}.
 */
export class EmulatedEar {
  readonly #vocabulary: readonly string[];
  /** Words by their audio, for as many texts as the vocabulary had at the last look. */
  readonly #lexicon = new Map<string, string>();
  #knownTexts = 0;
  #unread: Buffer = Buffer.alloc(0);
  #readBytes = 0;
  readonly words: HeardWord[] = [];
  /** Silence since the last word, in milliseconds. */
  silenceMs = 0;

  /** @param vocabulary texts that can be recognised; more may be added at any time */
  constructor(vocabulary: readonly string[]) {
    this.#vocabulary = vocabulary;
  }

  /** Audio received, in milliseconds. */
  get positionMs(): number {
    return (this.#readBytes + this.#unread.length) / SAMPLES_PER_MS;
  }

  /** True within a word. */
  get isInWord(): boolean {
    return this.#unread.length > 0;
  }

  hear(bytes: Uint8Array): void {
    this.#unread = Buffer.concat([this.#unread, bytes]);
    for (;;) {
      this.#skipSilence();
      if (this.#unread.length < WORD_SAMPLES) return;
      this.#readWord();
    }
  }

  #learn(): void {
    for (const text of this.#vocabulary.slice(this.#knownTexts))
      for (const word of text.split(' ')) this.#lexicon.set(keyOf(encoded(soundOfWord(word))), word);
    this.#knownTexts = this.#vocabulary.length;
  }

  #skipSilence(): void {
    const silent = this.#unread.findIndex((byte) => byte !== ULAW_SILENCE);
    const count = silent < 0 ? this.#unread.length : silent;
    this.silenceMs += count / SAMPLES_PER_MS;
    this.#consume(count);
    if (this.#unread.length > 0) this.silenceMs = 0;
  }

  #readWord(): void {
    const startMs = this.#readBytes / SAMPLES_PER_MS;
    this.#learn();
    const text = this.#lexicon.get(keyOf(this.#unread.subarray(0, WORD_SAMPLES)));
    const end = text === undefined ? this.#unread.indexOf(PAUSE) : WORD_SAMPLES;
    this.#consume(end < 0 ? this.#unread.length : end);
    this.words.push({ text: text ?? GARBLED, startMs, endMs: this.#readBytes / SAMPLES_PER_MS });
  }

  #consume(count: number): void {
    this.#readBytes += count;
    this.#unread = this.#unread.subarray(count);
  }
}
