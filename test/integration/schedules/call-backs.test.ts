import { expect, it } from 'vitest';
import { schedulerTransactions } from '#schedules/runs/scheduling/scheduler-store.js';
import { lookTransactions } from '#test/support/call-look-transactions.js';
import { CallRig } from '#test/support/call-rig.js';

it.each([
  // Half past one in the night of New York's autumn change: the first and the second occurrence.
  ['2027-11-07T05:30:00Z', '2027-11-07 01:30:00'],
  ['2027-11-07T06:30:00Z', '2027-11-07T01:30:00.000-05:00'],
])(
  'stays at the one of two half past ones that was meant, by other time-zone data: %s',
  async (at, written) => {
    const rig = await CallRig.started();
    const call = await rig.talking({ to_phone: '+12125550123' });
    const agreed = { at: Date.parse(at), timeZone: 'America/New_York', said: 'at half past one' };
    rig.conversations.at(-1)!.end({ by: 'agent' }, { kind: 'call_back', ...agreed });
    await rig.reaches(call.id, 'completed');
    const [schedule] = await rig.store.read(lookTransactions.schedules, {});
    expect(schedule).toMatchObject({ scheduled_time: written, timezone: agreed.timeZone });
    const scheduleId = String(schedule!['id']);
    await rig.store.write(schedulerTransactions.replan, {
      scheduleId,
      timeZoneVersion: 'newer',
      at: rig.clock.wallMs(),
    });
    const [replanned] = await rig.store.read(lookTransactions.schedules, {});
    const { at: instant } = agreed;
    expect(replanned).toMatchObject({ scheduled_at: instant, next_run_at: instant, due_at: instant });
  },
);

it('is not planned from a row that cannot be read, and the call ends with its outcome', async () => {
  const rig = await CallRig.started();
  const call = await rig.talking({ to_phone: '+12125550123', customer_data: { name: 'Ada' } });
  // The disk fails while the line is hung up, after the end has begun.
  rig.carrier.hangUp = async () => {
    await rig.store.write(lookTransactions.poison, { callId: call.id });
  };
  const agreed = { at: Date.parse('2027-11-07T15:00:00Z'), timeZone: 'America/New_York', said: 'at ten' };
  rig.conversations.at(-1)!.end({ by: 'agent' }, { kind: 'call_back', ...agreed });
  const ended = await rig.reaches(call.id, 'completed');
  expect(ended).toMatchObject({
    ended_reason: 'agent_hangup',
    outcome: { followUp: { kind: 'call_back', at: null } },
  });
  expect(await rig.store.read(lookTransactions.schedules, {})).toEqual([]);
});
