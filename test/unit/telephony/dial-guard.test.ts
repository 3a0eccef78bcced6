import { expect, it } from 'vitest';
import { DialGuard } from '#telephony/wire/dial-guard.js';
import { FakeClock } from '#test/support/fake-clock.js';

it('lets a call be placed until its time is over, and not a moment longer', () => {
  const clock = new FakeClock();
  const guard = new DialGuard(clock);
  const placing = (aheadMs: number) => () =>
    guard.requireDialable({ to: '+15550100001', sendBefore: clock.wallMs() + aheadMs });
  expect(placing(1)).not.toThrow();
  expect(placing(0)).toThrow(expect.objectContaining({ outcome: 'not_dialled', reason: 'late' }));
});
