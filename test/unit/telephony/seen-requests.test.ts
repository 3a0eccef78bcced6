import { describe, expect, it } from 'vitest';
import { SeenRequests } from '#telephony/wire/seen-requests.js';
import { FakeClock } from '#test/support/fake-clock.js';

function rig(limits: { keepMs?: number; capacity?: number } = {}) {
  const clock = new FakeClock();
  const seen = new SeenRequests<string>({ clock, ...limits });
  let asked = 0;
  const ask = (key: string | null) => seen.once(key, () => Promise.resolve(`answer ${++asked}`));
  return { clock, seen, ask };
}

describe('requests that were seen', () => {
  it('get the answer that was given', async () => {
    const { ask } = rig();
    expect(await ask('a')).toBe('answer 1');
    expect(await ask('b')).toBe('answer 2');
    expect(await ask('a')).toBe('answer 1');
  });

  it('share an answer that is still in the making', async () => {
    const { seen, ask } = rig();
    let finish: (answer: string) => void = () => undefined;
    const first = seen.once('a', () => new Promise((resolve) => (finish = resolve)));
    const copy = ask('a');
    finish('late');
    expect(await Promise.all([first, copy])).toEqual(['late', 'late']);
  });

  it('are each answered where nothing tells copies', async () => {
    const { ask } = rig();
    expect([await ask(null), await ask(null)]).toEqual(['answer 1', 'answer 2']);
  });

  it('may be tried again after a failure', async () => {
    const { seen, ask } = rig();
    await expect(seen.once('a', () => Promise.reject(new Error('no store')))).rejects.toThrow('no store');
    expect(await ask('a')).toBe('answer 1');
    expect(await ask('a')).toBe('answer 1');
  });

  it('are forgotten when their time is over, and not before', async () => {
    const { clock, ask } = rig({ keepMs: 1000 });
    await ask('a');
    await clock.advance(600);
    expect(await ask('a')).toBe('answer 1');
    await clock.advance(400);
    expect(await ask('a')).toBe('answer 1');
    await clock.advance(1);
    expect(await ask('a')).toBe('answer 2');
  });

  it('do not take the answer of a later copy with them when they fail late', async () => {
    const { clock, seen, ask } = rig({ keepMs: 1000 });
    let fail: (error: Error) => void = () => undefined;
    const first = seen.once('a', () => new Promise((_resolve, reject) => (fail = reject)));
    await clock.advance(1001);
    expect(await ask('a')).toBe('answer 1');
    fail(new Error('no store'));
    await expect(first).rejects.toThrow('no store');
    expect(await ask('a')).toBe('answer 1');
  });

  it('are no more than fit: the oldest go first, even when it was asked for again', async () => {
    const { ask } = rig({ capacity: 3 });
    for (const key of ['a', 'b', 'c', 'a', 'd']) await ask(key);
    const again = [await ask('b'), await ask('c'), await ask('d'), await ask('a')];
    expect(again).toEqual(['answer 2', 'answer 3', 'answer 4', 'answer 5']);
  });

  it('do not mind a wall clock that jumps', async () => {
    const { clock, ask } = rig({ keepMs: 1000 });
    await ask('a');
    clock.setWall(0);
    expect(await ask('a')).toBe('answer 1');
  });
});
