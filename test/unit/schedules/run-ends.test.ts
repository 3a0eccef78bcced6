import { beforeEach, describe, expect, it } from 'vitest';
import { schedulerTransactions } from '#schedules/runs/scheduling/scheduler-store.js';
import { PRINCIPAL } from '#test/support/principal.js';
import { ScheduleRig } from '#test/support/schedule-rig.js';

/** Begins at 2026-11-21T00:00:00Z. */
let rig: ScheduleRig;
beforeEach(async () => {
  rig = await ScheduleRig.open();
});

const WATCHED = { webhook_url: 'https://example.com/hook' };
const PATIENT = { retry_policy: { max_retries: 3, retry_delay: 600, retry_on: ['busy'] } };

/** The due run was busy at first and is retried at `time`. Returns the live call. */
async function onItsSecondAttempt(id: string, time: string): Promise<string> {
  await rig.runDue();
  await rig.end((await rig.live(id))!.call_id!, 'busy');
  rig.at(time);
  await rig.runDue();
  await rig.dialAll();
  return (await rig.live(id))!.call_id!;
}

describe('an attempt whose call ends', () => {
  it('is not retried while its schedule is paused', async () => {
    const { id } = await rig.recurring('0 * * * *', { ...WATCHED, ...PATIENT });
    rig.at('01:00:00');
    await rig.runDue();
    await rig.dialAll();
    await rig.schedules.pause(PRINCIPAL, id);
    await rig.end((await rig.live(id))!.call_id!, 'busy');
    expect(await rig.statuses(id)).toEqual(['failed', 'held']);
    expect(await rig.events(id)).toEqual(['started', 'failed']);
    rig.at('01:30:00');
    await rig.runDue();
    expect(await rig.queued()).toBe(0);
  });

  it('shows that it failed while the next one waits', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00', PATIENT);
    rig.at('10:00:00');
    await rig.runDue();
    expect(await rig.schedule(id)).toMatchObject({ last_status: 'in_progress' });
    await rig.end((await rig.live(id))!.call_id!, 'busy');
    expect(await rig.schedule(id)).toMatchObject({ status: 'in_progress', last_status: 'failed' });
  });

  it('ends at the end of its call, however late it is settled', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00');
    rig.at('10:00:00');
    await rig.runDue();
    const callId = (await rig.live(id))!.call_id!;
    rig.at('10:01:00');
    await rig.end(callId, 'busy');
    // As after a crash before the settlement.
    await rig.sabotage('update calls set unsettled = 1 where id = ?', callId);
    await rig.sabotage(`update executions set status = 'in_progress', finished_at = null`);
    rig.at('10:20:00');
    await rig.settle(callId);
    expect(await rig.executions(id)).toMatchObject([
      { status: 'failed', finished_at: Date.parse('2026-11-21T10:01:00Z') },
    ]);
  });

  it('reports its result even if its schedule was deleted meanwhile', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00', { ...WATCHED, ...PATIENT });
    rig.at('10:00:00');
    const callId = await onItsSecondAttempt(id, '10:10:00');
    await rig.schedules.cancel(PRINCIPAL, id, { hangUp: false, purge: false });
    expect(await rig.statuses(id)).toEqual(['failed', 'in_progress']);
    await rig.end(callId, 'customer_hangup', { answered: true });
    expect(await rig.statuses(id)).toEqual(['failed', 'completed']);
    expect(await rig.events(id)).toEqual(['started', 'completed']);
  });

  it('reports its result even if its schedule was paused meanwhile', async () => {
    const { id } = await rig.recurring('0 * * * *', { ...WATCHED, ...PATIENT });
    rig.at('01:00:00');
    const callId = await onItsSecondAttempt(id, '01:10:00');
    await rig.schedules.pause(PRINCIPAL, id);
    expect(await rig.statuses(id)).toEqual(['failed', 'in_progress', 'held']);
    await rig.end(callId, 'customer_hangup', { answered: true });
    expect(await rig.statuses(id)).toEqual(['failed', 'completed', 'held']);
    expect(await rig.events(id)).toEqual(['started', 'completed']);
  });
});

describe('a waiting retry', () => {
  it('is cancelled by a manual run, so that the number is called once', async () => {
    const { id } = await rig.recurring('0 * * * *', { ...WATCHED, ...PATIENT });
    rig.at('01:00:00');
    await rig.runDue();
    await rig.end((await rig.live(id))!.call_id!, 'busy');
    rig.at('01:05:00');
    const { call_id } = await rig.schedules.trigger(PRINCIPAL, id, null);
    expect((await rig.executions(id)).find(({ attempt }) => attempt === 2)).toMatchObject({
      status: 'cancelled',
      error: 'busy',
    });
    await rig.end(call_id, 'customer_hangup', { answered: true });
    rig.at('01:15:00');
    await rig.runDue();
    expect(await rig.queued()).toBe(0);
    expect(await rig.events(id)).toEqual(['started', 'failed', 'started', 'completed']);
  });

  it('and comes too late is missed; a schedule of which nothing else is left is completed', async () => {
    const { id } = await rig.recurring('0 * * * *', { ...PATIENT, max_occurrences: 1 });
    rig.at('01:00:00');
    await rig.runDue();
    await rig.end((await rig.live(id))!.call_id!, 'busy');
    expect(await rig.schedule(id)).toMatchObject({ status: 'scheduled', next_run_at: null });
    rig.at('03:00:00');
    await rig.runDue();
    expect(await rig.statuses(id)).toEqual(['failed', 'missed']);
    expect(await rig.schedule(id)).toMatchObject({ status: 'completed', last_status: 'missed' });
  });
});

describe('a run that was no call', () => {
  it('is no occurrence: its agent was not there', async () => {
    const { id } = await rig.recurring('0 * * * *', { ...WATCHED, max_occurrences: 2 });
    await rig.sabotage('update schedules set agent_id = ? where id = ?', 'agent_gone', id);
    rig.at('01:00:00');
    await rig.runDue();
    expect(await rig.executions(id)).toMatchObject([
      { status: 'failed', error: 'agent_not_found', call_id: null },
      { status: 'pending' },
    ]);
    expect(await rig.schedule(id)).toMatchObject({ occurrences: 0 });
    expect(await rig.events(id)).toEqual(['failed']);
  });

  it('returns no occurrence for a manual run', async () => {
    const { id } = await rig.recurring('0 * * * *', { max_occurrences: 3 });
    rig.at('01:00:00');
    await rig.runDue();
    await rig.end((await rig.live(id))!.call_id!, 'customer_hangup', { answered: true });
    rig.at('01:10:00');
    const { call_id } = await rig.schedules.trigger(PRINCIPAL, id, null);
    await rig.end(call_id, 'suppressed', { dialled: false });
    expect(await rig.schedule(id)).toMatchObject({ occurrences: 1 });
  });

  it('returns no occurrence for a retry', async () => {
    const { id } = await rig.recurring('0 * * * *', { ...PATIENT, max_occurrences: 3 });
    rig.at('01:00:00');
    await rig.runDue();
    await rig.end((await rig.live(id))!.call_id!, 'busy');
    rig.at('01:10:00');
    await rig.runDue();
    await rig.end((await rig.live(id))!.call_id!, 'expired', { dialled: false });
    expect(await rig.schedule(id)).toMatchObject({ occurrences: 1 });
  });

  it('leaves the next occurrence, due meanwhile, alone', async () => {
    const { id } = await rig.recurring('* * * * *');
    rig.at('00:01:00');
    await rig.runDue();
    rig.at('00:02:10');
    await rig.end((await rig.live(id))!.call_id!, 'expired', { dialled: false });
    await rig.runDue();
    expect((await rig.executions(id)).slice(0, 2)).toMatchObject([
      { status: 'missed' },
      { status: 'in_progress', planned_at: Date.parse('2026-11-21T00:02:00Z') },
    ]);
  });

  it('gives back its occurrence after its own time, though the clock went back', async () => {
    const { id } = await rig.recurring('0 * * * *', { max_occurrences: 1 });
    rig.at('01:00:00');
    await rig.runDue();
    rig.at('00:30:00');
    await rig.end((await rig.live(id))!.call_id!, 'expired', { dialled: false });
    expect(await rig.schedule(id)).toMatchObject({ next_run_at: Date.parse('2026-11-21T02:00:00Z') });
  });
});

describe('a call that was dialled and found no line', () => {
  it('is an attempt that failed, and may be tried again', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00', {
      retry_policy: { ...PATIENT.retry_policy, retry_on: ['failed'] },
    });
    rig.at('10:00:00');
    await rig.runDue();
    await rig.end((await rig.live(id))!.call_id!, 'no_capacity');
    expect(await rig.statuses(id)).toEqual(['failed', 'pending']);
  });
});

describe('a claimed run', () => {
  it('waits for its time again when the clock goes back', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00');
    rig.at('10:00:05');
    const now = rig.clock.wallMs();
    const [due] = await rig.store.write(schedulerTransactions.claim, {
      now,
      leaseUntil: now + 15_000,
      limit: 1,
    });
    rig.at('09:00:00');
    await rig.perform(due!);
    expect(await rig.statuses(id)).toEqual(['pending']);
    expect(await rig.store.read(schedulerTransactions.nextDueAt, {})).toBe(
      Date.parse('2026-11-21T10:00:00Z'),
    );
    rig.at('10:00:00');
    await rig.runDue();
    expect(await rig.statuses(id)).toEqual(['in_progress']);
  });

  it('is called off with a schedule that is put on hold just as it begins', async () => {
    const { id } = await rig.recurring('0 * * * *');
    // A manual run begins between the reading of open calls and the transaction.
    rig.beforeNextWrite(() => rig.schedules.trigger(PRINCIPAL, id, null));
    expect(await rig.schedules.pause(PRINCIPAL, id)).toMatchObject({ status: 'paused' });
    expect((await rig.statuses(id)).toSorted()).toEqual(['cancelled', 'held']);
    expect(await rig.queued()).toBe(0);
  });
});
