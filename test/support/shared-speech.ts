import { startThread } from '#kernel/system/thread.js';
import { createSpeechPool, type SpeechPool } from '#providers/builtin/threads/speech-pool.js';
import { createMemoryLog } from './memory-log.js';

let pool: SpeechPool | null = null;

/**
 * The speech threads of this process, for all of its test files: a recogniser takes a second of processor time to
 * load. They end with the process and keep no state of a session that is closed.
 */
export function sharedSpeechPool(): SpeechPool {
  pool ??= createSpeechPool({
    threads: 1,
    dictations: 1,
    log: createMemoryLog().log,
    startThread(path, options) {
      const thread = startThread(path, options);
      // The process does not wait for them at its end.
      thread.unref();
      return thread;
    },
  });
  return pool;
}
