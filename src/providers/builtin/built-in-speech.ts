import type { CountryCode } from 'libphonenumber-js';
import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { createFliteTts } from '#providers/builtin/flite/flite-tts.js';
import type { Stt } from '#speech/stt.js';
import { createPlaybookDialogue, type OpenPlaybook } from '#playbook/playbook-dialogue.js';
import { createPocketsphinxStt } from '#providers/builtin/pocketsphinx/pocketsphinx-stt.js';
import { withSpeakableText } from '#speech/speakable-voice.js';
import type { Tts } from '#speech/tts.js';
import type { Duty } from '#providers/builtin/threads/protocol.js';
import { createSpeechPool, type SpeechPool } from '#providers/builtin/threads/speech-pool.js';

/**
 * The built-in recogniser and voice, the threads that these two compute on, and the built-in dialogue manager. They
 * need no account and no network; the recogniser and the voice also replace a vendor that fails during a call. Used by
 * the composition root and by the command `talk`.
 */
export interface BuiltInSpeech {
  stt: Stt;
  tts: Tts;
  /** Opens the dialogue of a call that follows a playbook. */
  dialogue: OpenPlaybook;
  /**
   * Starts the speaking and hearing threads and resolves when they are loaded, so that the first call does not wait. A
   * call may begin before that.
   */
  warmUp(): Promise<void>;
  /**
   * Resolves when every speaking and hearing thread answers, as far as is known; a thread that died is replaced first.
   * @throws SpeechError if a thread cannot be replaced
   */
  check(): Promise<void>;
  /** Pending requests to the threads, by duty; shown as a metric. */
  waiting(): Readonly<Record<Duty, number>>;
  close(): Promise<void>;
}

/**
 * Opens the built-in speech services. Threads start with the first request or `warmUp`.
 * @param options.threads threads that recognise speech, at least 1; a quarter as many speak, at least 1
 * @param options.dictations threads that transcribe free answers word by word, loaded on demand; none by default
 * @param options.pool threads of an owner who closes them; by default new ones
 * @param options.clock the clock for "tomorrow", in `timeZone` (IANA) for calls without a zone
 * @param options.region the country for phone numbers said without a country code; default that of the language
 */
export function openBuiltInSpeech(options: {
  threads: number;
  dictations?: number;
  pool?: SpeechPool;
  log: Log;
  clock?: Clock;
  timeZone?: string;
  region?: CountryCode | undefined;
}): BuiltInSpeech {
  const pool = options.pool ?? createSpeechPool(options);
  const stt = createPocketsphinxStt({ pool, ...(options.clock ? { clock: options.clock } : {}) });
  const tts = withSpeakableText(createFliteTts({ pool }));
  return {
    stt,
    tts,
    dialogue: createPlaybookDialogue(options),
    warmUp: () => pool.warmUp(),
    check: () => pool.check(),
    waiting: () => pool.waiting(),
    async close() {
      await Promise.all([stt.close(), tts.close()]);
      if (!options.pool) await pool.close();
    },
  };
}
