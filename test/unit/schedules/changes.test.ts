import { beforeEach, describe, expect, it } from 'vitest';
import { ScheduleRig } from '#test/support/schedule-rig.js';

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

describe('a one-time schedule that is over', () => {
  it.each([
    ['as it was written', { scheduled_time: '2026-11-21 10:00:00' }],
    ['written otherwise', { scheduled_time: '2026-11-21T11:00:00+01:00' }],
    ['with its zone', { scheduled_time: '2026-11-21 10:00:00', timezone: 'UTC' }],
  ])('calls nobody again by the time that it had, %s', async (_, update) => {
    const { id } = await rig.once('2026-11-21 10:00:00');
    rig.at('10:00:00');
    await rig.runDue();
    await rig.end((await rig.live(id))!.call_id!, 'customer_hangup', { answered: true });
    rig.at('10:03:00');
    await rig.update(id, { name: 'Done', ...update });
    await rig.runDue();
    expect(await rig.statuses(id)).toEqual(['completed']);
    expect(await rig.schedule(id)).toMatchObject({ name: 'Done', status: 'completed', next_run_at: null });
    await rig.update(id, { scheduled_time: '2026-11-21 10:04:00' });
    expect(await rig.statuses(id)).toEqual(['completed', 'pending']);
  });

  it('may have calling hours that are closed now', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00');
    rig.at('10:00:00');
    await rig.runDue();
    await rig.end((await rig.live(id))!.call_id!, 'customer_hangup', { answered: true });
    const call_window = { start: '09:00', end: '17:00', days: ['MON'], timezone: 'UTC' };
    await rig.update(id, { call_window });
    expect(await rig.schedule(id)).toMatchObject({ status: 'completed', call_window: { days: 1 } });
    await expect(rig.update(id, { scheduled_time: '2026-11-21 11:00:00' })).rejects.toMatchObject({
      code: 'validation_error',
      details: [{ field: 'call_window' }],
    });
  });
});
