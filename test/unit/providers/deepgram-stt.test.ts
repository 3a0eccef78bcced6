import { describe, expect, it } from 'vitest';
import { deepgram } from '#providers/deepgram/deepgram.js';
import { createDeepgramEmulator } from '#test/support/emulators/speech/deepgram-emulator.js';
import { startSttRig } from '#test/support/emulators/speech/stt-rig.js';

const FLUX = { STT_MODEL: 'flux-general-en' };

const rigOf = (settings: Record<string, string> = {}) =>
  startSttRig(deepgram, createDeepgramEmulator, settings);

describe('hints for Deepgram', () => {
  const choice = {
    kind: 'choice',
    options: [{ value: 'a', phrases: ['Aspirin', 'Ibuprofen'] }],
  } as const;

  it('become key terms: of a new connection for nova, of the same one for Flux', async () => {
    const nova = rigOf();
    const plain = await nova.open();
    plain.session.expect(choice);
    await plain.wait(100);
    await plain.say('Aspirin');
    expect((await plain.finish()).text).toBe('Aspirin');
    const terms = nova.sockets.urls.map((url) => new URL(url).searchParams.getAll('keyterm'));
    expect(terms).toEqual([[], ['Aspirin', 'Ibuprofen']]);

    const flux = rigOf(FLUX);
    const other = await flux.open();
    other.session.expect(choice);
    await other.wait(100);
    expect(flux.emulator.texts).toEqual(['{"type":"Configure","keyterms":["Aspirin","Ibuprofen"]}']);
    expect(flux.sockets.urls).toHaveLength(1);
  });
});

describe('the language of an agent', () => {
  it.each([
    [{}, 'en-US', 'language=en-US'],
    [{}, 'de-AT', 'language=de'],
    [{ STT_MODEL: 'nova-2' }, 'fr-CA', 'language=fr-CA'],
    [FLUX, 'en-GB', 'model=flux-general-en'],
    [FLUX, 'es-MX', 'model=flux-general-multi'],
  ])('with %j is asked for: %s as %s', async (settings, language, query) => {
    const rig = rigOf(settings);
    await rig.open(language);
    expect(rig.sockets.urls[0]).toContain(query);
  });
});

describe('the belief of Flux in the end of a turn', () => {
  it('is told: likely, resumed where it goes on, certain', async () => {
    const rig = rigOf(FLUX);
    const { say, wait, finish, beliefs } = await rig.open();
    await say('a table', { afterMs: 300 });
    await say('for four', { beforeMs: 0, afterMs: 0 });
    await wait(800);
    expect(beliefs).toEqual(['likely', 'resumed', 'likely', 'certain']);
    expect((await finish()).text).toBe('a table for four');
    // It had ended the turn by itself: nothing was to be forced, and nothing was waited for.
    expect(rig.emulator.texts).toEqual([]);
  });
});
