import { systemClock, type Clock } from '../../kernel/time/clock.js';
import type { Expectation, Heard, Hearing, HearingStream } from '../hearing.js';
import type { SpeechLane } from '../threads/speech-lane.js';
import type { SpeechPool } from '../threads/speech-pool.js';
import { betterOf } from './confidence/confidence.js';
import { Dictation } from './dictation.js';
import { LaneStream } from './lane-stream.js';
import { SecondHearing } from './second-hearing.js';

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
  readonly #again: SecondHearing;

  constructor(ear: LaneStream, parts: StreamParts, onClose: () => void) {
    this.#ear = ear;
    this.#parts = parts;
    this.#onClose = onClose;
    const { sampleRateHz, mayBeMachine = false } = parts.options;
    this.#again = new SecondHearing({ ...parts, sampleRateHz, mayBeMachine });
  }

  expect(expectation: Expectation): void {
    this.#ear.expect(expectation);
    this.#again.expect(expectation);
    this.#mayBeAnything = expectation.kind === 'anything';
    if (this.#mayBeAnything) void this.#parts.pool.dictation.prepare();
  }

  push(samples: Int16Array): void {
    this.#ear.push(samples);
    if (!this.#isSpeaking && this.#mayBeAnything) this.#dictation = this.#dictate();
    this.#isSpeaking = true;
    this.#dictation?.push(samples);
    this.#again.push(samples);
  }

  async finish(): Promise<Heard> {
    const dictation = this.#dictation;
    const again = this.#again.take();
    this.#forgetUtterance();
    const [heard, dictated] = await Promise.all([this.#ear.finish(), dictation?.finish() ?? null]);
    return again(dictated ? betterOf(heard, dictated) : heard);
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

  #forgetUtterance(): void {
    this.#again.forget();
    this.#isSpeaking = false;
    this.#dictation = null;
  }
}
