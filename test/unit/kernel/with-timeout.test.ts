import { describe, expect, it } from 'vitest';
import { withTimeout } from '#kernel/time/with-timeout.js';
import { FakeClock } from '#test/support/fake-clock.js';

describe('withTimeout', () => {
  it('resolves with the result of the work, and leaves no timer', async () => {
    const clock = new FakeClock();
    expect(await withTimeout(Promise.resolve('done'), { clock, limitMs: 100, onTimeout: () => 'late' })).toBe(
      'done',
    );
    expect(clock.armed).toBe(0);
  });

  it('rejects with the error of the work, and leaves no timer', async () => {
    const clock = new FakeClock();
    const work = Promise.reject(new Error('broken'));
    await expect(withTimeout(work, { clock, limitMs: 100, onTimeout: () => 'late' })).rejects.toThrow(
      'broken',
    );
    expect(clock.armed).toBe(0);
  });

  it('resolves with the result of `onTimeout` after the limit, and not before', async () => {
    const clock = new FakeClock();
    const outcomes: string[] = [];
    const never = new Promise<string>(() => {});
    void withTimeout(never, { clock, limitMs: 100, onTimeout: () => 'late' }).then((outcome) =>
      outcomes.push(outcome),
    );
    await clock.advance(99);
    expect(outcomes).toEqual([]);
    await clock.advance(1);
    expect(outcomes).toEqual(['late']);
  });

  it('rejects with the error of `onTimeout`, and ignores a later one of the work', async () => {
    const clock = new FakeClock();
    let fail = (_error: Error) => {};
    const work = new Promise<string>((_resolve, reject) => (fail = reject));
    const onTimeout = () => {
      throw new Error('too late');
    };
    const outcome = withTimeout(work, { clock, limitMs: 100, onTimeout }).catch(
      (error: Error) => error.message,
    );
    await clock.advance(100);
    expect(await outcome).toBe('too late');
    fail(new Error('nobody listens any more'));
  });

  it('does not call `onTimeout` when the work was quicker', async () => {
    const clock = new FakeClock();
    let asked = 0;
    await withTimeout(Promise.resolve(), { clock, limitMs: 100, onTimeout: () => (asked += 1) });
    await clock.advance(200);
    expect(asked).toBe(0);
  });
});
