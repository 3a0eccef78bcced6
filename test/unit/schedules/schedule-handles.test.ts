import { expect, it } from 'vitest';
import { scheduleHandleTransactions } from '#schedules/schedule-handle-store.js';
import { LENIENT_RULES } from '#test/support/lenient-rules.js';
import { PRINCIPAL } from '#test/support/principal.js';
import { ScheduleRig } from '#test/support/schedule-rig.js';

it.each(['cancelled', 'completed'] as const)(
  'a run that is over stays so when a new time comes with the word %s',
  async (word) => {
    const rig = await ScheduleRig.open();
    const { id } = await rig.once('2026-11-21 01:00:00');
    rig.at('01:00:00');
    await rig.runDue();
    await rig.end((await rig.live(id))!.call_id!, 'customer_hangup', { answered: true });
    const change = rig.store.write(scheduleHandleTransactions.change, {
      workspace: PRINCIPAL.workspace,
      id,
      update: { scheduled_time: '2026-11-21 09:00:00' },
      word,
      context: {
        at: rig.clock.wallMs(),
        timeZoneVersion: '2025c',
        horizonDays: 3_653,
        rules: LENIENT_RULES,
        target: { webhookId: 'wh_1', secret: 'whsec_1' },
      },
      ends: [],
    });
    expect(await change).toMatchObject({
      schedule: { status: 'completed', next_run_at: null, scheduled_time: '2026-11-21 01:00:00' },
    });
    expect(await rig.statuses(id)).toEqual(['completed']);
  },
);
