import { expect, it } from 'vitest';
import { hearingContract } from '#test/contracts/hearing.js';
import { speakingContract } from '#test/contracts/speaking.js';
import { createScriptedHearing } from '#test/support/scripted-hearing.js';
import { createScriptedSpeaking, toneMs } from '#test/support/scripted-speaking.js';
import { spoken } from '#test/support/telephone-line.js';

speakingContract('the scripted speaking', createScriptedSpeaking);
hearingContract('the scripted hearing', async () => {
  const hearing = createScriptedHearing();
  return {
    hearing,
    async utterance(text) {
      hearing.queue(text);
      return new Int16Array(8000).fill(1000);
    },
  };
});

it('hums as long as the text is', async () => {
  const speaking = createScriptedSpeaking();
  expect((await spoken(speaking, 'Hello')).length).toBe((toneMs('Hello') * 8000) / 1000);
});

it('fails when it is told to', async () => {
  const hearing = createScriptedHearing(new Error('deaf'));
  const stream = await hearing.open({ language: 'en', sampleRateHz: 8000 });
  stream.push(new Int16Array(160));
  await expect(stream.finish()).rejects.toThrow('deaf');
});
