import { describe, expect, it } from 'vitest';
import { Outage } from '#store/postgres/outage.js';
import { FakeClock } from '#test/support/fake-clock.js';

function rig() {
  const clock = new FakeClock();
  const told: string[] = [];
  const outage = new Outage(clock, (message, reason) => told.push(`${message}: ${reason}`));
  return { clock, told, outage };
}

describe('a database that is away', () => {
  it('is reported once with the reason, and once when it is back', async () => {
    const { clock, told, outage } = rig();
    outage.noteSuccess();
    for (let second = 0; second < 30; second += 1) {
      outage.noteFailure(new Error('the database system is starting up'));
      await clock.advance(1_000);
    }
    outage.noteSuccess();
    outage.noteSuccess();
    expect(told).toEqual([
      'database cannot be used: the database system is starting up',
      'database can be used again: after 30 s',
    ]);
  });

  it('is reported every ten seconds at most when it comes and goes', async () => {
    const { clock, told, outage } = rig();
    for (let times = 0; times < 200; times += 1) {
      outage.noteFailure(new Error('sorry, too many clients already'));
      await clock.advance(50);
      outage.noteSuccess();
      await clock.advance(50);
    }
    expect(told).toHaveLength(4);
  });

  it('is reported with the error of the first of several addresses', () => {
    const { told, outage } = rig();
    outage.noteFailure(
      new AggregateError([new Error('connect ECONNREFUSED ::1:5432'), new Error('the other')]),
    );
    expect(told).toEqual(['database cannot be used: connect ECONNREFUSED ::1:5432']);
  });
});
