import { beforeAll, describe, expect, it } from 'vitest';
import { createFliteTts } from '#providers/builtin/flite/flite-tts.js';
import type { RecognitionHints, SttSession } from '#speech/stt.js';
import { createPocketsphinxStt } from '#providers/builtin/pocketsphinx/pocketsphinx-stt.js';
import { loadVoiceActivity } from '#media/detecting/voice-activity.js';
import { sharedSpeechPool } from '#test/support/shared-speech.js';
import { overTheLine, pushFrames, spoken } from '#test/support/telephone-line.js';
import { drawn } from '#test/support/tier.js';

const pool = sharedSpeechPool();
const speaking = createFliteTts({ pool });
const hearing = createPocketsphinxStt({ pool });

beforeAll(() => pool.warmUp());

const YES_NO: RecognitionHints = { kind: 'yes_no' };
const CHOICE: RecognitionHints = {
  kind: 'choice',
  options: [
    { value: 'morning', phrases: ['in the morning', 'before noon'] },
    { value: 'afternoon', phrases: ['after lunch'] },
    { value: 'zorbax', phrases: ['the Zorbax clinic'] },
  ],
};

async function hear(stream: SttSession, text: string, voice = 'rms') {
  pushFrames(stream, overTheLine(await spoken(speaking, text, { voice })));
  return stream.finish();
}

describe('telephone speech', () => {
  const said: readonly [expectation: RecognitionHints, meaning: RegExp, ...texts: string[]][] = [
    [
      YES_NO,
      /^(?!.*\bno(t|pe)?\b).*\b(yes|yeah|yep|sure|right|works|good|correct|absolutely|will|course|can)\b/,
      'yes',
      'yes it is',
      'yeah sure',
      "that's right",
      'yes that works',
      'sounds good',
      'of course',
      'absolutely',
      'yep',
      "yes that's correct",
    ],
    [
      YES_NO,
      /\b(no|nope|not|can't|cannot|don't|wrong|cancel|afraid)\b/,
      'no',
      'no thank you',
      "no I can't make it",
      'nope',
      'not really',
      'wrong number',
      'I need to cancel',
      "I'm not interested",
    ],
    [YES_NO, /^(wait|stop|hang on)/, 'wait, wait', 'wait, stop', 'stop, stop', 'hang on a second'],
    [
      CHOICE,
      /\bmorning|\bnoon/,
      'the morning please',
      'in the morning',
      "I'd prefer the morning",
      'before noon please',
    ],
    [
      CHOICE,
      /afternoon|lunch/,
      'the afternoon please',
      "let's do the afternoon",
      'after lunch would be better',
    ],
    [CHOICE, /zorbax/, 'the Zorbax clinic please'],
  ];

  const SPEAKERS = [
    ['rms', Infinity, 0.95],
    ['slt', 3, 0.8],
    ['awb', 3, 0.8],
  ] as const;
  it.each(drawn(1, SPEAKERS))('is understood when %s speaks', async (voice, most, least) => {
    const stream = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
    const wrong: string[] = [];
    let total = 0;
    for (const [expectation, meaning, ...texts] of said) {
      stream.expect(expectation);
      for (const text of texts.slice(0, most)) {
        const heard = await hear(stream, text, voice);
        total += 1;
        if (!meaning.test(heard.text)) wrong.push(`${text} → ${heard.text}`);
      }
    }
    stream.close();
    expect(1 - wrong.length / total, wrong.join('; ')).toBeGreaterThanOrEqual(least);
  });

  it('is not understood, rather than misunderstood, when it is nothing that was expected', async () => {
    const strange = [
      'The capital of Norway is a city by the sea',
      'My uncle repairs old motorcycles',
      'Please water the tomatoes in my garden',
      'The train leaves from platform eleven',
      'She paints the kitchen blue',
      'Our neighbor has three small dogs',
      'A package arrived from Portugal',
      'The lawyer signed both documents',
      'Mix the flour with two eggs',
      'The bridge is closed for repairs',
    ];
    const stream = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
    stream.expect(YES_NO);
    const taken: string[] = [];
    for (const text of strange) {
      const heard = await hear(stream, text);
      if (heard.text !== '') taken.push(`${text} → ${heard.text}`);
      else expect(heard).toEqual({ text: '', confidence: 0 });
    }
    stream.close();
    expect(taken.length / strange.length, taken.join('; ')).toBeLessThanOrEqual(0.2);
  });

  it('is understood on a wide-band line', async () => {
    const stream = await hearing.open({ language: 'en-US', sampleRateHz: 16_000 });
    stream.expect(YES_NO);
    const sound = await spoken(speaking, 'yes please', { voice: 'rms', sampleRateHz: 16_000 });
    pushFrames(stream, overTheLine(sound, 16_000), 16_000);
    expect((await stream.finish()).text).toBe('yes please');
    stream.close();
  });

  it('is understood when more callers talk than there are decoders', async () => {
    const sound = overTheLine(await spoken(speaking, 'no thank you', { voice: 'rms' }));
    const open = async () => hearing.open({ language: 'en-US', sampleRateHz: 8000 });
    const streams = await Promise.all(Array.from({ length: 10 }, open));
    for (const stream of streams) stream.expect(YES_NO);
    for (let from = 0; from < sound.length; from += 160) {
      for (const stream of streams) stream.push(sound.subarray(from, from + 160));
    }
    const heard = await Promise.all(streams.map((stream) => stream.finish()));
    for (const stream of streams) stream.close();
    expect(heard.map(({ text }) => text)).toEqual(Array(10).fill('no thank you'));
  });

  it('is answered in the order in which callers stop, when many stop at once', async () => {
    const words = overTheLine(await spoken(speaking, 'no thank you', { voice: 'rms' }));
    const ears = [2, 1, 1].map(async (times) => {
      const stream = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
      stream.expect(YES_NO);
      return { stream, times };
    });
    const callers = await Promise.all(ears);
    for (const { stream, times } of callers) for (let i = 0; i < times; i++) pushFrames(stream, words);
    const order: number[] = [];
    await Promise.all(callers.map(({ stream }, caller) => stream.finish().then(() => order.push(caller))));
    for (const { stream } of callers) stream.close();
    expect(order).toEqual([0, 1, 2]);
  });

  it('is not taken for music, however many long vowels it has', async () => {
    const text =
      'The person you are calling is using a screening service. Say your name and why you are calling.';
    const voice = (await loadVoiceActivity()).open(8000);
    const steady: boolean[] = [];
    const line = overTheLine(await spoken(speaking, text, { voice: 'slt' }));
    for (let from = 0; from + 160 <= line.length; from += 160) {
      voice.isVoice(line.subarray(from, from + 160));
      steady.push(voice.isSteady);
    }
    voice.free();
    expect(steady).not.toContain(true);
  });

  it('survives phrases nobody can say', async () => {
    const stream = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
    stream.expect({ kind: 'choice', options: [{ value: '★', phrases: ['<x> | ;', '日本', ''] }] });
    await hear(stream, 'hello');
    stream.expect({ kind: 'choice', options: [{ value: '', phrases: [] }] });
    expect((await hear(stream, 'hello')).text).toBe('hello');
    stream.close();
  });
});
