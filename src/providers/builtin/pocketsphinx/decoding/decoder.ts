import { fileURLToPath } from 'node:url';
import createModule, { type Decoder as EngineDecoder, type SoundSwallowerModule } from 'soundswallower';
import type { Transcript } from '#speech/stt.js';
import type { Grammar } from '#providers/builtin/pocketsphinx/grammar/grammar.js';
import { NOT_UNDERSTOOD } from '#providers/builtin/pocketsphinx/confidence/confidence.js';
import { Pronunciations } from './pronunciations.js';
import { setGraph } from './word-graph.js';

/** The sample rate of the engine's telephone model. */
export const DECODER_RATE_HZ = 8_000;

/**
 * The engine's settings, the best of those measured on telephone audio. High probabilities of silences (`silprob`) and
 * fillers (`fillprob`) let it skip pauses and noises.
 */
const SETTINGS = { samprate: DECODER_RATE_HZ, fillprob: 0.1, silprob: 0.3, loglevel: 'FATAL' };

/** A dictionary that does not exist: the decoder starts without words, which the grammars add. */
const EMPTY_DICTIONARY = 'en-us/no-words';

/** The engine and data that all decoders of a thread share. */
export interface DecoderParts {
  engine: SoundSwallowerModule;
  /** The folder of the acoustic model, with a trailing slash. */
  modelBase: string;
  pronunciations: Pronunciations;
}

/** Loads the engine. Only for separate threads: the engine replaces the process's handlers for uncaught errors. */
export async function loadDecoderParts(): Promise<DecoderParts> {
  const modelBase = fileURLToPath(new URL('./model/', import.meta.resolve('soundswallower')));
  const silent = () => {};
  const [engine, pronunciations] = await Promise.all([
    createModule({ modelBase, print: silent, printErr: silent } as Partial<SoundSwallowerModule>),
    Pronunciations.load(`${modelBase}en-us/dict.txt`),
  ]);
  return { engine, modelBase, pronunciations };
}

/**
 * One instance of the SoundSwallower engine: recognises one utterance at a time, within one grammar. Takes about 10 MB
 * of memory; 100 MB with a large word graph. Each utterance is `begin`, `push`…, `end`. Used by `UtteranceQueue`.
 */
export class Decoder {
  readonly #engine: EngineDecoder;
  readonly #parts: DecoderParts;
  /** The words that the engine has already. */
  readonly #words = new Set<string>();
  #grammar: Grammar | null = null;

  private constructor(engine: EngineDecoder, parts: DecoderParts) {
    this.#engine = engine;
    this.#parts = parts;
  }

  /** Creates a decoder without a grammar. */
  static async create(parts: DecoderParts): Promise<Decoder> {
    const decoder = new parts.engine.Decoder({ ...SETTINGS, dict: `${parts.modelBase}${EMPTY_DICTIONARY}` });
    await decoder.initialize();
    // The engine's noise removal would remove soft consonants; `RecognitionSession` suppresses noise itself.
    decoder.set_config('remove_noise', 0);
    return new Decoder(decoder, parts);
  }

  /** The key of the present grammar; null before the first. */
  get grammarKey(): string | null {
    return this.#grammar?.key ?? null;
  }

  /**
   * Resets the adaptation to a voice and line, before every utterance: a decoder serves many calls, and after adapting
   * to a voice it scores everything higher, even nonsense.
   */
  async resetAdaptation(): Promise<void> {
    await this.#engine.reinitialize_audio();
  }

  /**
   * Sets the grammar: takes 10 to 20 ms (half a second for a thousand words), or nothing if it is set already.
   * @throws if the engine refuses it
   */
  setGrammar(grammar: Grammar): void {
    if (grammar.key === this.#grammar?.key) return;
    this.#grammar = null;
    this.#addWords(grammar.words);
    setGraph(this.#parts.engine, this.#engine, grammar);
    this.#grammar = grammar;
  }

  /**
   * Adapts to the loudness and timbre of a voice by the first audio of an utterance, before recognition begins. In
   * measurements this halved the errors with a large word graph.
   */
  adapt(samples: Float32Array): void {
    this.#engine.start();
    // The two flags: without a search for words, and the audio as a whole.
    this.#engine.process_audio(samples, true, true);
    this.#engine.stop();
  }

  /** Begins an utterance. */
  begin(): void {
    this.#engine.start();
  }

  /** Processes audio of the utterance, −1 to 1. Costs about 3 % of its duration. */
  push(samples: Float32Array): void {
    this.#engine.process_audio(samples);
  }

  /** The words so far; empty while they are doubtful. */
  partial(): string {
    return this.#transcript().text;
  }

  /** Ends the utterance; returns its transcript. */
  end(): Transcript {
    this.#engine.stop();
    return this.#transcript();
  }

  /** Frees the engine's memory. */
  free(): void {
    this.#engine.delete();
  }

  /** The transcript of the audio so far, as the grammar judges it. */
  #transcript(): Transcript {
    if (this.#grammar === null || this.#engine.get_text() === '') return NOT_UNDERSTOOD;
    return this.#grammar.toTranscript(this.#engine.get_alignment().w ?? []);
  }

  /** Adds the words that the engine lacks, all at once: each addition rebuilds its search, which takes 20 ms. */
  #addWords(words: readonly string[]): void {
    const entries = words
      .filter((word) => !this.#words.has(word))
      .flatMap((word) => {
        this.#words.add(word);
        return (
          this.#parts.pronunciations
            .of(word)
            // The engine names further pronunciations of a word `word(2)`, `word(3)`.
            .map((phones, index): [string, string] => [index === 0 ? word : `${word}(${index + 1})`, phones])
        );
      });
    if (entries.length > 0) this.#engine.add_words(...entries);
  }
}
