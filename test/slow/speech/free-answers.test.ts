import { beforeAll, describe, expect, it } from 'vitest';
import { createFliteTts } from '#providers/builtin/flite/flite-tts.js';
import type { RecognitionHints, SttSession } from '#speech/stt.js';
import { createPocketsphinxStt } from '#providers/builtin/pocketsphinx/pocketsphinx-stt.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { wordErrorRate } from '#test/support/judge.js';
import { sharedSpeechPool } from '#test/support/shared-speech.js';
import { pinkNoise } from '#test/support/noise.js';
import { soundFile } from '#test/support/sound-file.js';
import { overTheLine, pushFrames, spoken } from '#test/support/telephone-line.js';

const pool = sharedSpeechPool();
const speaking = createFliteTts({ pool });
// Time stands still: sound comes faster here than it is spoken, and a busy machine is no caller who waits.
const hearing = createPocketsphinxStt({ pool, clock: new FakeClock() });

beforeAll(async () => {
  await pool.warmUp();
  await pool.dictation.prepare();
});

const ANYTHING: RecognitionHints = { kind: 'anything' };

async function listening(expectation = ANYTHING): Promise<SttSession> {
  const stream = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
  stream.expect(expectation);
  return stream;
}

async function hear(stream: SttSession, text: string) {
  pushFrames(stream, overTheLine(await spoken(speaking, text, { voice: 'rms' })));
  return stream.finish();
}

describe('what callers say freely', () => {
  it('is taken down nearly word by word', async () => {
    const said = [
      "I'd like to move my appointment to next week",
      'can somebody call me back in the afternoon',
      'it was fine but the waiting took too long',
      'the driver was very friendly',
      'I have a question about my last bill',
      'your technician never came',
      'my phone stopped working',
      'please tell the doctor I am late',
    ];
    const stream = await listening();
    const heard: string[] = [];
    for (const text of said) heard.push((await hear(stream, text)).text);
    stream.close();
    expect(wordErrorRate(said.join(' '), heard.join(' ')), heard.join(' | ')).toBeLessThanOrEqual(0.25);
  });

  it('may be what every question understands', async () => {
    const stream = await listening();
    expect((await hear(stream, 'hello')).text).toBe('hello');
    expect((await hear(stream, 'take me off your list')).text).toBe('take me off your list');
    stream.close();
  });

  it('is not invented from what is made of other words', async () => {
    const stream = await listening();
    const heard = await hear(stream, 'Parliament debated agricultural subsidies');
    expect(heard).toEqual({ text: '', confidence: 0 });
    stream.close();
  });

  it('is not invented from noise', async () => {
    const stream = await listening();
    pushFrames(stream, overTheLine(pinkNoise({ samples: 8_000, levelDb: -30 })));
    expect((await stream.finish()).text.split(' ').length).toBeLessThanOrEqual(1);
    stream.close();
  });

  it('is understood of a stranger', async () => {
    const stream = await listening();
    pushFrames(stream, overTheLine(await soundFile('i-would-rather-not.wav')));
    expect((await stream.finish()).text).toBe("i'd rather not");
    stream.close();
  });

  it('is left to the phrases where something particular was asked', async () => {
    const stream = await listening({ kind: 'yes_no' });
    expect((await hear(stream, 'the driver was very friendly')).text).toBe('');
    stream.close();
  });

  it('is left to the phrases while all who take dictation are busy', async () => {
    const [first, second] = [await listening(), await listening()];
    const sound = overTheLine(await spoken(speaking, 'very friendly people', { voice: 'rms' }));
    first.push(sound.subarray(0, 160));
    pushFrames(second, sound);
    expect((await second.finish()).text).not.toContain('friendly');
    pushFrames(first, sound.subarray(160));
    expect((await first.finish()).text).toContain('very friendly');
    first.push(sound);
    first.discard();
    // Given back, and by who said nothing too: the next one has it.
    pushFrames(second, sound);
    expect((await second.finish()).text).toContain('very friendly');
    for (const stream of [first, second]) stream.close();
  });
});
