import { describe, expect, it } from 'vitest';
import { assemblyai } from '#providers/assemblyai/assemblyai.js';
import { elevenlabs } from '#providers/elevenlabs/elevenlabs.js';
import { createAssemblyAiEmulator } from '#test/support/emulators/speech/assemblyai-emulator.js';
import { createScribeEmulator } from '#test/support/emulators/speech/scribe-emulator.js';
import { startSttRig } from '#test/support/emulators/speech/stt-rig.js';

const startScribe = () => startSttRig(elevenlabs, createScribeEmulator);
const startAssemblyAi = () => startSttRig(assemblyai, createAssemblyAiEmulator);

const queries = ({ urls }: { urls: readonly string[] }) => urls.map((url) => new URL(url).searchParams);

describe('what is likely to be said', () => {
  const choice = {
    kind: 'choice',
    options: [{ value: 'a', phrases: ['Aspirin', 'the one for headaches at night'] }],
  } as const;

  it('becomes key terms of a new connection to Scribe, as far as it takes them', async () => {
    const rig = startScribe();
    const { session, say, wait, finish } = await rig.open();
    session.expect(choice);
    await wait(100);
    await say('Aspirin');
    expect((await finish()).text).toBe('Aspirin');
    expect(queries(rig.sockets).map((query) => query.getAll('keyterms'))).toEqual([[], ['Aspirin']]);
  });

  it('becomes key terms of the same session of AssemblyAI, and of the next one', async () => {
    const rig = startAssemblyAi();
    const { session, say, wait, finish } = await rig.open();
    session.expect(choice);
    await wait(100);
    const terms = JSON.stringify(choice.options[0].phrases);
    expect(rig.emulator.texts).toEqual([`{"type":"UpdateConfiguration","keyterms_prompt":${terms}}`]);
    rig.sockets.breakAll();
    await say('Aspirin');
    expect((await finish()).text).toBe('Aspirin');
    expect(queries(rig.sockets).map((query) => query.get('keyterms_prompt'))).toEqual([null, terms]);
  });
});

describe('the languages of an agent', () => {
  it.each([
    [[], 'de'],
    [['es'], null],
  ])('with %j beside German reach Scribe as %s', async (otherLanguages, asked) => {
    const rig = startScribe();
    await rig.during(rig.stt.open({ language: 'de-AT', otherLanguages, sampleRateHz: 8_000 }));
    expect(queries(rig.sockets)[0]!.get('language_code')).toBe(asked);
  });

  it.each([
    [[], null],
    [['es'], 'true'],
  ])('with %j beside German are detected by AssemblyAI: %s', async (otherLanguages, asked) => {
    const rig = startAssemblyAi();
    await rig.during(rig.stt.open({ language: 'de-AT', otherLanguages, sampleRateHz: 8_000 }));
    expect(queries(rig.sockets)[0]!.get('language_detection')).toBe(asked);
  });
});

it('AssemblyAI is certain that a turn is over before our own silence is long enough', async () => {
  const { say, finish, beliefs } = await startAssemblyAi().open();
  await say('a table for four', { afterMs: 800 });
  expect(beliefs).toEqual(['certain']);
  expect((await finish()).text).toBe('a table for four');
});
