import { describe, expect, it } from 'vitest';
import { FailureLog } from '#kernel/log/failure-log.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';

describe('a failure that comes and goes', () => {
  it('is logged once a minute at most, and its recovery once', async () => {
    const clock = new FakeClock();
    const { log, lines } = createMemoryLog();
    const failures = new FailureLog({ failed: 'it failed', recovered: 'it works again' }, { clock, log });
    for (let second = 0; second < 90; second += 1) {
      failures.failed(new Error('no database'));
      await clock.advance(500);
      failures.succeeded();
      await clock.advance(500);
    }
    expect(lines.map(({ msg, failures: count }) => [msg, count])).toEqual([
      ['it failed', 1],
      ['it works again', 1],
      ['it failed', 60],
      ['it works again', 60],
    ]);
  });
});
