import { describe, expect, it } from 'vitest';
import { Problem } from '#kernel/errors/errors.js';
import { Loop, type Work } from '#kernel/work/loop.js';
import { FakeClock, settle } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';

/** Work that waits until tests let it go on. */
class ScriptedWork implements Work<string> {
  readonly name = 'scripted';
  concurrency = 2;
  readonly waiting: string[] = [];
  readonly claims: number[] = [];
  readonly begun: string[] = [];
  readonly #release = new Map<string, (error?: Error) => void>();
  due: number | null = null;
  failClaims = 0;
  asked = 0;
  /** Happens in the middle of the next claim, or of the next look at what is due. */
  inClaim: () => void = () => {};
  inLook: () => void = () => {};

  async claim(limit: number): Promise<string[]> {
    this.claims.push(limit);
    this.inClaim();
    this.inClaim = () => {};
    if (this.failClaims-- > 0) throw new Error('no database');
    return this.waiting.splice(0, limit);
  }

  perform(item: string): Promise<void> {
    this.begun.push(item);
    return new Promise((resolve, reject) => {
      this.#release.set(item, (error) => (error ? reject(error) : resolve()));
    });
  }

  finish(item: string, error?: Error): void {
    this.#release.get(item)!(error);
  }

  async nextDueAt(): Promise<number | null> {
    this.asked += 1;
    this.inLook();
    this.inLook = () => {};
    return this.due;
  }
}

function rig() {
  const clock = new FakeClock();
  const work = new ScriptedWork();
  const { log, lines } = createMemoryLog();
  return { clock, work, lines, loop: new Loop(work, { clock, log }) };
}

describe('the loop', () => {
  it('claims up to its concurrency, and more when an item is done', async () => {
    const { work, loop } = rig();
    work.waiting.push('a', 'b', 'c');
    loop.start();
    await settle();
    expect(work.begun).toEqual(['a', 'b']);
    work.finish('a');
    await settle();
    await settle();
    expect(work.begun).toEqual(['a', 'b', 'c']);
    for (const item of ['b', 'c']) work.finish(item);
    await loop.stop();
  });

  it('claims many items at once while more are due than it has places', async () => {
    const { work, loop } = rig();
    work.concurrency = 8;
    work.waiting.push(...'abcdefghijklm');
    loop.start();
    await settle();
    work.finish('a');
    loop.wake();
    await settle();
    expect(work.claims).toEqual([8]);
    work.finish('b');
    await settle();
    expect(work.claims).toEqual([8, 2]);
    for (const item of 'cdefgh') work.finish(item);
    await settle();
    expect(work.claims).toEqual([8, 2, 6]);
    for (const item of 'ijklm') work.finish(item);
    await loop.stop();
  });

  it('claims one item where no further one is done for a while', async () => {
    const { clock, work, loop } = rig();
    work.concurrency = 8;
    work.waiting.push(...'abcdefghi');
    loop.start();
    await settle();
    await clock.advance(20);
    expect(work.claims).toEqual([8]);
    work.finish('a');
    await settle();
    expect(work.begun.at(-1)).toBe('i');
    for (const item of 'bcdefghi') work.finish(item);
    await loop.stop();
    expect(clock.armed).toBe(0);
  });

  it('sleeps until something is due, but never longer than a second', async () => {
    const { clock, work, loop } = rig();
    work.due = clock.wallMs() + 300;
    loop.start();
    await settle();
    expect(work.claims).toHaveLength(1);
    await clock.advance(299);
    expect(work.claims).toHaveLength(1);
    await clock.advance(1);
    expect(work.claims).toHaveLength(2);
    work.due = clock.wallMs() + 3_600_000;
    await clock.advance(20);
    const before = work.claims.length;
    await clock.advance(1_000);
    expect(work.claims.length).toBe(before + 1);
    await loop.stop();
  });

  it('wakes at once when woken', async () => {
    const { work, loop } = rig();
    loop.start();
    await settle();
    work.waiting.push('a');
    loop.wake();
    await settle();
    expect(work.begun).toEqual(['a']);
    work.finish('a');
    await loop.stop();
  });

  it.each(['inClaim', 'inLook'] as const)('claims once more at once when woken %s', async (when) => {
    const { work, loop } = rig();
    work[when] = () => loop.wake();
    loop.start();
    await settle();
    expect(work.claims).toHaveLength(2);
    // When to wake is asked in vain where the next claim follows at once.
    expect(work.asked).toBe(when === 'inClaim' ? 1 : 2);
    await loop.stop();
  });

  it('is not woken by a wake for an instant after its sleep, and then finds the item', async () => {
    const { clock, work, loop } = rig();
    loop.start();
    await settle();
    work.due = clock.wallMs() + 1_500;
    loop.wake(work.due);
    await settle();
    expect(work.claims).toHaveLength(1);
    loop.wake(clock.wallMs() + 1_000);
    await settle();
    expect(work.claims).toHaveLength(2);
    await clock.advance(1_000);
    const before = work.claims.length;
    work.waiting.push('a');
    await clock.advance(500);
    expect(work.claims).toHaveLength(before + 1);
    expect(work.begun).toEqual(['a']);
    work.finish('a');
    await loop.stop();
  });

  it('continues after a failed claim, and after a failed item', async () => {
    const { clock, work, loop, lines } = rig();
    work.failClaims = 1;
    work.waiting.push('a');
    loop.start();
    await settle();
    expect(work.begun).toEqual([]);
    await clock.advance(1_000);
    expect(work.begun).toEqual(['a']);
    work.finish('a', new Error('broken'));
    await settle();
    work.waiting.push('b');
    loop.wake();
    await settle();
    expect(work.begun).toEqual(['a', 'b']);
    expect(lines.map((line) => line['msg'])).toEqual([
      'loop turn failed',
      'loop turns again',
      'piece of work failed',
    ]);
    work.finish('b');
    await loop.stop();
  });

  it('logs a lasting failure once a minute, and its end', async () => {
    const { clock, work, loop, lines } = rig();
    work.failClaims = 150;
    loop.start();
    for (let second = 0; second < 160; second += 1) await clock.advance(1_000);
    expect(lines.map(({ msg, failures }) => [msg, failures])).toEqual([
      ['loop turn failed', 1],
      ['loop turn failed', 61],
      ['loop turn failed', 121],
      ['loop turns again', 150],
    ]);
    await loop.stop();
  });

  it('logs once that items fail while the database is away', async () => {
    const { work, loop, lines } = rig();
    work.concurrency = 3;
    const pieces = ['a', 'b', 'c'];
    work.waiting.push(...pieces);
    loop.start();
    await settle();
    for (const piece of pieces) work.finish(piece, new Problem('unavailable', 'The database is away.'));
    await settle();
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    await loop.stop();
  });

  it('is idempotent to start and stop; stopping waits for running items and leaves no timer', async () => {
    const { clock, work, loop } = rig();
    await loop.stop();
    work.waiting.push('a');
    loop.start();
    loop.start();
    await settle();
    expect(work.begun).toEqual(['a']);
    let isStopped = false;
    const stopping = loop.stop().then(() => (isStopped = true));
    await settle();
    expect(isStopped).toBe(false);
    work.finish('a');
    await stopping;
    await loop.stop();
    expect(clock.armed).toBe(0);
    loop.start();
    await settle();
    expect(work.claims.length).toBeGreaterThan(1);
    await loop.stop();
  });
});
