import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { SpeechOutages, SpeechSource } from './outages.js';
import { SpeechError, type SpeechFailure } from './speech-error.js';
import type { RecognitionHints, Stt, SttSession, Transcript } from './stt.js';

/** Timeout from the end of an utterance to its words, for remote recognisers. Most give up earlier by themselves. */
const WORDS_LIMIT_MS = 4_000;
/** Timeout for opening a session of a remote recogniser. */
const OPENING_LIMIT_MS = 3_000;
/** Length of the sound that is kept for a replacement; of a longer utterance only the end is kept. */
const KEPT_MS = 30_000;

/** One recogniser of the list. */
export interface SttChoice extends SpeechSource {
  stt: Stt;
}

/** One recogniser replaced another. */
export interface SttReplaced {
  from: string;
  to: string;
  failure: SpeechFailure;
  /** True if an utterance was in progress, whose sound the replacement receives. */
  inUtterance: boolean;
}

/** The dependencies of {@link sttWithFallback}. */
export interface SttFallbackParts {
  clock: Clock;
  log: Log;
  outages: SpeechOutages;
  onReplaced?(replaced: SttReplaced): void;
  /** Called for each provider that received sound, when the call is over; never for a list of only one recogniser. */
  onHearing?(heard: { provider: string; soundMs: number }): void;
}

type OpenOptions = Parameters<Stt['open']>[0];

/**
 * A recogniser with fallbacks. A recogniser that fails is reopened once if a retry may help; then the next one replaces
 * it for the rest of the call. The sound of the unfinished utterance, up to its last 30 seconds, is kept and given to
 * the new session, so that its words are not lost. Recognisers that are out of use (`SpeechOutages`) when the call
 * begins are skipped, except the last. A list of only one recogniser is that recogniser itself. `createAgentResolver`
 * makes the recogniser of each call with it.
 * @param choices in order of preference, at least one
 */
export function sttWithFallback(choices: readonly SttChoice[], parts: SttFallbackParts): Stt {
  const first = choices[0]!.stt;
  if (choices.length === 1) return first;
  return {
    name: first.name,
    // Every recogniser of the list gets the sound that the first one needs.
    ...(first.hears && { hears: first.hears }),
    // Remote recognisers have limits here. The last recogniser is usually the local one, which may be late because this
    // machine is busy.
    isLocal: choices.at(-1)!.stt.isLocal === true,
    async open(options) {
      const available = choices.filter(
        (choice, at) => at === choices.length - 1 || !parts.outages.isDown(choice),
      );
      return new FallbackSession(available, options, parts);
    },
    close: async () => {},
  };
}

/** The session of one call, over the sessions of the current recogniser. */
class FallbackSession implements SttSession {
  readonly #choices: readonly SttChoice[];
  readonly #options: OpenOptions;
  readonly #parts: SttFallbackParts;
  /** Length of the sound that each provider has received, in milliseconds. */
  readonly #soundMs = new Map<string, number>();
  /** The sound since the last utterance that was finished or discarded. */
  #keptSound: Int16Array[] = [];
  #keptSamples = 0;
  #hints: RecognitionHints | null = null;
  /** Index of the current recogniser. */
  #index = 0;
  /** True if the current recogniser was already reopened. */
  #isReopened = false;
  #isClosed = false;
  /** The failure of the last recogniser of the list, after which none is left; null before. */
  #failure: SpeechError | null = null;
  /** The session of the current recogniser. */
  #session: Promise<SttSession>;
  /** The same session, once it is open and has received the kept sound; null before. */
  #ready: SttSession | null = null;

  constructor(choices: readonly SttChoice[], options: OpenOptions, parts: SttFallbackParts) {
    this.#choices = choices;
    this.#options = options;
    this.#parts = parts;
    this.#session = this.#untilOpen(this.#open());
  }

  expect(hints: RecognitionHints): void {
    this.#hints = hints;
    this.#ready?.expect(hints);
  }

  push(samples: Int16Array): void {
    this.#keepSound(samples);
    const session = this.#ready;
    if (session === null) return;
    try {
      session.push(samples);
      this.#countSound(samples.length);
    } catch (error) {
      this.#session = this.#untilOpen(this.#replace(error));
    }
  }

  /**
   * The words of the utterance, by the current recogniser; after a failure by its replacement, which has the same
   * sound.
   * @throws SpeechError if the last recogniser has failed
   */
  async finish(): Promise<Transcript> {
    for (;;) {
      const awaited = this.#session;
      try {
        const session = await awaited;
        const { stt } = this.#choices[this.#index]!;
        const limitMs = stt.isLocal === true ? null : WORDS_LIMIT_MS;
        const heard = await this.#within(session.finish(), limitMs, 'gave no words');
        this.#parts.outages.recordSuccess(this.#choices[this.#index]!);
        this.#clearKeptSound();
        return heard;
      } catch (error) {
        if (this.#isClosed || this.#failure) throw this.#failure ?? error;
        // Another failure may have replaced the session meanwhile.
        if (awaited === this.#session) this.#session = this.#untilOpen(this.#replace(error));
      }
    }
  }

  discard(): void {
    this.#clearKeptSound();
    this.#ready?.discard();
  }

  close(): void {
    this.#isClosed = true;
    this.#ready?.close();
    for (const [provider, soundMs] of this.#soundMs)
      this.#parts.onHearing?.({ provider, soundMs: Math.round(soundMs) });
    this.#soundMs.clear();
  }

  /** Opens the current recogniser, and gives it the hints and the kept sound. */
  async #open(): Promise<SttSession> {
    this.#ready = null;
    const { stt } = this.#choices[this.#index]!;
    const limitMs = stt.isLocal === true ? null : OPENING_LIMIT_MS;
    const opening = stt.open(this.#options);
    // A session that opens after its timeout is closed.
    const session = await this.#within(opening, limitMs, 'did not open').catch((error: unknown) => {
      opening.then((late) => late.close()).catch(() => {});
      throw error;
    });
    if (this.#isClosed) {
      session.close();
      return session;
    }
    if (this.#hints) session.expect(this.#hints);
    for (const samples of this.#keptSound) {
      session.push(samples);
      this.#countSound(samples.length);
    }
    this.#ready = session;
    return session;
  }

  /**
   * Opens the same recogniser again, or the next one; the new session receives the kept sound.
   * @throws SpeechError if the last recogniser has failed
   */
  async #replace(error: unknown): Promise<SttSession> {
    const choice = this.#choices[this.#index]!;
    const failed = asSpeechError(choice.provider, error);
    this.#ready?.close();
    this.#ready = null;
    const isLast = this.#index === this.#choices.length - 1;
    if (failed.retryable && !this.#isReopened) {
      this.#isReopened = true;
    } else {
      this.#parts.outages.recordFailure(choice, failed);
      if (isLast) throw (this.#failure = failed);
      this.#index += 1;
      this.#isReopened = false;
      this.#reportReplacement(choice, failed);
    }
    return this.#open();
  }

  /**
   * Resolves with an open session: replaces sessions that do not open until none is left. The failure then reaches the
   * caller of `finish`.
   */
  #untilOpen(opening: Promise<SttSession>): Promise<SttSession> {
    const opened = opening.catch((error: unknown) => {
      if (this.#isClosed || this.#failure) throw error;
      return this.#untilOpen(this.#replace(error));
    });
    // A failure before the next `finish` is no unhandled rejection.
    opened.catch(() => {});
    return opened;
  }

  #reportReplacement({ provider: from }: SttChoice, error: SpeechError): void {
    const to = this.#choices[this.#index]!.provider;
    const replaced = { from, to, failure: error.failure, inUtterance: this.#keptSamples > 0 };
    this.#parts.log.warn({ err: error, ...replaced }, 'a recogniser has failed; another one listens');
    this.#parts.onReplaced?.(replaced);
  }

  #keepSound(samples: Int16Array): void {
    this.#keptSound.push(samples.slice());
    this.#keptSamples += samples.length;
    const most = (KEPT_MS * this.#options.sampleRateHz) / 1000;
    while (this.#keptSamples > most) this.#keptSamples -= this.#keptSound.shift()!.length;
  }

  #clearKeptSound(): void {
    this.#keptSound = [];
    this.#keptSamples = 0;
  }

  /** Counts sound that the current recogniser has received, kept sound included, for the costs of the call. */
  #countSound(samples: number): void {
    const { provider } = this.#choices[this.#index]!;
    const ms = (samples * 1000) / this.#options.sampleRateHz;
    this.#soundMs.set(provider, (this.#soundMs.get(provider) ?? 0) + ms);
  }

  /** The result of `work` within a limit; without a limit if it is null. @throws SpeechError `timeout` */
  #within<Value>(work: Promise<Value>, limitMs: number | null, problem: string): Promise<Value> {
    if (limitMs === null) return work;
    const { provider } = this.#choices[this.#index]!;
    return new Promise((resolve, reject) => {
      const cancel = this.#parts.clock.after(limitMs, () =>
        reject(
          new SpeechError(`${provider} ${problem} in ${limitMs} ms`, {
            provider,
            retryable: false,
            failure: 'timeout',
          }),
        ),
      );
      work.then(resolve, reject).finally(cancel);
    });
  }
}

function asSpeechError(provider: string, error: unknown): SpeechError {
  if (error instanceof SpeechError) return error;
  return new SpeechError(`${provider} failed: ${error instanceof Error ? error.name : 'unknown'}`, {
    provider,
    retryable: true,
    failure: 'bad_answer',
    cause: error,
  });
}
