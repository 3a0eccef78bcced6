import type { Clock } from '#kernel/time/clock.js';
import { withTimeout } from '#kernel/time/with-timeout.js';
import type { SampleRateHz } from '#media/samples/audio.js';
import type { RecognitionHints, Transcript } from '#speech/stt.js';
import type { RecognitionTarget } from '#providers/builtin/threads/protocol.js';
import type { SpeechWorker } from '#providers/builtin/threads/speech-worker.js';
import { NOT_UNDERSTOOD } from '#providers/builtin/pocketsphinx/confidence/confidence.js';
import { RecognitionStream } from './recognition-stream.js';
import { mayBeRefusal, combinePasses } from '#providers/builtin/pocketsphinx/confidence/combine-passes.js';

/** A voicemail greeting is looked for in this many utterances of a call, from the first. */
const MAX_GREETING_UTTERANCES = 3;
/** A shorter utterance is no greeting. */
const MIN_GREETING_MS = 2_500;
/** The audio of a longer utterance is only kept up to this length: the beginning of a greeting is enough. */
const MAX_GREETING_MS = 15_000;
/** A shorter utterance is no refusal, unless the first pass understood it. Lengths include silences. */
const MIN_REFUSAL_MS = 1_300;
/** A longer utterance is no refusal. */
const MAX_REFUSAL_MS = 5_000;
/** Timeout of the pass for refusals, because the caller waits: after it the first result counts. */
const REFUSAL_TIMEOUT_MS = 1_000;

/** Turns the result of the first pass into the final result of the utterance, with a second pass if it needs one. */
type FinalPass = (first: Transcript) => Promise<Transcript>;

/**
 * A second recognition pass over the audio of an utterance, with a grammar that would worsen the recognition of short
 * answers if the first pass had it: voicemail greetings at the beginning of a call, and all forms of refusal after a
 * yes/no question. Interim words and barge-in use the first pass only. Used by the built-in recogniser.
 */
export class SecondPass {
  readonly #worker: SpeechWorker;
  readonly #clock: Clock;
  readonly #sampleRateHz: SampleRateHz;
  #expectation: RecognitionHints | null = null;
  /** How many more utterances may be greetings. */
  #greetingsLeft: number;
  /** The kept audio of the present utterance; its whole length is in `#utteranceMs`. */
  #audio: Int16Array[] = [];
  #utteranceMs = 0;

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
    this.#greetingsLeft = parts.mayBeMachine ? MAX_GREETING_UTTERANCES : 0;
  }

  /** Sets the answer that the agent expects, which decides whether a refusal is possible. */
  expect(expectation: RecognitionHints): void {
    this.#expectation = expectation;
  }

  /** Adds audio of the present utterance; keeps a copy if a second pass may need it. */
  push(samples: Int16Array): void {
    const keepsForRefusal = this.#expectation?.kind === 'yes_no' && this.#utteranceMs <= MAX_REFUSAL_MS;
    const keepsForGreeting = this.#greetingsLeft > 0 && this.#utteranceMs <= MAX_GREETING_MS;
    if (keepsForRefusal || keepsForGreeting) this.#audio.push(samples.slice());
    this.#utteranceMs += (samples.length * 1000) / this.#sampleRateHz;
  }

  /** Ends the utterance. Returns its second pass, which runs only if the first result calls for it. */
  endUtterance(): FinalPass {
    const [audio, utteranceMs, expectation] = [this.#audio, this.#utteranceMs, this.#expectation];
    const mayBeGreeting = this.#greetingsLeft > 0 && utteranceMs >= MIN_GREETING_MS;
    if (utteranceMs > 0 && this.#greetingsLeft > 0) this.#greetingsLeft -= 1;
    this.dropAudio();
    return async (first) => {
      if (mayBeGreeting && first.text === '') {
        const { text } = await this.#recognise({ kind: 'greeting' }, audio);
        return text === '' ? first : { ...first, greeting: text };
      }
      const minMs = first.text === '' ? MIN_REFUSAL_MS : 0;
      const hasRefusalLength = utteranceMs >= minMs && utteranceMs <= MAX_REFUSAL_MS;
      if (expectation?.kind !== 'yes_no' || !hasRefusalLength || !mayBeRefusal(first)) return first;
      const second = this.#recognise({ kind: 'refusal', hints: expectation }, audio);
      const limit = { clock: this.#clock, limitMs: REFUSAL_TIMEOUT_MS, onTimeout: () => NOT_UNDERSTOOD };
      return combinePasses(first, await withTimeout(second, limit));
    };
  }

  /** Drops the audio of the present utterance. */
  dropAudio(): void {
    this.#audio = [];
    this.#utteranceMs = 0;
  }

  /** Recognises audio with the given grammar; a failure counts as not understood. */
  async #recognise(target: RecognitionTarget, audio: readonly Int16Array[]): Promise<Transcript> {
    const stream = new RecognitionStream(this.#worker, { sampleRateHz: this.#sampleRateHz });
    stream.expect(target);
    for (const samples of audio) stream.push(samples);
    try {
      return await stream.finish();
    } catch {
      return NOT_UNDERSTOOD;
    } finally {
      stream.close();
    }
  }
}
