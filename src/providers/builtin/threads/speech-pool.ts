import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { startThread } from '#kernel/system/thread.js';
import { DictationPool } from './dictation-pool.js';
import { SynthesisQueue } from './synthesis-queue.js';
import type { Duty } from './protocol.js';
import { SpeechWorker } from './speech-worker.js';

/** Hearing threads per speaking thread: synthesis needs little time, 2 % of a core while an agent speaks. */
const HEARING_PER_SPEAKING = 4;

/**
 * The threads of the built-in recogniser and voice. On the main thread, recognition and synthesis would delay the audio
 * frames of all calls. Opened by `openBuiltInSpeech`.
 */
export interface SpeechPool {
  /** Synthesises texts on idle speaking threads. */
  readonly synthesis: SynthesisQueue;
  /** Transcribes free answers. */
  readonly dictation: DictationPool;
  /** Assigns a recognition session to the hearing thread with the fewest sessions, until `leave`. */
  join(): SpeechWorker;
  /** Ends a session that `join` assigned. */
  leave(worker: SpeechWorker): void;
  /** Starts every speaking and hearing thread and loads what it needs. Requests that come before wait until then. */
  warmUp(): Promise<void>;
  /**
   * Resolves when every speaking and hearing thread answers, as far as is known. A thread that died is replaced first;
   * a silent one is asked for an answer.
   * @throws SpeechError if such a thread fails or hangs
   */
  check(): Promise<void>;
  /** The number of pending requests by duty, including texts that wait for a speaking thread. */
  waiting(): Record<Duty, number>;
  close(): Promise<void>;
}

/**
 * Creates the pool; each thread starts with its first request.
 * @param options.threads hearing threads, at least 1; a quarter as many speak, at least 1. Speaking has its own threads
 *   because one sentence is one long computation (up to 100 ms) that no other call should wait for.
 * @param options.dictations dictation threads, loaded on demand; none by default
 */
export function createSpeechPool(options: {
  threads: number;
  dictations?: number;
  log: Log;
  clock?: Clock | undefined;
  startThread?: typeof startThread;
}): SpeechPool {
  const { log, clock, startThread: start } = options;
  const hearingCount = Math.max(1, Math.floor(options.threads));
  const speakingCount = Math.max(1, Math.round(hearingCount / HEARING_PER_SPEAKING));
  const parts = { log, clock, ...(start ? { startThread: start } : {}) };
  const hearingWorkers = new Map<SpeechWorker, number>();
  for (let i = 0; i < hearingCount; i++) {
    hearingWorkers.set(new SpeechWorker({ ...parts, duty: 'hearing', provider: 'pocketsphinx' }), 0);
  }
  const speakingWorkers = Array.from(
    { length: speakingCount },
    () => new SpeechWorker({ ...parts, duty: 'speaking', provider: 'flite' }),
  );
  const dictations = Array.from(
    { length: options.dictations ?? 0 },
    () => new SpeechWorker({ ...parts, duty: 'dictation', provider: 'pocketsphinx' }),
  );
  const workers = [...speakingWorkers, ...hearingWorkers.keys()];
  const synthesis = new SynthesisQueue(speakingWorkers);
  return {
    synthesis,
    dictation: new DictationPool(dictations, log),
    join() {
      const [worker, count] = [...hearingWorkers].reduce((best, other) =>
        other[1] < best[1] ? other : best,
      );
      hearingWorkers.set(worker, count + 1);
      return worker;
    },
    leave: (worker) => void hearingWorkers.set(worker, Math.max(0, (hearingWorkers.get(worker) ?? 0) - 1)),
    async warmUp() {
      await Promise.all(workers.map((worker) => worker.request('warm_up', {})));
    },
    async check() {
      const unhealthy = workers.filter((worker) => !worker.isHealthy);
      await Promise.all(unhealthy.map((worker) => worker.request('warm_up', {})));
    },
    waiting: () => ({
      hearing: pendingOf(hearingWorkers.keys()),
      speaking: pendingOf(speakingWorkers) + synthesis.waiting,
      dictation: pendingOf(dictations),
    }),
    async close() {
      await Promise.all([...workers, ...dictations].map((worker) => worker.close()));
    },
  };
}

/** The pending requests of some threads. */
function pendingOf(workers: Iterable<SpeechWorker>): number {
  return [...workers].reduce((sum, worker) => sum + worker.pending, 0);
}
