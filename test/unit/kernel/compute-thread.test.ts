import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { ComputeThread } from '#kernel/system/compute-thread.js';
import { createMemoryLog } from '#test/support/memory-log.js';

interface Asked {
  number: number;
  question: string;
}

/** A thread that answers when it is told to. */
class FeignedThread extends EventEmitter {
  readonly asked: Asked[] = [];
  keepsProcessAlive = true;
  postMessage(message: Asked) {
    this.asked.push(message);
  }
  ref() {
    this.keepsProcessAlive = true;
  }
  unref() {
    this.keepsProcessAlive = false;
  }
  async terminate() {
    this.emit('exit', 1);
  }
}

function open() {
  const threads: FeignedThread[] = [];
  const start = () => {
    threads.push(new FeignedThread());
    return threads.at(-1) as unknown as Worker;
  };
  const { log, lines } = createMemoryLog();
  const asked = new ComputeThread<string>({ name: 'riddles', path: 'riddles.js' }, { log, start });
  return { asked, threads, lines };
}

describe('a compute thread', () => {
  it('answers each request, in any order of answers', async () => {
    const { asked, threads } = open();
    const answers = [asked.ask<string>('one'), asked.ask<string>('two')];
    const [thread] = threads;
    for (const { number, question } of thread!.asked.toReversed())
      thread!.emit('message', { number, answer: `${question}!` });

    expect(await Promise.all(answers)).toEqual(['one!', 'two!']);
    expect(threads).toHaveLength(1);
  });

  it('keeps the process alive while a request is pending, and no longer', async () => {
    const { asked, threads } = open();
    const first = asked.ask('one');
    const [thread] = threads;
    expect(thread!.keepsProcessAlive).toBe(true);
    thread!.emit('message', { number: thread!.asked[0]!.number, answer: 1 });
    await first;
    expect(thread!.keepsProcessAlive).toBe(false);
    const second = asked.ask('two');
    expect(thread!.keepsProcessAlive).toBe(true);
    thread!.emit('message', { number: thread!.asked[1]!.number, failure: 'TypeError' });
    await expect(second).rejects.toThrow('the riddles failed: TypeError');
    expect(thread!.keepsProcessAlive).toBe(false);
  });

  it('rejects pending requests when it dies, and is started again', async () => {
    const { asked, threads, lines } = open();
    const owed = asked.ask('one');
    threads[0]!.emit('error', new Error('out of memory'));
    threads[0]!.emit('exit', 1);

    await expect(owed).rejects.toThrow('the thread of the riddles died');
    expect(lines.filter(({ msg }) => msg === 'thread died')).toMatchObject([{ thread: 'riddles', owed: 1 }]);
    const next = asked.ask('two');
    threads[1]!.emit('message', { number: threads[1]!.asked[0]!.number, answer: 2 });
    expect(await next).toBe(2);
  });

  it('refuses requests after it was closed', async () => {
    const { asked, threads, lines } = open();
    const owed = asked.ask('one');
    const closing = asked.close();

    await expect(owed).rejects.toThrow('the thread of the riddles is closed');
    await closing;
    await expect(asked.ask('two')).rejects.toThrow('is closed');
    expect(threads).toHaveLength(1);
    expect(lines).toEqual([]);
  });
});
