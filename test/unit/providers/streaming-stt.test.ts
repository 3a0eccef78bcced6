import { expect, it } from 'vitest';
import { assemblyai } from '#providers/assemblyai/assemblyai.js';
import { deepgram } from '#providers/deepgram/deepgram.js';
import { elevenlabs } from '#providers/elevenlabs/elevenlabs.js';
import { streamingSttContract } from '#test/contracts/streaming-stt.js';
import { createAssemblyAiEmulator } from '#test/support/emulators/speech/assemblyai-emulator.js';
import { createDeepgramEmulator } from '#test/support/emulators/speech/deepgram-emulator.js';
import { createScribeEmulator } from '#test/support/emulators/speech/scribe-emulator.js';
import { startSttRig } from '#test/support/emulators/speech/stt-rig.js';

streamingSttContract('nova of Deepgram', (settings) =>
  startSttRig(deepgram, createDeepgramEmulator, settings),
);
streamingSttContract('Flux of Deepgram', (settings) =>
  startSttRig(deepgram, createDeepgramEmulator, { STT_MODEL: 'flux-general-en', ...settings }),
);
streamingSttContract('AssemblyAI', (settings) => startSttRig(assemblyai, createAssemblyAiEmulator, settings));
streamingSttContract('Scribe of ElevenLabs', (settings) =>
  startSttRig(elevenlabs, createScribeEmulator, settings),
);

it('AssemblyAI gets pieces as long and as fast as it takes them, and each session of its own is terminated', async () => {
  const rig = startSttRig(assemblyai, createAssemblyAiEmulator);
  rig.emulator.sessionLimitMs = 10_000;
  const { say, finish, wait, session } = await rig.open();
  for (const text of ['one', 'two', 'three', 'four', 'five', 'six']) {
    await say(text, { afterMs: 300 });
    expect((await finish()).text).toBe(text);
    await wait(2_000);
  }
  expect(rig.sockets.urls.length).toBeGreaterThan(1);
  expect(rig.emulator.complaints).toEqual([]);
  session.close();
  await rig.clock.advance(100);
  expect(rig.emulator.texts.at(-1)).toBe('{"type":"Terminate"}');
});

it('Scribe is opened again after an error that passes, and not after one that stays', async () => {
  const passing = startSttRig(elevenlabs, createScribeEmulator);
  const first = await passing.open();
  passing.emulator.nextError = 'session_time_limit_exceeded';
  await first.say('once more');
  expect((await first.finish()).text).toBe('once more');

  const final = startSttRig(elevenlabs, createScribeEmulator);
  const second = await final.open();
  final.emulator.nextError = 'quota_exceeded';
  await second.say('in vain');
  await expect(second.finish()).rejects.toMatchObject({ retryable: false });
  expect(final.sockets.urls).toHaveLength(1);
});
