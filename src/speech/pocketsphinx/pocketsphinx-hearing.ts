import { systemClock, type Clock } from '../../kernel/clock.js';
import type { Expectation, Heard, Hearing, HearingStream } from '../hearing.js';
import type { SpeechLane } from '../threads/speech-lane.js';
import type { SpeechPool } from '../threads/speech-pool.js';
import { betterOf, NOT_UNDERSTOOD } from './confidence.js';
import { Dictation } from './dictation.js';
import { LaneStream } from './lane-stream.js';

/** Only who speaks first may be a machine, and only in one go for so long. */
const MOST_GREETINGS = 3;
const LEAST_GREETING_MS = 2_500;
const LONGEST_GREETING_MS = 15_000;

type OpenOptions = Parameters<Hearing['open']>[0];

/**
 * The built-in ear: SoundSwallower (of the PocketSphinx family) with its telephone model, on the pool's threads. It
 * listens for what is hoped for; where anything may be said, it takes it down word by word too.
 */
export function createPocketsphinxHearing(parts: { pool: SpeechPool; clock?: Clock }): Hearing {
  const { pool, clock = systemClock } = parts;
  const open = new Set<HearingStream>();
  return {
    name: 'pocketsphinx',
    isLocal: true,
    async open(options) {
      const lane = pool.join();
      const stream = new PocketsphinxStream(
        new LaneStream(lane, options),
        { pool, clock, lane, options },
        () => {
          open.delete(stream);
          pool.leave(lane);
        },
      );
      open.add(stream);
      return stream;
    },
    /** The threads belong to the pool, which its owner closes. */
    async close() {
      for (const stream of open) stream.close();
    },
  };
}

interface StreamParts {
  pool: SpeechPool;
  clock: Clock;
  lane: SpeechLane;
  options: OpenOptions;
}

class PocketsphinxStream implements HearingStream {
  readonly #ear: LaneStream;
  readonly #parts: StreamParts;
  readonly #onClose: () => void;
  #mayBeAnything = false;
  #isSpeaking = false;
  #dictation: Dictation | null = null;
  /** How many more utterances may be greetings, and the sound of the present one. */
  #greetingsLeft: number;
  #sound: Int16Array[] = [];
  #soundMs = 0;

  constructor(ear: LaneStream, parts: StreamParts, onClose: () => void) {
    this.#ear = ear;
    this.#parts = parts;
    this.#onClose = onClose;
    this.#greetingsLeft = parts.options.mayBeMachine ? MOST_GREETINGS : 0;
  }

  expect(expectation: Expectation): void {
    this.#ear.expect(expectation);
    this.#mayBeAnything = expectation.kind === 'anything';
    if (this.#mayBeAnything) void this.#parts.pool.dictation.prepare();
  }

  push(samples: Int16Array): void {
    this.#ear.push(samples);
    if (!this.#isSpeaking && this.#mayBeAnything) this.#dictation = this.#dictate();
    this.#isSpeaking = true;
    this.#dictation?.push(samples);
    if (this.#greetingsLeft === 0 || this.#soundMs > LONGEST_GREETING_MS) return;
    this.#sound.push(samples.slice());
    this.#soundMs += (samples.length * 1000) / this.#parts.options.sampleRateHz;
  }

  async finish(): Promise<Heard> {
    const dictation = this.#dictation;
    const greeting = this.#takeGreeting();
    this.#forgetUtterance();
    const [heard, dictated] = await Promise.all([this.#ear.finish(), dictation?.finish() ?? null]);
    const better = dictated ? betterOf(heard, dictated) : heard;
    if (better.text !== '' || greeting === null) return better;
    const { text } = await this.#hearGreeting(greeting);
    return text === '' ? better : { ...better, greeting: text };
  }

  discard(): void {
    this.#dictation?.drop();
    this.#forgetUtterance();
    this.#ear.discard();
  }

  close(): void {
    this.#dictation?.drop();
    this.#forgetUtterance();
    this.#mayBeAnything = false;
    if (this.#ear.close()) this.#onClose();
  }

  #dictate(): Dictation {
    const { pool, clock, options } = this.#parts;
    return new Dictation({ desk: pool.dictation, clock, options: { sampleRateHz: options.sampleRateHz } });
  }

  /** The sound of an utterance that may be a greeting; null when it is none. */
  #takeGreeting(): readonly Int16Array[] | null {
    if (this.#greetingsLeft === 0 || !this.#isSpeaking) return null;
    this.#greetingsLeft -= 1;
    return this.#soundMs >= LEAST_GREETING_MS ? this.#sound : null;
  }

  /** Listens once more to speech that was no answer. */
  async #hearGreeting(sound: readonly Int16Array[]): Promise<Heard> {
    const ear = new LaneStream(this.#parts.lane, { sampleRateHz: this.#parts.options.sampleRateHz });
    ear.expect({ kind: 'greeting' });
    for (const samples of sound) ear.push(samples);
    try {
      return await ear.finish();
    } catch {
      return NOT_UNDERSTOOD;
    } finally {
      ear.close();
    }
  }

  #forgetUtterance(): void {
    this.#sound = [];
    this.#soundMs = 0;
    this.#isSpeaking = false;
    this.#dictation = null;
  }
}
