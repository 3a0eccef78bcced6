import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { BatchRig } from '#test/support/batch-rig.js';

const QUARTER_MS = 15 * 60_000;

describe('a window without a zone', () => {
  it('calls everybody at nine, their time, whatever zone the time of the batch was given in', async () => {
    const rig = await BatchRig.open();
    const ZONES = {
      '+12125550100': 'America/New_York',
      '+13105550100': 'America/Los_Angeles',
      '+442079460000': 'Europe/London',
      '+4930123456': 'Europe/Berlin',
      '+918041234567': 'Asia/Kolkata',
      '+61291234567': 'Australia/Sydney',
    };
    const { id } = await rig.make(Object.keys(ZONES), {
      max_concurrency: 1,
      timezone: 'America/New_York',
      call_window: { start: '09:00', end: '09:30' },
    });
    const called: string[] = [];
    for (let waitedMs = 0; waitedMs < 24 * 4 * QUARTER_MS; waitedMs += QUARTER_MS) {
      await rig.feed();
      for (const { to } of await rig.callAll('customer_hangup')) {
        const zone = ZONES[to as keyof typeof ZONES];
        called.push(`${zone} ${DateTime.fromMillis(rig.clock.wallMs(), { zone }).toFormat('HH:mm')}`);
      }
      await rig.clock.advance(QUARTER_MS);
    }
    expect(called.toSorted()).toEqual(
      Object.values(ZONES)
        .map((zone) => `${zone} 09:00`)
        .toSorted(),
    );
    expect(await rig.read(id)).toMatchObject({ status: 'completed', successfully_called: 6 });
  });
});
