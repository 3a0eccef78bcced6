import { fileURLToPath } from 'node:url';
import createModule, { type Decoder as EngineDecoder, type SoundSwallowerModule } from 'soundswallower';
import type { Transcript } from '#speech/stt.js';
import type { Grammar } from '#providers/builtin/pocketsphinx/grammar/grammar.js';
import { NOT_UNDERSTOOD } from '#providers/builtin/pocketsphinx/confidence/confidence.js';
import { Pronunciations } from './pronunciations.js';
import { setGraph } from './word-graph.js';

/** The telephone model's rate. */
export const DECODER_RATE_HZ = 8_000;

/** Measured to matter on telephone sound: cheap silence and fillers, and no noise removal (it eats soft consonants). */
const SETTINGS = { samprate: DECODER_RATE_HZ, fillprob: 0.1, silprob: 0.3, loglevel: 'FATAL' };

/** A word list that does not exist: the decoder starts without words, which come with the grammars. */
const NO_WORDS = 'en-us/no-words';

/** What all decoders of a thread share. */
export interface DecoderParts {
  engine: SoundSwallowerModule;
  modelBase: string;
  pronunciations: Pronunciations;
}

/** Loads the engine. Only for threads of their own: its code takes over the process's handling of uncaught errors. */
export async function loadDecoderParts(): Promise<DecoderParts> {
  const modelBase = fileURLToPath(new URL('./model/', import.meta.resolve('soundswallower')));
  const silent = () => {};
  const [engine, pronunciations] = await Promise.all([
    createModule({ modelBase, print: silent, printErr: silent } as Partial<SoundSwallowerModule>),
    Pronunciations.load(`${modelBase}en-us/dict.txt`),
  ]);
  return { engine, modelBase, pronunciations };
}

/** One recogniser: hears one utterance at a time, within one grammar. About 10 MB; 100 MB with a graph of words. */
export class Decoder {
  readonly #engine: EngineDecoder;
  readonly #parts: DecoderParts;
  readonly #words = new Set<string>();
  #grammar: Grammar | null = null;

  private constructor(engine: EngineDecoder, parts: DecoderParts) {
    this.#engine = engine;
    this.#parts = parts;
  }

  static async create(parts: DecoderParts): Promise<Decoder> {
    const decoder = new parts.engine.Decoder({ ...SETTINGS, dict: `${parts.modelBase}${NO_WORDS}` });
    await decoder.initialize();
    decoder.set_config('remove_noise', 0);
    return new Decoder(decoder, parts);
  }

  /** The key of the grammar it is set to. */
  get grammarKey(): string | null {
    return this.#grammar?.key ?? null;
  }

  /**
   * Forgets the voice and the line it heard before. Every utterance starts so: a decoder serves many calls, and one
   * that has got used to a voice scores everything higher, nonsense too.
   */
  async forgetVoice(): Promise<void> {
    await this.#engine.reinitialize_audio();
  }

  /**
   * Makes it listen for a grammar: 10 to 20 ms (a thousand words: half a second), nothing when it is the one it has.
   * Throws when the engine refuses it.
   */
  setGrammar(grammar: Grammar): void {
    if (grammar.key === this.#grammar?.key) return;
    this.#grammar = null;
    this.#learn(grammar.words);
    setGraph(this.#parts.engine, this.#engine, grammar);
    this.#grammar = grammar;
  }

  /**
   * Gets used to the loudness and the colour of a voice by the first sound of an utterance, before it begins: it is
   * then heard as well as if all of it were known beforehand. Measured to spare a graph of words half of its mistakes.
   */
  measure(samples: Float32Array): void {
    this.#engine.start();
    // Features without a search, of this sound taken as a whole.
    this.#engine.process_audio(samples, true, true);
    this.#engine.stop();
  }

  /** Begins an utterance within the grammar that was set. */
  begin(): void {
    this.#engine.start();
  }

  /** Sound of the utterance, −1 to 1. Costs about 3 % of its length. */
  push(samples: Float32Array): void {
    this.#engine.process_audio(samples);
  }

  /** What was understood so far; empty while that is doubtful. */
  partial(): string {
    return this.#heard().text;
  }

  end(): Transcript {
    this.#engine.stop();
    return this.#heard();
  }

  free(): void {
    this.#engine.delete();
  }

  #heard(): Transcript {
    if (this.#grammar === null || this.#engine.get_text() === '') return NOT_UNDERSTOOD;
    return this.#grammar.understand(this.#engine.get_alignment().w ?? []);
  }

  /** All words in one go: every call of the engine builds its search anew, 20 ms a time. */
  #learn(words: readonly string[]): void {
    const entries = words
      .filter((word) => !this.#words.has(word))
      .flatMap((word) => {
        this.#words.add(word);
        return this.#parts.pronunciations
          .of(word)
          .map((phones, index): [string, string] => [index === 0 ? word : `${word}(${index + 1})`, phones]);
      });
    if (entries.length > 0) this.#engine.add_words(...entries);
  }
}
