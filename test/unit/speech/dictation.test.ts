import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { Transcript, SttSession } from '#speech/stt.js';
import { createPocketsphinxStt } from '#providers/builtin/pocketsphinx/pocketsphinx-stt.js';
import type { Duty, FromThread, ToThread } from '#providers/builtin/threads/protocol.js';
import { createSpeechPool } from '#providers/builtin/threads/speech-pool.js';
import { FakeClock, settle } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';

const BY_PHRASES: Transcript = { text: 'tomorrow', confidence: 0.5 };
const TAKEN_DOWN: Transcript = { text: 'can you come tomorrow', confidence: 0.5 };
const FRAME = new Int16Array(160);
const FRAMES_A_SECOND = 50;

/** A thread that says what it is told to say, when it is told to. */
class PlayedThread extends EventEmitter {
  readonly duty: Duty;
  readonly got: ToThread[] = [];
  #owed: number[] = [];
  isSlow = false;

  constructor(duty: Duty) {
    super();
    this.duty = duty;
  }

  postMessage(message: ToThread): void {
    this.got.push(message);
    if (message.kind === 'warm_up') this.#answer(message.request, null);
    if (message.kind !== 'finish') return;
    this.#owed.push(message.request);
    if (!this.isSlow) this.answer();
  }

  answer(): void {
    const heard = this.duty === 'dictation' ? TAKEN_DOWN : BY_PHRASES;
    for (const request of this.#owed.splice(0)) this.#answer(request, heard);
  }

  async terminate(): Promise<number> {
    return 0;
  }

  #answer(request: number, answer: Transcript | null): void {
    queueMicrotask(() => this.emit('message', { kind: 'done', request, answer } satisfies FromThread));
  }
}

function played(dictations: number) {
  const threads: PlayedThread[] = [];
  const clock = new FakeClock();
  const pool = createSpeechPool({
    threads: 1,
    dictations,
    log: createMemoryLog().log,
    startThread: (_path, { workerData }) => {
      const thread = new PlayedThread((workerData as { duty: Duty }).duty);
      threads.push(thread);
      return thread as unknown as Worker;
    },
  });
  const hearing = createPocketsphinxStt({ pool, clock });
  const call = async (kind: 'anything' | 'date' = 'anything') => {
    const stream = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
    stream.expect({ kind });
    await settle();
    return stream;
  };
  return { clock, call, dictating: () => threads.filter(({ duty }) => duty === 'dictation') };
}

function speak(stream: SttSession, seconds = 1): void {
  for (let frame = 0; frame < seconds * FRAMES_A_SECOND; frame += 1) stream.push(FRAME);
}

describe('a free answer', () => {
  it('is taken down where anything may be said, and nowhere else', async () => {
    const { call, dictating } = played(1);
    const dated = await call('date');
    speak(dated);
    expect(await dated.finish()).toEqual(BY_PHRASES);
    expect(dictating()).toEqual([]);
    const open = await call();
    speak(open);
    expect(await open.finish()).toEqual(TAKEN_DOWN);
  });

  it('is heard by phrases when dictation is switched off', async () => {
    const { call, dictating } = played(0);
    const stream = await call();
    speak(stream);
    expect(await stream.finish()).toEqual(BY_PHRASES);
    expect(dictating()).toEqual([]);
  });

  it('never has more threads than there may be, however many talk', async () => {
    const { call, dictating } = played(2);
    const streams = await Promise.all(Array.from({ length: 20 }, () => call()));
    for (const round of [1, 2]) {
      for (const stream of streams) speak(stream, 0.1 * round);
      await settle();
    }
    for (const stream of streams) speak(stream, 2);
    const heard = await Promise.all(streams.map((stream) => stream.finish()));
    expect(heard.filter(({ text }) => text === TAKEN_DOWN.text).length).toBe(2);
    expect(dictating().length).toBe(2);
  });

  it('is taken down whole when a thread becomes free a little later, and not at all when much later', async () => {
    const { call, dictating } = played(1);
    const [first, second, third] = [await call(), await call(), await call()];
    speak(first, 0.1);
    speak(second, 0.5);
    speak(third, 1.5);
    await first.finish();
    speak(second, 0.5);
    const sound = dictating()[0]!.got.filter((message) => message.kind === 'push');
    await second.finish();
    const samples = sound.reduce((sum, message) => sum + message.samples.length, 0);
    expect(samples).toBeGreaterThan(FRAMES_A_SECOND * FRAME.length);
    speak(third, 0.5);
    expect(await third.finish()).toEqual(BY_PHRASES);
  });

  it('is not waited for longer than a second, nor is the thread handed on before it is done', async () => {
    const { call, clock, dictating } = played(1);
    const [stream, other] = [await call(), await call()];
    dictating()[0]!.isSlow = true;
    speak(stream);
    const heard = stream.finish();
    await clock.advance(1_000);
    expect(await heard).toEqual(BY_PHRASES);
    speak(other, 0.5);
    dictating()[0]!.isSlow = false;
    dictating()[0]!.answer();
    await settle();
    speak(other, 0.5);
    expect(await other.finish()).toEqual(TAKEN_DOWN);
    expect(clock.armed).toBe(0);
  });

  it('is heard by phrases when the thread dies that took it down; another one takes over', async () => {
    const { call, dictating } = played(1);
    const stream = await call();
    speak(stream);
    dictating()[0]!.emit('exit', 1);
    expect(await stream.finish()).toEqual(BY_PHRASES);
    speak(stream, 0.5);
    await settle();
    speak(stream, 0.5);
    expect(await stream.finish()).toEqual(TAKEN_DOWN);
    expect(dictating().length).toBe(2);
  });

  it('frees its thread when it was no speech, and when the call is over', async () => {
    const { call } = played(1);
    const [stream, other] = [await call(), await call()];
    speak(stream);
    stream.discard();
    speak(other);
    expect(await other.finish()).toEqual(TAKEN_DOWN);
    speak(stream);
    stream.close();
    speak(other);
    expect(await other.finish()).toEqual(TAKEN_DOWN);
  });
});
