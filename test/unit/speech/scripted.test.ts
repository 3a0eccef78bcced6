import { expect, it } from 'vitest';
import { realtimeContract } from '#test/contracts/realtime.js';
import { sttContract } from '#test/contracts/stt.js';
import { ttsContract } from '#test/contracts/tts.js';
import { createAttentiveStt } from '#test/support/attentive-stt.js';
import { createScriptedRealtime } from '#test/support/scripted-realtime.js';
import { createScriptedStt } from '#test/support/scripted-stt.js';
import { createScriptedTts, toneMs } from '#test/support/scripted-tts.js';
import { joined, spoken } from '#test/support/telephone-line.js';

ttsContract('the scripted speaking', createScriptedTts);
sttContract('the scripted hearing', async () => {
  const hearing = createScriptedStt();
  return {
    hearing,
    async utterance(text) {
      hearing.queue(text);
      return new Int16Array(8000).fill(1000);
    },
  };
});
sttContract('a recogniser that hears every frame', async () => {
  const hearing = createAttentiveStt();
  return {
    hearing,
    async utterance(text) {
      hearing.queue(text);
      return new Int16Array(8000).fill(1000);
    },
  };
});

realtimeContract('a scripted model', async () => {
  const realtime = createScriptedRealtime();
  const spoken = (heard: string, tool?: { name: string; arguments: string }) => {
    realtime.queue({ heard, text: 'One moment.', ...(tool && { tool }) });
    return joined([new Int16Array(8_000).fill(1_000), new Int16Array(8_000)]);
  };
  return {
    realtime,
    utterance: async (text) => spoken(text),
    toolUtterance: async (text) => spoken(text, { name: 'look_up', arguments: '{}' }),
    settle: async () => {},
  };
});

it('hums as long as the text is', async () => {
  const speaking = createScriptedTts();
  expect((await spoken(speaking, 'Hello')).length).toBe((toneMs('Hello') * 8000) / 1000);
});

it('fails when it is told to', async () => {
  const hearing = createScriptedStt(new Error('deaf'));
  const stream = await hearing.open({ language: 'en', sampleRateHz: 8000 });
  stream.push(new Int16Array(160));
  await expect(stream.finish()).rejects.toThrow('deaf');
});
