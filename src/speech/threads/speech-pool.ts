import type { Clock } from '../../kernel/time/clock.js';
import type { Log } from '../../kernel/log/log.js';
import type { startThread } from '../../kernel/system/thread.js';
import { DictationDesk } from './dictation-desk.js';
import { SpeakingDesk } from './speaking-desk.js';
import type { Duty } from './protocol.js';
import { SpeechLane } from './speech-lane.js';

/** How many listening threads one talking thread keeps up with: it costs 2 % of a core per talking agent. */
const HEARING_PER_SPEAKING = 4;

/** The threads that listen and talk, so that nothing of it runs on the thread that paces audio. */
export interface SpeechPool {
  /** Serves pieces of text with whichever talking thread is idle. */
  readonly desk: SpeakingDesk;
  /** Takes down what callers say freely. */
  readonly dictation: DictationDesk;
  /** The listening thread with the fewest ears; give it back with `leave`. */
  join(): SpeechLane;
  leave(lane: SpeechLane): void;
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
 * own because one sentence is one long computation (up to 100 ms) that no other call's ear should wait for.
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
  const ears = new Map<SpeechLane, number>();
  for (let i = 0; i < hearingCount; i++) {
    ears.set(new SpeechLane({ ...parts, duty: 'hearing', provider: 'pocketsphinx' }), 0);
  }
  const voices = Array.from(
    { length: speakingCount },
    () => new SpeechLane({ ...parts, duty: 'speaking', provider: 'flite' }),
  );
  const dictations = Array.from(
    { length: options.dictations ?? 0 },
    () => new SpeechLane({ ...parts, duty: 'dictation', provider: 'pocketsphinx' }),
  );
  const lanes = [...voices, ...ears.keys()];
  const desk = new SpeakingDesk(voices);
  return {
    desk,
    dictation: new DictationDesk(dictations, log),
    join() {
      const [lane, count] = [...ears].reduce((best, other) => (other[1] < best[1] ? other : best));
      ears.set(lane, count + 1);
      return lane;
    },
    leave: (lane) => void ears.set(lane, Math.max(0, (ears.get(lane) ?? 0) - 1)),
    async warmUp() {
      await Promise.all(lanes.map((lane) => lane.request('warm_up', {})));
    },
    async check() {
      const unwell = lanes.filter((lane) => !lane.isWell);
      await Promise.all(unwell.map((lane) => lane.request('warm_up', {})));
    },
    waiting: () => ({
      hearing: owed(ears.keys()),
      speaking: owed(voices) + desk.waiting,
      dictation: owed(dictations),
    }),
    async close() {
      await Promise.all([...lanes, ...dictations].map((lane) => lane.close()));
    },
  };
}

function owed(lanes: Iterable<SpeechLane>): number {
  return [...lanes].reduce((sum, lane) => sum + lane.pending, 0);
}
