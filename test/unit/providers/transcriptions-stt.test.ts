import { describe, expect, it } from 'vitest';
import {
  createTranscriptionStt,
  readTranscription,
} from '#providers/openai-compatible/stt-transcriptions.js';
import { sttContract } from '#test/contracts/stt.js';
import { soundOf } from '#test/support/emulators/speech/spoken-words.js';
import { wordsInFile } from '#test/support/emulators/speech/transcription-emulator.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { pushFrames } from '#test/support/telephone-line.js';

const VOCABULARY = ['yes please', 'no thank you', 'Aspirin'];

interface Asked {
  url: string;
  headers: Headers;
  fields: Record<string, string>;
}

/** `/audio/transcriptions` of a server that hears the words of the emulators in the WAV file it gets. */
function startServer({
  statuses = [] as (number | 'hangs')[],
  model = 'gpt-4o-mini-transcribe',
  isOwn = false,
} = {}) {
  const asked: Asked[] = [];
  const clock = new FakeClock();
  const server: typeof fetch = async (input, init) => {
    const form = init!.body as FormData;
    const fields = Object.fromEntries(
      [...form.entries()].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    ) as Record<string, string>;
    asked.push({ url: input as string, headers: new Headers(init!.headers), fields });
    const status = statuses.shift() ?? 200;
    if (status === 'hangs')
      return new Promise((_, reject) =>
        init!.signal!.addEventListener('abort', () => reject(new Error('aborted'))),
      );
    if (status !== 200) return new Response('{"error":{"message":"no"}}', { status });
    const file = Buffer.from(await (form.get('file') as File).arrayBuffer());
    return Response.json({ text: wordsInFile(file, VOCABULARY) });
  };
  const stt = createTranscriptionStt(
    {
      provider: 'openai',
      baseUrl: 'http://stt.test/v1',
      headers: { authorization: 'Bearer k' },
      model,
      isOwn,
    },
    { clock, log: createMemoryLog().log, fetch: server },
  );
  return { stt, asked, clock };
}

sttContract('a server with /audio/transcriptions', async () => ({
  hearing: startServer().stt,
  utterance: async (text) => soundOf(text),
}));

describe('a server with /audio/transcriptions', () => {
  const open = async (server: ReturnType<typeof startServer>, language = 'de-AT') => {
    const session = await server.stt.open({ language, sampleRateHz: 8_000 });
    session.expect({ kind: 'choice', options: [{ value: 'a', phrases: ['Aspirin'] }] });
    return session;
  };

  it('is told the language and what is likely to be said', async () => {
    const server = startServer();
    const session = await open(server);
    pushFrames(session, soundOf('Aspirin'));
    expect((await session.finish()).text).toBe('Aspirin');
    expect(server.asked[0]!.url).toBe('http://stt.test/v1/audio/transcriptions');
    expect(server.asked[0]!.headers.get('authorization')).toBe('Bearer k');
    expect(server.asked[0]!.fields).toMatchObject({
      model: 'gpt-4o-mini-transcribe',
      language: 'de',
      prompt: 'Aspirin',
    });
  });

  it('is asked for times where it is Whisper', async () => {
    const server = startServer({ model: 'whisper-large-v3-turbo' });
    const session = await open(server);
    pushFrames(session, soundOf('Aspirin'));
    await session.finish();
    expect(server.asked[0]!.fields).toMatchObject({ response_format: 'verbose_json' });
  });

  it('is not asked for less than a tenth of a second', async () => {
    const server = startServer();
    const session = await open(server);
    session.push(new Int16Array(400).fill(3_000));
    expect((await session.finish()).text).toBe('');
    expect(server.asked).toEqual([]);
  });

  it.each([
    [503, 2, null],
    [401, 1, false],
    [429, 2, null],
    [400, 1, false],
  ])('that answers %d is asked %d times', async (status, times, retryable) => {
    const server = startServer({ statuses: [status] });
    const session = await open(server);
    pushFrames(session, soundOf('Aspirin'));
    if (retryable === null) expect((await session.finish()).text).toBe('Aspirin');
    else await expect(session.finish()).rejects.toMatchObject({ provider: 'openai', retryable });
    expect(server.asked).toHaveLength(times);
  });

  it.each([
    ['of a vendor', false, 2_500],
    ["of one's own", true, 4_000],
  ])('%s that hangs is given up', async (_whose, isOwn, afterMs) => {
    const server = startServer({ statuses: ['hangs'], isOwn });
    const session = await open(server);
    pushFrames(session, soundOf('Aspirin'));
    let isOver = false;
    const failure = session.finish().catch((error: unknown) => error);
    void failure.then(() => (isOver = true));
    await server.clock.advance(afterMs - 1);
    expect(isOver).toBe(false);
    await server.clock.advance(1);
    expect(await failure).toMatchObject({ retryable: true });
  });

  it('that is asked when the call ends is let go', async () => {
    const server = startServer({ statuses: ['hangs'] });
    const session = await open(server);
    pushFrames(session, soundOf('Aspirin'));
    const rest = session.finish();
    session.close();
    expect((await rest).text).toBe('');
    expect(server.clock.armed).toBe(0);
  });
});

describe('what Whisper tells', () => {
  it.each([
    [{ text: 'Thank you.', segments: [{ avg_logprob: -0.3, no_speech_prob: 0.9 }] }, '', 0],
    [{ text: ' Yes. ', segments: [{ avg_logprob: -0.1, no_speech_prob: 0.1 }] }, 'Yes.', Math.exp(-0.1)],
    [{ text: 'Yes.', logprobs: [{ logprob: -0.2 }, { logprob: 0 }] }, 'Yes.', Math.exp(-0.1)],
    [{ text: 'Yes.' }, 'Yes.', 0.8],
    [{}, '', 0],
  ])('%j is heard as "%s"', (answer, text, confidence) => {
    const heard = readTranscription(answer);
    expect(heard.text).toBe(text);
    expect(heard.confidence).toBeCloseTo(confidence);
  });
});
