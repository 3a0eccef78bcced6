import type { Clock } from '#kernel/time/clock.js';
import { withTimeout } from '#kernel/time/with-timeout.js';
import type { SampleRateHz } from '#media/samples/audio.js';
import type { RecognitionHints, Transcript } from '#speech/stt.js';
import type { Listened } from '#providers/builtin/threads/protocol.js';
import type { SpeechWorker } from '#providers/builtin/threads/speech-worker.js';
import { NOT_UNDERSTOOD } from '#providers/builtin/pocketsphinx/confidence/confidence.js';
import { RecognitionStream } from './recognition-stream.js';
import { mayBeRefusal, combinePasses } from '#providers/builtin/pocketsphinx/confidence/combine-passes.js';

/** A voicemail greeting is looked for in this many utterances of a call, from the first. */
const MOST_GREETINGS = 3;
/** A shorter utterance is no greeting. */
const LEAST_GREETING_MS = 2_500;
/** The audio of a longer utterance is only kept up to this length: the beginning of a greeting is enough. */
const LONGEST_GREETING_MS = 15_000;
/** A shorter utterance is no refusal, unless the first pass understood it. Lengths include silences. */
const LEAST_REFUSAL_MS = 1_300;
const LONGEST_REFUSAL_MS = 5_000;
/** Timeout of the pass for refusals, because the caller waits: on a busy machine the first result counts. */
const LONGEST_WAIT_MS = 1_000;

/** Turns the result of the first pass into the final result of the utterance, with a second pass if it needs one. */
type FinalPass = (first: Transcript) => Promise<Transcript>;

/**
 * A second recognition pass over the audio of an utterance, with a grammar that would make short answers worse in the
 * first pass: voicemail greetings at the beginning of a call, and all forms of refusal after a yes/no question. Interim
 * words and barge-in use the first pass only. Used by the built-in recogniser.
 */
export class SecondPass {
  readonly #worker: SpeechWorker;
  readonly #clock: Clock;
  readonly #sampleRateHz: SampleRateHz;
  #expectation: RecognitionHints | null = null;
  /** How many more utterances may be greetings. */
  #greetingsLeft: number;
  /** The kept audio of the present utterance; its whole length is in `#soundMs`. */
  #sound: Int16Array[] = [];
  #soundMs = 0;

  /** @param parts.mayBeMachine true for calls that a voicemail may have answered */
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

  /** Adds audio of the present utterance; keeps a copy if a second pass may need it. */
  push(samples: Int16Array): void {
    const isRefusable = this.#expectation?.kind === 'yes_no' && this.#soundMs <= LONGEST_REFUSAL_MS;
    const isGreetable = this.#greetingsLeft > 0 && this.#soundMs <= LONGEST_GREETING_MS;
    if (isRefusable || isGreetable) this.#sound.push(samples.slice());
    this.#soundMs += (samples.length * 1000) / this.#sampleRateHz;
  }

  /** Ends the utterance. Returns its second pass, which runs only if the first result calls for it. */
  take(): FinalPass {
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
      return combinePasses(first, await withTimeout(second, limit));
    };
  }

  /** Drops the audio of the present utterance. */
  forget(): void {
    this.#sound = [];
    this.#soundMs = 0;
  }

  /** Recognises audio with the given grammar; a failure counts as not understood. */
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
