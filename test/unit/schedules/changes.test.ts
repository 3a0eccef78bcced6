import { beforeEach, describe, expect, it } from 'vitest';
import { ScheduleRig } from '../../support/schedule-rig.js';

/** Begins at 2026-11-21T00:00:00Z. */
let rig: ScheduleRig;
beforeEach(async () => {
  rig = await ScheduleRig.open();
});

describe('a recurring schedule that is changed while its run is due', () => {
  it.each([
    ['it gets another end', { max_occurrences: 5 }],
    [
      'it is told what it said before',
      { cron_expression: '0 10 * * *', timezone: 'UTC', max_occurrences: 5 },
    ],
  ])('calls all the same, once: %s', async (_, update) => {
    const { id } = await rig.recurring('0 10 * * *');
    rig.at('10:00:00.400');
    await rig.update(id, update);
    await rig.runDue();
    await rig.update(id, update);
    await rig.runDue();
    expect(await rig.statuses(id)).toEqual(['in_progress', 'pending']);
    expect(await rig.schedule(id)).toMatchObject({
      occurrences: 1,
      next_run_at: Date.parse('2026-11-22T10:00Z'),
    });
  });

  it('goes by its new times, and is over at once where nothing is left of it', async () => {
    const { id } = await rig.recurring('0 10 * * *');
    rig.at('10:00:00.400');
    await rig.update(id, { timezone: 'America/New_York' });
    await rig.runDue();
    expect(await rig.schedule(id)).toMatchObject({ next_run_at: Date.parse('2026-11-21T15:00Z') });
    rig.at('15:00:00');
    await rig.runDue();
    await rig.end((await rig.live(id))!.call_id!, 'customer_hangup', { answered: true });
    await rig.update(id, { max_occurrences: 1 });
    expect(await rig.schedule(id)).toMatchObject({ status: 'completed', next_run_at: null });
  });
});
