import { describe, expect, it } from 'vitest';
import { Handover } from '#calls/live/sessions/handover.js';
import { FakeClock } from '#test/support/fake-clock.js';

const COLLEAGUE = '+14155550166';

describe('a line that is handed over', () => {
  it('is with the colleague when the carrier says so', async () => {
    const handover = new Handover(new FakeClock());
    const asked = handover.track(COLLEAGUE, Promise.resolve('done'));
    expect(handover.pending).not.toBeNull();
    expect(await asked).toBe(true);
    expect(handover).toMatchObject({ pending: null, to: COLLEAGUE });
  });

  it('stays ours when the carrier has refused, whatever becomes of its sound', async () => {
    const handover = new Handover(new FakeClock());
    expect(await handover.track(COLLEAGUE, Promise.resolve('not_done'))).toBe(false);
    handover.streamClosed();
    expect(handover.to).toBeNull();
  });

  it.each([
    [14_900, COLLEAGUE],
    [15_000, null],
  ])('after a lost answer, is whose the sound says %i ms later', async (delayMs, to) => {
    const clock = new FakeClock();
    const handover = new Handover(clock);
    expect(await handover.track(COLLEAGUE, Promise.resolve('unknown'))).toBe(false);
    expect(handover.to).toBeNull();
    await clock.advance(delayMs);
    handover.streamClosed();
    expect(handover.to).toBe(to);
  });
});
