import { expect, it } from 'vitest';
import { assemblyai } from '#providers/assemblyai/assemblyai.js';
import { deepgram } from '#providers/deepgram/deepgram.js';
import { openai } from '#providers/openai/openai.js';
import { createOpenAiTranscriptionEmulator } from '#test/support/emulators/speech/openai-emulator.js';
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
streamingSttContract(
  'AssemblyAI',
  (settings) => startSttRig(assemblyai, createAssemblyAiEmulator, settings),
  { sessionEnd: { code: 3_008, reason: 'Session expired' } },
);
streamingSttContract('Scribe of ElevenLabs', (settings) =>
  startSttRig(elevenlabs, createScribeEmulator, settings),
);

const OPENAI_STREAMED = { STT_MODEL: 'gpt-realtime-whisper' };
const startOpenAi = (settings = {}) =>
  startSttRig(openai, createOpenAiTranscriptionEmulator, { ...OPENAI_STREAMED, ...settings });

streamingSttContract('transcription of OpenAI', startOpenAi, {
  tellsTimes: false,
  finishLimitMs: 2_000,
  sessionEnd: { code: 1_001, reason: 'session expired' },
});

it('OpenAI gets a session of transcription, and tells late words in the order of the utterances', async () => {
  const rig = startOpenAi();
  const { say, finish, session } = await rig.open('de-AT');
  expect(rig.sockets.urls).toEqual(['wss://api.openai.com/v1/realtime?intent=transcription']);
  expect(rig.emulator.sessions).toMatchObject([
    {
      type: 'transcription',
      audio: {
        input: {
          format: { type: 'audio/pcmu' },
          transcription: { model: 'gpt-realtime-whisper', language: 'de' },
          turn_detection: null,
        },
      },
    },
  ]);
  rig.emulator.delaysMs.push(900, 1);
  await say('first');
  const first = rig.during(session.finish());
  await say('second');
  const second = await finish();
  expect([(await first).text, second.text]).toEqual(['first', 'second']);
  expect((await first).confidence).toBeCloseTo(Math.exp(-0.1));
});

it('OpenAI is asked again after an error that passes, and not after one that stays; wide sound goes at 24 kHz', async () => {
  const passing = startOpenAi();
  const first = await passing.open();
  passing.emulator.nextError = 'server_error';
  await first.say('once more');
  expect((await first.finish()).text).toBe('once more');
  const final = startOpenAi();
  const second = await final.open();
  final.emulator.nextError = 'invalid_value';
  await second.say('in vain');
  await expect(second.finish()).rejects.toMatchObject({ retryable: false });

  const wide = startOpenAi();
  const session = await wide.during(wide.stt.open({ language: 'en', sampleRateHz: 16_000 }));
  expect(wide.emulator.sessions).toMatchObject([
    { audio: { input: { format: { type: 'audio/pcm', rate: 24_000 } } } },
  ]);
  session.close();
});

it.each([
  ['gpt-realtime-whisper', false],
  ['gpt-live-transcribe', false],
  ['gpt-4o-mini-transcribe', false],
  ['whisper-1', true],
])('whether %s of OpenAI tells the language: %s', (model, tells) => {
  expect(openai.stt!.tellsLanguage({ STT_MODEL: model })).toBe(tells);
});

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

it('AssemblyAI hears two utterances again without the silence between them, and no word counts twice', async () => {
  const rig = startSttRig(assemblyai, createAssemblyAiEmulator);
  const { say, session, finish } = await rig.open();
  const answers: string[] = [];
  rig.emulator.isMute = true;
  for (const text of ['one', 'two']) {
    await say(text, { beforeMs: 100 });
    void session.finish().then((transcript) => answers.push(transcript.text));
  }
  rig.sockets.breakAll();
  rig.emulator.isMute = false;
  await say('three');
  answers.push((await finish()).text);
  expect(answers).toEqual(['one', 'two', 'three']);
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
