import { EventEmitter, once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { FromThread, ToThread } from '#providers/builtin/threads/protocol.js';
import { SpeechWorker } from '#providers/builtin/threads/speech-worker.js';
import { createSpeechPool } from '#providers/builtin/threads/speech-pool.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';

const SPEAK = { text: 'Hello.', voice: 'rms', sampleRateHz: 8_000 } as const;

/** A thread that answers when it is told to. */
class PlayedThread extends EventEmitter {
  readonly owed: number[] = [];
  isTerminated = false;

  postMessage(message: ToThread): void {
    if (!('request' in message)) return;
    this.owed.push(message.request);
  }

  answer(): void {
    for (const request of this.owed.splice(0))
      this.emit('message', { kind: 'done', request, answer: null } satisfies FromThread);
  }

  async terminate(): Promise<number> {
    this.isTerminated = true;
    return 0;
  }
}

function played() {
  const clock = new FakeClock();
  const { log, lines } = createMemoryLog();
  const threads: PlayedThread[] = [];
  const startThread = () => {
    const thread = new PlayedThread();
    threads.push(thread);
    return thread as unknown as Worker;
  };
  return { clock, log, lines, threads, startThread };
}

function worker() {
  const parts = played();
  return { ...parts, worker: new SpeechWorker({ ...parts, duty: 'speaking', provider: 'flite' }) };
}

/** How a promise ended, once it has. */
function endOf(work: Promise<unknown>): { is: string } {
  const end = { is: 'open' };
  work.then(
    () => (end.is = 'done'),
    (error: Error) => (end.is = error.message),
  );
  return end;
}

describe('a speech thread that hangs', () => {
  it('is replaced; what it owed fails as late, and what comes next is done', async () => {
    const { worker: voice, clock, threads, lines } = worker();
    const warm = endOf(voice.request('warm_up', {}));
    threads[0]!.answer();
    await clock.advance(0);
    expect(warm.is).toBe('done');

    const late = voice.request('speak', SPEAK);
    const end = endOf(late);
    await clock.advance(19_000);
    expect([end.is, threads[0]!.isTerminated, voice.isHealthy]).toEqual(['open', false, false]);
    await clock.advance(1_000);
    expect([end.is, threads[0]!.isTerminated]).toEqual(['the speech thread hangs', true]);
    await expect(late).rejects.toMatchObject({ name: 'SpeechError', retryable: true });
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'speech thread hangs', owed: 1 }));

    const next = endOf(voice.request('speak', SPEAK));
    // What the old one says now is of no interest.
    threads[0]!.answer();
    expect([threads.length, voice.isHealthy]).toEqual([2, false]);
    threads[1]!.answer();
    await clock.advance(0);
    expect([next.is, voice.isHealthy, clock.armed]).toEqual(['done', true, 0]);
  });

  it('has more time while it loads', async () => {
    const { worker: voice, clock, threads } = worker();
    const end = endOf(voice.request('warm_up', {}));
    await clock.advance(59_000);
    expect(end.is).toBe('open');
    await clock.advance(1_000);
    expect([end.is, threads[0]!.isTerminated]).toEqual(['the speech thread hangs', true]);
  });

  it('is none that says something now and then, however much it owes', async () => {
    const { worker: voice, clock, threads } = worker();
    const end = endOf(voice.request('speak', SPEAK));
    for (let times = 0; times < 10; times += 1) {
      await clock.advance(14_000);
      threads[0]!.emit('message', { kind: 'partial', session: 7, text: 'well' } satisfies FromThread);
    }
    expect([end.is, threads[0]!.isTerminated]).toEqual(['open', false]);
  });

  it('is none that owes nothing', async () => {
    const { worker: voice, clock, threads } = worker();
    const warm = voice.request('warm_up', {});
    threads[0]!.answer();
    await warm;
    await clock.advance(600_000);
    expect([voice.isHealthy, threads.length, clock.armed]).toEqual([true, 1, 0]);
  });

  it('is ended though it computes without a pause', async () => {
    const { clock, log } = played();
    const spinning = new Worker('for (;;);', { eval: true });
    const parts = { clock, log, startThread: () => spinning };
    const worker = new SpeechWorker({ ...parts, duty: 'hearing', provider: 'pocketsphinx' });
    const end = endOf(worker.request('finish', { session: 1 }));
    const exit = once(spinning, 'exit');
    await clock.advance(60_000);
    expect(end.is).toBe('the speech thread hangs');
    await exit;
  });
});

describe('the threads of speech', () => {
  it('are well again when another one has taken the place of each that was lost', async () => {
    const { clock, log, threads, startThread } = played();
    const pool = createSpeechPool({ threads: 2, clock, log, startThread });
    const warm = pool.warmUp();
    for (const thread of threads) thread.answer();
    await warm;
    await pool.check();
    expect(threads).toHaveLength(3);

    threads[1]!.emit('exit', 1);
    const check = endOf(pool.check());
    await clock.advance(0);
    expect([check.is, threads.length]).toEqual(['open', 4]);
    threads[3]!.answer();
    await clock.advance(0);
    expect(check.is).toBe('done');
    await pool.close();
    expect(clock.armed).toBe(0);
  });
});
