import { describe, expect, it } from 'vitest';
import { Coalescer } from '#kernel/work/coalescer.js';

/** Work that is done when it is told, and what it was given. */
function workshop() {
  const turns: { items: readonly number[]; finish(): void; fail(error: Error): void }[] = [];
  const work = (items: readonly number[]) =>
    new Promise<readonly string[]>((resolve, reject) => {
      turns.push({ items, finish: () => resolve(items.map((item) => `did ${item}`)), fail: reject });
    });
  /** The turn under way, once it has begun. */
  const turn = async (index: number) => {
    await expect.poll(() => turns.length, { interval: 1 }).toBe(index + 1);
    return turns[index]!;
  };
  return { work, turn };
}

describe('a coalescer', () => {
  it('begins at once, and batches the items that arrive meanwhile', async () => {
    const { work, turn } = workshop();
    const coalescer = new Coalescer(work, 10);
    const first = coalescer.run(1);
    const one = await turn(0);
    expect(one.items).toEqual([1]);
    const later = [coalescer.run(2), coalescer.run(3)];
    one.finish();
    expect(await first).toBe('did 1');
    const two = await turn(1);
    expect(two.items).toEqual([2, 3]);
    two.finish();
    expect(await Promise.all(later)).toEqual(['did 2', 'did 3']);
    const last = coalescer.run(4);
    (await turn(2)).finish();
    expect(await last).toBe('did 4');
  });

  it('bounds its batches', async () => {
    const { work, turn } = workshop();
    const coalescer = new Coalescer(work, 2);
    const all = Promise.all([1, 2, 3].map((item) => coalescer.run(item)));
    const one = await turn(0);
    expect(one.items).toEqual([1, 2]);
    one.finish();
    const two = await turn(1);
    expect(two.items).toEqual([3]);
    two.finish();
    expect(await all).toEqual(['did 1', 'did 2', 'did 3']);
  });

  it('tries items one by one when a batch fails, so that only the bad one fails', async () => {
    const refused = new Error('not three');
    const coalescer = new Coalescer(async (items: readonly number[]) => {
      if (items.includes(3)) throw refused;
      return items;
    }, 10);
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map((item) => coalescer.run(item)));
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: refused },
      { status: 'fulfilled', value: 4 },
    ]);
    expect(await coalescer.run(5)).toBe(5);
  });
});
