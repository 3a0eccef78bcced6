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
import { createSpeechPool } from '#providers/builtin/threads/speech-pool.js';

/** The three senses of an agent, and what they run on. */
export interface Speech {
  stt: Stt;
  tts: Tts;
  dialogue: OpenPlaybook;
  /** Loads what is slow to load; calls may come before it is done. */
  warmUp(): Promise<void>;
  /** Resolves when they can be used, as far as is known. */
  check(): Promise<void>;
  /** Requests to the threads behind them that have no answer yet, by what they ask for. */
  waiting(): Readonly<Record<Duty, number>>;
  close(): Promise<void>;
}

/**
 * The senses that come with the service.
 * @param options.threads threads that listen, at least 1
 * @param options.dictations threads that take down free answers word by word, loaded when wanted; none by default
 * @param options.clock by which callers' "tomorrow" is meant, in `timeZone` (IANA) where a call names none
 * @param options.region the country whose phone numbers callers say as they are there; default that of the language
 */
export function openBuiltInSpeech(options: {
  threads: number;
  dictations?: number;
  log: Log;
  clock?: Clock;
  timeZone?: string;
  region?: CountryCode | undefined;
}): Speech {
  const pool = createSpeechPool(options);
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
      await pool.close();
    },
  };
}
