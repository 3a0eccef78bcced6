import { beforeEach, describe, expect, it } from 'vitest';
import { scheduleHandleTransactions } from '#schedules/schedule-handle-store.js';
import { LENIENT_RULES } from '#test/support/lenient-rules.js';
import { PRINCIPAL } from '#test/support/principal.js';
import { ScheduleRig } from '#test/support/schedule-rig.js';

/** Begins at 2026-11-21T00:00:00Z. */
let rig: ScheduleRig;
beforeEach(async () => {
  rig = await ScheduleRig.open();
});

/** A due run is dialled and its call has ended; the end is not settled yet. */
async function ended(id: string): Promise<string> {
  await rig.runDue();
  await rig.dialAll();
  const callId = (await rig.live(id))!.call_id!;
  await rig.end(callId, 'busy', { unheard: true });
  return callId;
}

describe('a schedule whose ended call is not settled yet', () => {
  it('can be triggered as soon as the call has ended', async () => {
    const { id } = await rig.recurring('0 * * * *');
    rig.at('01:00:00');
    await ended(id);
    await rig.schedules.trigger(PRINCIPAL, id, null);
    expect(await rig.statuses(id)).toEqual(['failed', 'in_progress', 'pending']);
  });

  it('accepts a new time as soon as the call has ended', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00');
    rig.at('10:00:00');
    await ended(id);
    await rig.update(id, { scheduled_time: '2026-11-21T12:00:00Z' });
    expect(await rig.schedule(id)).toMatchObject({ status: 'scheduled' });
    expect(await rig.statuses(id)).toEqual(['failed', 'pending']);
  });

  it('can be closed by its handle as soon as the call has ended', async () => {
    const { id } = await rig.recurring('0 * * * *');
    rig.at('01:00:00');
    const callId = await ended(id);
    const { workspace } = PRINCIPAL;
    const target = { webhookId: 'wh_1', secret: 'whsec_1' };
    const context = {
      at: rig.clock.wallMs(),
      timeZoneVersion: '2025c',
      horizonDays: 3_653,
      rules: LENIENT_RULES,
      target,
    };
    const ends = [{ callId, details: rig.txContexts.finish(callId, 'cancelled') }];
    const wish = { workspace, id, update: {}, word: 'completed' as const, context, ends };
    expect(await rig.store.write(scheduleHandleTransactions.change, wish)).toMatchObject({ liveCallIds: [] });
    expect(await rig.statuses(id)).toEqual(['failed', 'cancelled']);
  });

  it('skips no run for a call that is over', async () => {
    const { id } = await rig.recurring('0 * * * *');
    rig.at('01:00:00');
    await ended(id);
    rig.at('02:00:00');
    await rig.runDue();
    expect(await rig.statuses(id)).toEqual(['failed', 'in_progress', 'pending']);
  });
});
