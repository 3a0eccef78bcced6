import { afterAll, beforeAll, describe } from 'vitest';
import { readProviders } from '#config/provider-settings.js';
import { createIds } from '#kernel/ids/ids.js';
import { systemClock } from '#kernel/time/clock.js';
import { createSocketOpener } from '#outbound-http/socket.js';
import { createFliteTts } from '#providers/builtin/flite/flite-tts.js';
import { createSpeechPool, type SpeechPool } from '#providers/builtin/threads/speech-pool.js';
import { PROVIDERS } from '#providers/registry.js';
import { SpeechProviders } from '#providers/speech-providers.js';
import { createCallbackSockets } from '#providers/wire/callback-sockets.js';
import { SpeechError } from '#speech/speech-error.js';
import type { Tts } from '#speech/tts.js';
import { sttContract } from '#test/contracts/stt.js';
import { ttsContract } from '#test/contracts/tts.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { createScriptedTts } from '#test/support/scripted-tts.js';
import { overTheLine, spoken } from '#test/support/telephone-line.js';
import { voicesOf } from '#test/support/voices-rig.js';

/** The real services, as far as keys are in the environment: the suites of all recognisers and voices. */
const { log } = createMemoryLog();

/** The voice behind all others, which must not speak in place of one that is tried. */
const silent: Tts = {
  ...createScriptedTts(),
  // eslint-disable-next-line require-yield
  async *speak() {
    throw new SpeechError('it was to be spoken by the vendor', { provider: 'builtin', retryable: false });
  },
};
const voices = voicesOf(process.env, { builtIn: silent });
const speaking = voices
  .listings()
  .filter(({ name }) => voices.problemOf({ provider: name, voice: null }) === null);

describe.skipIf(speaking.length === 0)('real voices, of which the environment has keys', () => {
  afterAll(() => voices.close());
  for (const { name } of speaking)
    ttsContract(name, () => voices.open([{ provider: name, voice: null }]), {
      knowsVoices: false,
      isSteady: false,
    });
});

const recognisers = new SpeechProviders(PROVIDERS, readProviders(process.env, []), {
  clock: systemClock,
  ids: createIds(systemClock),
  log,
  fetch,
  connect: createCallbackSockets(createSocketOpener({ clock: systemClock }), systemClock),
});
const hearing = recognisers.transcriptionListings().filter(({ configured }) => configured);

describe.skipIf(hearing.length === 0)('real recognisers, of which the environment has keys', () => {
  let pool: SpeechPool;
  let caller: Tts;
  beforeAll(() => {
    pool = createSpeechPool({ threads: 1, log });
    caller = createFliteTts({ pool });
  });
  afterAll(async () => {
    await recognisers.close();
    await pool.close();
  });

  for (const { name } of hearing)
    sttContract(name, async () => ({
      hearing: recognisers.stt(name)!,
      utterance: async (text) => overTheLine(await spoken(caller, text, { voice: 'rms' })),
      plain: (text) => text.toLowerCase().replaceAll(/[^a-z ]/g, ''),
    }));
});
