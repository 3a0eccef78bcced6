import type { Clock } from '#kernel/time/clock.js';
import { withTimeout } from '#kernel/time/with-timeout.js';
import type { SampleRateHz } from '#media/samples/audio.js';
import type { RecognitionHints, Transcript } from '#speech/stt.js';
import type { Listened } from '#providers/builtin/threads/protocol.js';
import type { SpeechWorker } from '#providers/builtin/threads/speech-worker.js';
import { NOT_UNDERSTOOD } from '#providers/builtin/pocketsphinx/confidence/confidence.js';
import { RecognitionStream } from './recognition-stream.js';
import {
  mayBeRefusal,
  combineHearings,
} from '#providers/builtin/pocketsphinx/confidence/combine-hearings.js';

/** Only who speaks first may be a machine, and only in one go for so long. */
const MOST_GREETINGS = 3;
const LEAST_GREETING_MS = 2_500;
const LONGEST_GREETING_MS = 15_000;
/**
 * Nobody takes longer to refuse; nothing shorter that was no answer at first is one. Silences around it are counted.
 */
const LEAST_REFUSAL_MS = 1_300;
const LONGEST_REFUSAL_MS = 5_000;
/** The caller waits for an answer: on a busy machine what was heard at first has to do. */
const LONGEST_WAIT_MS = 1_000;

/** Makes the answer to an utterance of what was heard of it at first. */
type HearAgain = (first: Transcript) => Promise<Transcript>;

/**
 * Listens once more to the sound of an utterance, for what would be heard less well beside short answers: how machines
 * greet, and all the ways to refuse where yes or no was hoped for. Words so far, and what is said over the agent, stay
 * those of the first hearing.
 */
export class SecondHearing {
  readonly #worker: SpeechWorker;
  readonly #clock: Clock;
  readonly #sampleRateHz: SampleRateHz;
  #expectation: RecognitionHints | null = null;
  /** How many more utterances may be greetings. */
  #greetingsLeft: number;
  #sound: Int16Array[] = [];
  #soundMs = 0;

  constructor(parts: {
    worker: SpeechWorker;
    clock: Clock;
    sampleRateHz: SampleRateHz;
    mayBeMachine: boolean;
  }) {
    this.#worker = parts.worker;
    this.#clock = parts.clock;
    this.#sampleRateHz = parts.sampleRateHz;
    this.#greetingsLeft = parts.mayBeMachine ? MOST_GREETINGS : 0;
  }

  expect(expectation: RecognitionHints): void {
    this.#expectation = expectation;
  }

  push(samples: Int16Array): void {
    const isRefusable = this.#expectation?.kind === 'yes_no' && this.#soundMs <= LONGEST_REFUSAL_MS;
    const isGreetable = this.#greetingsLeft > 0 && this.#soundMs <= LONGEST_GREETING_MS;
    if (isRefusable || isGreetable) this.#sound.push(samples.slice());
    this.#soundMs += (samples.length * 1000) / this.#sampleRateHz;
  }

  /** The utterance is over. */
  take(): HearAgain {
    const [sound, soundMs, expectation] = [this.#sound, this.#soundMs, this.#expectation];
    const mayBeGreeting = this.#greetingsLeft > 0 && soundMs >= LEAST_GREETING_MS;
    if (soundMs > 0 && this.#greetingsLeft > 0) this.#greetingsLeft -= 1;
    this.forget();
    return async (first) => {
      if (mayBeGreeting && first.text === '') {
        const { text } = await this.#hear({ kind: 'greeting' }, sound);
        return text === '' ? first : { ...first, greeting: text };
      }
      const leastMs = first.text === '' ? LEAST_REFUSAL_MS : 0;
      const isRefusable = soundMs >= leastMs && soundMs <= LONGEST_REFUSAL_MS;
      if (expectation?.kind !== 'yes_no' || !isRefusable || !mayBeRefusal(first)) return first;
      const second = this.#hear({ kind: 'refusal', beside: expectation }, sound);
      const limit = { clock: this.#clock, limitMs: LONGEST_WAIT_MS, onTimeout: () => NOT_UNDERSTOOD };
      return combineHearings(first, await withTimeout(second, limit));
    };
  }

  forget(): void {
    this.#sound = [];
    this.#soundMs = 0;
  }

  async #hear(listened: Listened, sound: readonly Int16Array[]): Promise<Transcript> {
    const stream = this.#open();
    stream.expect(listened);
    for (const samples of sound) stream.push(samples);
    try {
      return await stream.finish();
    } catch {
      return NOT_UNDERSTOOD;
    } finally {
      stream.close();
    }
  }

  #open(): RecognitionStream {
    return new RecognitionStream(this.#worker, { sampleRateHz: this.#sampleRateHz });
  }
}
