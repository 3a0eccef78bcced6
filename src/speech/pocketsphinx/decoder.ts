import { fileURLToPath } from 'node:url';
import createModule, { type Decoder as EngineDecoder, type SoundSwallowerModule } from 'soundswallower';
import type { Heard } from '../hearing.js';
import type { Grammar } from './grammar.js';
import { heardOf, NOT_UNDERSTOOD } from './confidence.js';
import { Pronunciations } from './pronunciations.js';

/** The telephone model's rate. */
export const DECODER_RATE_HZ = 8_000;

/** Measured to matter on telephone sound: cheap silence and fillers, and no noise removal (it eats soft consonants). */
const SETTINGS = { samprate: DECODER_RATE_HZ, fillprob: 0.1, silprob: 0.3, wip: 0.2, loglevel: 'FATAL' };

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

/** One recogniser: hears one utterance at a time, within one grammar. About 10 MB. */
export class Decoder {
  readonly #engine: EngineDecoder;
  readonly #pronunciations: Pronunciations;
  readonly #words = new Set<string>();
  #grammarKey: string | null = null;

  private constructor(engine: EngineDecoder, pronunciations: Pronunciations) {
    this.#engine = engine;
    this.#pronunciations = pronunciations;
  }

  static async create({ engine, modelBase, pronunciations }: DecoderParts): Promise<Decoder> {
    const decoder = new engine.Decoder({ ...SETTINGS, dict: `${modelBase}${NO_WORDS}` });
    await decoder.initialize();
    decoder.set_config('remove_noise', 0);
    return new Decoder(decoder, pronunciations);
  }

  /** The key of the grammar it is set to. */
  get grammarKey(): string | null {
    return this.#grammarKey;
  }

  /**
   * Forgets the voice and the line it heard before. Every utterance starts so: a decoder serves many calls, and one that
   * has got used to a voice scores everything higher, nonsense too.
   */
  async forgetVoice(): Promise<void> {
    await this.#engine.reinitialize_audio();
  }

  /** Makes it listen for a grammar: 20 to 60 ms, nothing when it is the one it has. Throws when the engine refuses it. */
  setGrammar(grammar: Grammar): void {
    if (grammar.key === this.#grammarKey) return;
    this.#grammarKey = null;
    this.#learn(grammar.words);
    this.#engine.set_grammar(grammar.jsgf);
    this.#grammarKey = grammar.key;
  }

  /** Begins an utterance within the grammar that was set. */
  begin(): void {
    this.#engine.start();
  }

  /** Sound of the utterance, −1 to 1. Costs about 2 % of its length. */
  push(samples: Float32Array): void {
    this.#engine.process_audio(samples);
  }

  /** What was understood so far; empty while that is doubtful. */
  partial(): string {
    return this.#heard().text;
  }

  end(): Heard {
    this.#engine.stop();
    return this.#heard();
  }

  free(): void {
    this.#engine.delete();
  }

  #heard(): Heard {
    if (this.#engine.get_text() === '') return NOT_UNDERSTOOD;
    return heardOf(this.#engine.get_alignment().w ?? []);
  }

  /** All words in one go: every call of the engine builds its search anew, 20 ms a time. */
  #learn(words: readonly string[]): void {
    const entries = words
      .filter((word) => !this.#words.has(word))
      .flatMap((word) => {
        this.#words.add(word);
        return this.#pronunciations
          .of(word)
          .map((phones, index): [string, string] => [index === 0 ? word : `${word}(${index + 1})`, phones]);
      });
    if (entries.length > 0) this.#engine.add_words(...entries);
  }
}
