import type { Log } from '../kernel/log.js';
import type { Hearing } from './hearing.js';
import { HEARINGS, SPEAKINGS, THINKINGS } from './providers.js';
import type { Speaking } from './speaking.js';
import type { Thinking } from './thinking.js';
import { createSpeechPool } from './threads/speech-pool.js';

/** The three senses of an agent, and what they run on. */
export interface Speech {
  hearing: Hearing;
  speaking: Speaking;
  thinking: Thinking;
  /** Loads what is slow to load; calls may come before it is done. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

/** The senses that come with the service. @param options.threads threads that listen, at least 1 */
export function openBuiltInSpeech(options: { threads: number; log: Log }): Speech {
  const pool = createSpeechPool(options);
  const hearing = HEARINGS.builtin({ pool });
  const speaking = SPEAKINGS.builtin({ pool });
  return {
    ...{ hearing, speaking, thinking: THINKINGS.builtin() },
    warmUp: () => pool.warmUp(),
    async close() {
      await Promise.all([hearing.close(), speaking.close()]);
      await pool.close();
    },
  };
}
