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

/** Only the first utterances of a call can be a voicemail greeting, and only with this length without a pause. */
const MOST_GREETINGS = 3;
const LEAST_GREETING_MS = 2_500;
const LONGEST_GREETING_MS = 15_000;
/** The length of a refusal, silences included. A shorter utterance that was not understood is no refusal. */
const LEAST_REFUSAL_MS = 1_300;
const LONGEST_REFUSAL_MS = 5_000;
/** Timeout, because the caller waits: on a busy machine the first result counts. */
const LONGEST_WAIT_MS = 1_000;

/** Turns the first result of an utterance into the final one. */
type HearAgain = (first: Transcript) => Promise<Transcript>;

/**
 * Recognises an utterance a second time, for phrases that would disturb short answers: voicemail greetings, and all
 * refusals at yes/no questions. Interim words and barge-in use the first pass.
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

  /** Ends the utterance. */
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
