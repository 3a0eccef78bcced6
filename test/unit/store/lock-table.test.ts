import { describe, expect, it } from 'vitest';
import { LockCycle, LockTable } from '#store/postgres/lock-table.js';

/** Takes locks for named holders, and notes in which order they got them. */
function openTable() {
  const table = new LockTable<{ name: string }>();
  const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
  const taken: string[] = [];
  const take = async (holder: { name: string }, lock: string) => {
    await table.take(holder, lock);
    taken.push(`${holder.name} ${lock}`);
  };
  return { table, a, b, c, taken, take };
}

describe('locks between transactions of one commit', () => {
  it('are taken by one holder at a time, in the order of asking', async () => {
    const { table, a, b, c, taken, take } = openTable();
    await take(a, 'x');
    const waiting = [take(b, 'x'), take(c, 'x')];
    await take(c, 'y').catch(() => {});
    expect(taken).toEqual(['a x', 'c y']);
    table.release(a);
    await waiting[0];
    expect(taken.at(-1)).toBe('b x');
    table.release(b);
    await waiting[1];
    expect(taken.at(-1)).toBe('c x');
  });

  it('are taken again by their holder at once', async () => {
    const { a, take, taken } = openTable();
    await take(a, 'x');
    await take(a, 'x');
    expect(taken).toEqual(['a x', 'a x']);
  });

  it('are refused to a holder that would wait for itself', async () => {
    const { table, a, b, c, taken, take } = openTable();
    await take(a, 'x');
    await take(b, 'y');
    await take(c, 'z');
    const first = take(a, 'y');
    const second = take(b, 'z');
    await expect(take(c, 'x')).rejects.toThrow(LockCycle);
    table.release(c);
    await second;
    table.release(b);
    await first;
    expect(taken.slice(3)).toEqual(['b z', 'a y']);
  });
});
