import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startThread } from '#kernel/system/thread.js';
import { createFliteTts } from '#providers/builtin/flite/flite-tts.js';
import type { RecognitionHints } from '#speech/stt.js';
import { createPocketsphinxStt } from '#providers/builtin/pocketsphinx/pocketsphinx-stt.js';
import { SpeechError } from '#speech/speech-error.js';
import { createSpeechPool } from '#providers/builtin/threads/speech-pool.js';
import { sttContract } from '#test/contracts/stt.js';
import { ttsContract } from '#test/contracts/tts.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { overTheLine, pushFrames, spoken } from '#test/support/telephone-line.js';

const threads: { worker: Worker; duty: string }[] = [];
const pool = createSpeechPool({
  threads: 1,
  log: createMemoryLog().log,
  startThread: (path, options) => {
    const worker = startThread(path, options);
    threads.push({ worker, duty: (options.workerData as { duty: string }).duty });
    return worker;
  },
});
const speaking = createFliteTts({ pool });
const hearing = createPocketsphinxStt({ pool });

beforeAll(() => pool.warmUp());
afterAll(async () => {
  await hearing.close();
  await speaking.close();
  await pool.close();
});

ttsContract('flite', () => speaking);
sttContract('pocketsphinx', async () => ({
  hearing,
  utterance: async (text) => overTheLine(await spoken(speaking, text, { voice: 'rms' })),
}));

const YES_NO: RecognitionHints = { kind: 'yes_no' };

describe('a speech thread that dies', () => {
  it('fails what it owed as retryable, and another one takes over', async () => {
    const stream = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
    stream.expect(YES_NO);
    const sound = overTheLine(await spoken(speaking, 'yes please', { voice: 'rms' }));
    pushFrames(stream, sound);
    const lost = stream.finish();
    lost.catch(() => {});
    await threads.findLast(({ duty }) => duty === 'hearing')!.worker.terminate();
    const error = await lost.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SpeechError);
    expect(error).toMatchObject({ provider: 'pocketsphinx', retryable: true });

    pushFrames(stream, sound);
    expect((await stream.finish()).text).toBe('yes please');
    stream.close();
  });

  it('ends the utterance it had half heard as a failure', async () => {
    const stream = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
    stream.push(new Int16Array(1600));
    await threads.findLast(({ duty }) => duty === 'hearing')!.worker.terminate();
    await expect(stream.finish()).rejects.toMatchObject({ retryable: true });
    stream.close();
  });

  it('takes the sentence with it, and the next one is spoken', async () => {
    const lost = spoken(speaking, 'This sentence will never be heard by anybody at all.', { voice: 'awb' });
    lost.catch(() => {});
    await threads.findLast(({ duty }) => duty === 'speaking')!.worker.terminate();
    await expect(lost).rejects.toMatchObject({ provider: 'flite', retryable: true });
    expect((await spoken(speaking, 'This one will be heard.', { voice: 'awb' })).length).toBeGreaterThan(0);
  });
});
