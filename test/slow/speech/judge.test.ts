import { describe, expect, it } from 'vitest';
import { createFliteTts } from '#providers/builtin/flite/flite-tts.js';
import { hasJudge, hearSamples, wordErrorRate } from '#test/support/judge.js';
import { sharedSpeechPool } from '#test/support/shared-speech.js';
import { joined, overTheLine, spoken } from '#test/support/telephone-line.js';
import { drawn } from '#test/support/tier.js';

const SENTENCES = [
  'Your appointment is tomorrow at ten in the morning.',
  'Thank you very much for your help today.',
  'Would you like to come in the afternoon?',
  'Please tell me your name and your telephone number.',
  'I am calling about the house on the other side of the street.',
];

const pool = sharedSpeechPool();

describe.skipIf(!hasJudge)('what an independent recogniser hears over the telephone', () => {
  const VOICES = [
    ['rms', 0.1],
    ['slt', 0.3],
  ] as const;
  it.each(drawn(1, VOICES))('is what %s said', async (voice, most) => {
    const speaking = createFliteTts({ pool });
    const pieces: Int16Array[] = [];
    for (const sentence of SENTENCES) pieces.push(overTheLine(await spoken(speaking, sentence, { voice })));
    const heard = await hearSamples(joined(pieces), 8000);
    expect(wordErrorRate(SENTENCES.join(' '), heard!), heard!).toBeLessThanOrEqual(most);
  });
});
