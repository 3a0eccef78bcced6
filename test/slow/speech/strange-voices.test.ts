import { beforeAll, expect, it } from 'vitest';
import type { RecognitionHints } from '#speech/stt.js';
import { createPocketsphinxStt } from '#providers/builtin/pocketsphinx/pocketsphinx-stt.js';
import { sharedSpeechPool } from '#test/support/shared-speech.js';
import { soundFile, type SoundFileName } from '#test/support/sound-file.js';
import { overTheLine, pushFrames } from '#test/support/telephone-line.js';

const pool = sharedSpeechPool();
const hearing = createPocketsphinxStt({ pool });

beforeAll(() => pool.warmUp());

const YES_NO: RecognitionHints = { kind: 'yes_no' };
const NAME: RecognitionHints = { kind: 'name', names: ['Anna Keller', 'Peter Miller', 'Hannah Kelly'] };
/** As people stand near their phone, or away from it. */
const LOUDNESS = [1, 0.3];

const said: readonly [file: SoundFileName, expectation: RecognitionHints, understood: RegExp][] = [
  ['yes-please.wav', YES_NO, /^(yes|yep|yeah) please$/],
  ['i-would-rather-not.wav', YES_NO, /^i'd rather not$/],
  ['my-name-is-anna-keller.wav', NAME, /anna keller$/],
  ['june-the-third.wav', { kind: 'date' }, /^june (the )?third$/],
];

it.each(said)('%s is understood by telephone, however loud it is', async (file, expectation, understood) => {
  const speech = await soundFile(file);
  for (const loudness of LOUDNESS) {
    const ear = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
    ear.expect(expectation);
    pushFrames(ear, overTheLine(speech.map((sample) => sample * loudness)));
    expect((await ear.finish()).text, `at ${loudness}`).toMatch(understood);
    ear.close();
  }
});
