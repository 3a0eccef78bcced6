import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/kernel/clock.js';
import { startThread } from '../../../src/kernel/thread.js';
import { Additions } from '../../../src/media/additions.js';
import type { Addition, Refusal } from '../../../src/media/disk-thread.js';
import { FakeClock, settle } from '../../support/fake-clock.js';

/** A thread that notes what it is sent, and answers when it is told to. */
class FakeThread extends EventEmitter {
  readonly messages: (readonly Addition[])[] = [];
  keepsAlive = true;

  postMessage(additions: readonly Addition[]): void {
    this.messages.push(additions);
  }

  ref(): void {
    this.keepsAlive = true;
  }

  unref(): void {
    this.keepsAlive = false;
  }

  answer(refusals: readonly Refusal[]): void {
    this.emit('message', refusals);
  }
}

function open() {
  const clock = new FakeClock();
  const threads: FakeThread[] = [];
  const additions = new Additions(clock, () => {
    const thread = new FakeThread();
    threads.push(thread);
    return thread as unknown as Worker;
  });
  const outcomes: string[] = [];
  return {
    clock,
    threads,
    outcomes,
    write(descriptor: number) {
      const addition = { descriptor, piece: new Uint8Array(4), sizeBytes: 4 };
      additions.write(addition).then(
        () => outcomes.push(`${descriptor} written`),
        (error: NodeJS.ErrnoException) => outcomes.push(`${descriptor} ${error.code ?? error.message}`),
      );
    },
  };
}

const descriptors = (messages: readonly (readonly Addition[])[]) =>
  messages.map((message) => message.map(({ descriptor }) => descriptor));

it('gathers what many files are to be longer by, and sends the first at once', async () => {
  const { clock, threads, write } = open();
  write(1);
  expect(threads).toEqual([]);
  await clock.advance(0);
  for (const descriptor of [2, 3, 4]) {
    await clock.advance(30);
    write(descriptor);
  }
  expect(descriptors(threads[0]!.messages)).toEqual([[1]]);
  await clock.advance(10);
  expect(descriptors(threads[0]!.messages)).toEqual([[1], [2, 3, 4]]);
  expect(clock.armed).toBe(0);
});

it('tells everybody what became of theirs, and keeps the process alive no longer than that', async () => {
  const { clock, threads, outcomes, write } = open();
  write(1);
  await clock.advance(0);
  write(2);
  write(3);
  await clock.advance(100);
  const [thread] = threads;
  thread!.answer([null]);
  await settle();
  expect(outcomes).toEqual(['1 written']);
  expect(thread!.keepsAlive).toBe(true);
  thread!.answer([{ message: 'no space', code: 'ENOSPC' }, null]);
  await settle();
  expect(outcomes.toSorted()).toEqual(['1 written', '2 ENOSPC', '3 written']);
  expect(thread!.keepsAlive).toBe(false);
});

it('rejects what a thread owed that died, and starts another', async () => {
  const { clock, threads, outcomes, write } = open();
  write(1);
  await clock.advance(0);
  threads[0]!.emit('error', new Error('out of memory'));
  threads[0]!.emit('exit', 1);
  await settle();
  expect(outcomes).toEqual(['1 the disk thread died']);
  write(2);
  await clock.advance(100);
  expect(threads).toHaveLength(2);
  threads[1]!.answer([null]);
  await settle();
  expect(outcomes).toEqual(['1 the disk thread died', '2 written']);
});

it('says why the disk refused', async () => {
  const additions = new Additions(systemClock, startThread);
  const nowhere = { descriptor: 2 ** 30, piece: new Uint8Array(new SharedArrayBuffer(4)), sizeBytes: 4 };
  await expect(additions.write(nowhere)).rejects.toMatchObject({
    code: 'EBADF',
    message: expect.stringContaining('bad file descriptor') as string,
  });
});
