import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { startThread } from '#kernel/system/thread.js';
import { DictationPool } from './dictation-pool.js';
import { SynthesisQueue } from './synthesis-queue.js';
import type { Duty } from './protocol.js';
import { SpeechWorker } from './speech-worker.js';

/** How many listening threads one talking thread keeps up with: it costs 2 % of a core per talking agent. */
const HEARING_PER_SPEAKING = 4;

/** The threads that listen and talk, so that nothing of it runs on the thread that paces audio. */
export interface SpeechPool {
  /** Serves pieces of text with whichever talking thread is idle. */
  readonly synthesis: SynthesisQueue;
  /** Takes down what callers say freely. */
  readonly dictation: DictationPool;
  /** The listening thread with the fewest sessions; give it back with `leave`. */
  join(): SpeechWorker;
  leave(worker: SpeechWorker): void;
  /**
   * Starts every thread that talks or listens and loads what it needs. Calls may come before it is done; they wait a
   * little longer.
   */
  warmUp(): Promise<void>;
  /**
   * Resolves when every thread that talks or listens answers, as far as is known; the place of one that died or hung is
   * taken by another one first.
   */
  check(): Promise<void>;
  /** Requests without an answer, by what they ask for. */
  waiting(): Record<Duty, number>;
  close(): Promise<void>;
}

/**
 * @param options.threads listening threads, at least 1; a quarter as many talk, at least 1. Talking has threads of its
 * own because one sentence is one long computation (up to 100 ms) that no other call should wait for.
 * @param options.dictations threads that take dictation, loaded when they are wanted; none by default
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
  const listeners = new Map<SpeechWorker, number>();
  for (let i = 0; i < hearingCount; i++) {
    listeners.set(new SpeechWorker({ ...parts, duty: 'hearing', provider: 'pocketsphinx' }), 0);
  }
  const voices = Array.from(
    { length: speakingCount },
    () => new SpeechWorker({ ...parts, duty: 'speaking', provider: 'flite' }),
  );
  const dictations = Array.from(
    { length: options.dictations ?? 0 },
    () => new SpeechWorker({ ...parts, duty: 'dictation', provider: 'pocketsphinx' }),
  );
  const workers = [...voices, ...listeners.keys()];
  const synthesis = new SynthesisQueue(voices);
  return {
    synthesis,
    dictation: new DictationPool(dictations, log),
    join() {
      const [worker, count] = [...listeners].reduce((best, other) => (other[1] < best[1] ? other : best));
      listeners.set(worker, count + 1);
      return worker;
    },
    leave: (worker) => void listeners.set(worker, Math.max(0, (listeners.get(worker) ?? 0) - 1)),
    async warmUp() {
      await Promise.all(workers.map((worker) => worker.request('warm_up', {})));
    },
    async check() {
      const unwell = workers.filter((worker) => !worker.isWell);
      await Promise.all(unwell.map((worker) => worker.request('warm_up', {})));
    },
    waiting: () => ({
      hearing: owed(listeners.keys()),
      speaking: owed(voices) + synthesis.waiting,
      dictation: owed(dictations),
    }),
    async close() {
      await Promise.all([...workers, ...dictations].map((worker) => worker.close()));
    },
  };
}

function owed(workers: Iterable<SpeechWorker>): number {
  return [...workers].reduce((sum, worker) => sum + worker.pending, 0);
}
