import {
  Decoder,
  loadDecoderParts,
  type DecoderParts,
} from '#providers/builtin/pocketsphinx/decoding/decoder.js';
import { Grammars, type Grammar } from '#providers/builtin/pocketsphinx/grammar/grammar.js';
import type { Transcript, Stt } from '#speech/stt.js';

const NOTHING: Transcript = { text: '', confidence: 0 };
/** Sound reaches the recogniser in pieces of so many frames, as in the service. */
const PIECE_FRAMES = 3;

/** The real recogniser, in step with simulated time. */
export interface SteadyHearing extends Stt {
  /** Resolves when everything heard so far is understood. */
  settled(): Promise<void>;
}

/**
 * The real recogniser on the thread of the benchmark, so that words come at the same simulated moment in every run.
 * The same sound is recognised once: settings that are tried differ only in what they make of it.
 */
export async function openSteadyHearing(): Promise<SteadyHearing> {
  const memory = new RecognitionMemory(await loadDecoderParts());
  const grammars = new Grammars();
  let work: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const done = work.then(task);
    work = done;
    return done;
  };
  return {
    name: 'steady',
    settled: async () => void (await work),
    async open({ onPartial = () => {} }) {
      let grammar = grammars.of({ kind: 'anything' });
      let path = new SoundPath();
      let told = '';
      return {
        expect: (expectation) => void (grammar = grammars.of(expectation)),
        push(samples) {
          path.add(samples);
          if (path.length % PIECE_FRAMES !== 0) return;
          const [of, sound, length] = [grammar, path, path.length];
          void inTurn(async () => {
            const partial = await memory.partial(of, sound, length);
            if (partial !== '' && partial !== told) onPartial((told = partial));
          });
        },
        finish() {
          const [of, sound] = [grammar, path];
          path = new SoundPath();
          told = '';
          if (sound.length === 0) return Promise.resolve(NOTHING);
          return inTurn(() => memory.words(of, sound));
        },
        discard: () => void (path = new SoundPath()),
        close: () => {},
      };
    },
    close: async () => {},
  };
}

/** The sound of one utterance, frame by frame, with a key for each beginning of it. */
class SoundPath {
  readonly frames: Int16Array[] = [];
  readonly keys: string[] = [];
  #hash = 0x811c9dc5;

  get length(): number {
    return this.frames.length;
  }

  add(frame: Int16Array): void {
    this.frames.push(frame.slice());
    // FNV-1a: equal sound has equal keys, and the few thousand sounds of a benchmark do not collide.
    for (const sample of frame) this.#hash = Math.imul(this.#hash ^ (sample & 0xffff), 0x01000193);
    this.keys.push(`${this.length}:${this.#hash >>> 0}`);
  }
}

/** A decoder that is set to one grammar, what it was given last, and what it has made of everything so far. */
interface Seat {
  decoder: Decoder;
  at: string | null;
  partials: Map<string, string>;
  words: Map<string, Transcript>;
}

/** Everything ever recognised, by grammar and sound. */
class RecognitionMemory {
  readonly #parts: DecoderParts;
  readonly #seats = new Map<string, Seat>();

  constructor(parts: DecoderParts) {
    this.#parts = parts;
  }

  async partial(grammar: Grammar, sound: SoundPath, length: number): Promise<string> {
    const seat = await this.#seat(grammar);
    const key = sound.keys[length - 1]!;
    const known = seat.partials.get(key);
    if (known !== undefined) return known;
    await this.#hear(seat, sound, length);
    const partial = seat.decoder.partial();
    seat.partials.set(key, partial);
    return partial;
  }

  async words(grammar: Grammar, sound: SoundPath): Promise<Transcript> {
    const seat = await this.#seat(grammar);
    const key = sound.keys.at(-1)!;
    const known = seat.words.get(key);
    if (known) return known;
    await this.#hear(seat, sound, sound.length);
    const heard = seat.decoder.end();
    seat.at = null;
    seat.words.set(key, heard);
    return heard;
  }

  async #seat(grammar: Grammar): Promise<Seat> {
    let seat = this.#seats.get(grammar.key);
    if (!seat) {
      const decoder = await Decoder.create(this.#parts);
      decoder.setGrammar(grammar);
      seat = { decoder, at: null, partials: new Map(), words: new Map() };
      this.#seats.set(grammar.key, seat);
    }
    return seat;
  }

  /** Lets the decoder hear the sound, only what is new of it where it has heard its beginning. */
  async #hear(seat: Seat, sound: SoundPath, length: number): Promise<void> {
    let from = seat.at === null ? 0 : sound.keys.lastIndexOf(seat.at, length - 1) + 1;
    if (from === 0) {
      if (seat.at !== null) seat.decoder.end();
      await seat.decoder.resetAdaptation();
      seat.decoder.begin();
    }
    for (; from < length; from += 1)
      seat.decoder.push(Float32Array.from(sound.frames[from]!, (sample) => sample / 32_768));
    seat.at = sound.keys[length - 1]!;
  }
}
