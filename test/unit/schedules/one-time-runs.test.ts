import { beforeEach, describe, expect, it } from 'vitest';
import { toInstant } from '#kernel/time/clock.js';
import { PRINCIPAL } from '#test/support/principal.js';
import { ScheduleRig } from '#test/support/schedule-rig.js';

/** Begins at 2026-11-21T00:00:00Z. */
let rig: ScheduleRig;
beforeEach(async () => {
  rig = await ScheduleRig.open();
});

const WATCHED = { webhook_url: 'https://example.com/hook' };

describe('a one-time schedule', () => {
  it('calls at its time, once, and is completed with its call', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00', { ...WATCHED, metadata: { a: 1 } });
    rig.at('09:59:59.999');
    await rig.runDue();
    expect(await rig.statuses(id)).toEqual(['pending']);
    rig.at('10:00:00.412');
    await rig.runDue();
    await rig.runDue();
    const [execution] = await rig.executions(id);
    expect(execution).toMatchObject({ status: 'in_progress', late_ms: 412, attempt: 1 });
    expect(await rig.schedule(id)).toMatchObject({ status: 'in_progress', next_run_at: null });
    expect(await rig.call(execution!.call_id!)).toMatchObject({
      to_phone: '+14155550123',
      schedule_id: id,
      execution_id: execution!.id,
      metadata: { a: 1 },
    });
    expect(await rig.queued()).toBe(1);

    rig.at('10:02:00.412');
    await rig.end(execution!.call_id!, 'customer_hangup', { answered: true, talkMs: 90_000 });
    expect(await rig.executions(id)).toMatchObject([{ status: 'completed', duration: 90, error: null }]);
    expect(await rig.schedule(id)).toMatchObject({ status: 'completed', last_status: 'completed' });
    const told = await rig.told(id);
    expect(told.map(({ event }) => event)).toEqual(['started', 'completed']);
    expect(told[1]).toMatchObject({
      event_type: 'scheduled_call.completed',
      data: { execution_id: execution!.id, schedule_id: id, duration: 90, metadata: { a: 1 } },
    });
  });

  it('tries again as its policy says, after the end of the try before', async () => {
    const retry_policy = { max_retries: 3, retry_delay: 60, exponential_backoff: true, retry_on: ['busy'] };
    const { id } = await rig.once('2026-11-21 10:00:00', { ...WATCHED, retry_policy });
    const fail = async (time: string, reason: 'busy' | 'no_answer') => {
      rig.at(time);
      await rig.end((await rig.live(id))!.call_id!, reason);
    };
    rig.at('10:00:00');
    await rig.runDue();
    await fail('10:00:20', 'busy');
    expect((await rig.executions(id)).map(({ planned_at }) => toInstant(planned_at).slice(11, 19))).toEqual([
      '10:00:00',
      '10:01:20',
    ]);
    rig.at('10:01:19');
    await rig.runDue();
    expect(await rig.live(id)).toBeUndefined();
    rig.at('10:01:20');
    await rig.runDue();
    await fail('10:01:20', 'busy');
    rig.at('10:03:20');
    await rig.runDue();
    await fail('10:03:20', 'no_answer');

    expect(await rig.executions(id)).toMatchObject([
      { status: 'failed', error: 'busy', attempt: 1, reason: null },
      { status: 'failed', error: 'busy', attempt: 2, reason: 'busy' },
      { status: 'failed', error: 'no_answer', attempt: 3, reason: 'busy' },
    ]);
    expect(await rig.schedule(id)).toMatchObject({ status: 'failed' });
    expect(await rig.events(id)).toEqual(['started', 'failed']);
    const { items } = await rig.schedules.history(PRINCIPAL, id, { cursor: null, limit: 10 });
    expect(items.map((e) => e.trigger)).toEqual(['schedule', 'retry', 'retry']);
    // Whatever the page size, every attempt lists all attempts of its run.
    const [first] = (await rig.schedules.history(PRINCIPAL, id, { cursor: null, limit: 1 })).items;
    expect(first!.attempts).toMatchObject([
      { attempt: 1, error: 'busy', execution_id: items[0]!.id, call_id: items[0]!.call_id },
      { attempt: 2, error: 'busy', actual_time: '2026-11-21T10:01:20.000Z' },
      { attempt: 3, error: 'no_answer', execution_id: items[2]!.id },
    ]);
  });

  it('makes no call long after its time, nor a second one after an uncertain end', async () => {
    const late = await rig.once('2026-11-21 10:00:00', WATCHED);
    const uncertain = await rig.once('2026-11-21 12:00:00', {
      retry_policy: { retry_on: ['failed', 'busy', 'timeout', 'no_answer', 'voicemail'] },
    });
    rig.at('10:05:01');
    await rig.runDue();
    expect(await rig.executions(late.id)).toMatchObject([
      { status: 'missed', call_id: null, error: 'missed: 301 seconds late, with a grace of 300' },
    ]);
    expect(await rig.schedule(late.id)).toMatchObject({ status: 'failed' });
    expect(await rig.events(late.id)).toEqual(['failed']);
    rig.at('12:05:00.999');
    await rig.runDue();
    await rig.end((await rig.live(uncertain.id))!.call_id!, 'uncertain');
    expect(await rig.executions(uncertain.id)).toMatchObject([{ status: 'failed', error: 'uncertain' }]);
  });

  it('is armed again by a new future time, and keeps its history', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00');
    rig.at('10:00:00');
    await rig.runDue();
    await expect(rig.update(id, { name: 'x' })).rejects.toMatchObject({ code: 'invalid_state' });
    await rig.end((await rig.live(id))!.call_id!, 'busy');
    expect(await rig.update(id, { name: 'x' })).toMatchObject({ status: 'failed', name: 'x' });
    expect(await rig.update(id, { scheduled_time: '2026-11-21 11:00:00' })).toMatchObject({
      status: 'scheduled',
    });
    rig.at('11:00:00');
    await rig.runDue();
    expect(await rig.statuses(id)).toEqual(['failed', 'in_progress']);
  });

  it('resumed after its time is missed; within grace it runs', async () => {
    const [early, late] = [
      await rig.once('2026-11-21 10:00:00'),
      await rig.once('2026-11-21 09:00:00', WATCHED),
    ];
    for (const { id } of [early, late]) await rig.schedules.pause(PRINCIPAL, id);
    rig.at('10:05:00.999');
    await rig.runDue();
    expect(await rig.statuses(early.id)).toEqual(['held']);
    expect(await rig.schedules.resume(PRINCIPAL, early.id)).toMatchObject({ status: 'scheduled' });
    expect(await rig.schedules.resume(PRINCIPAL, late.id)).toMatchObject({ status: 'failed' });
    await rig.runDue();
    expect(await rig.statuses(early.id)).toEqual(['in_progress']);
    expect(await rig.statuses(late.id)).toEqual(['missed']);
    expect(await rig.events(late.id)).toEqual(['failed']);
  });

  it('deleted during its call: the call goes on, its result is reported, nothing follows', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00', { ...WATCHED, retry_policy: { max_retries: 3 } });
    rig.at('10:00:00');
    await rig.runDue();
    await rig.dialAll();
    const call = (await rig.live(id))!.call_id!;
    expect(await rig.schedules.cancel(PRINCIPAL, id, { hangUp: false, purge: false })).toMatchObject({
      status: 'cancelled',
    });
    expect((await rig.call(call))!.ended_at).toBeNull();
    await rig.end(call, 'busy');
    expect(await rig.statuses(id)).toEqual(['failed']);
    expect(await rig.schedule(id)).toMatchObject({ status: 'cancelled' });
    expect(await rig.events(id)).toEqual(['started', 'failed']);
  });

  it.each(['pending', 'claimed'])(
    'deleted while its call is %s: nobody is called, all in one transaction',
    async (status) => {
      const { id } = await rig.once('2026-11-21 10:00:00', {
        ...WATCHED,
        retry_policy: { max_retries: 3 },
      });
      rig.at('10:00:00');
      await rig.runDue();
      await rig.sabotage('update dial_attempts set status = ?', status);
      const call = (await rig.live(id))!.call_id!;
      // Without another request: no loop runs, and no call is hung up.
      await rig.schedules.cancel(PRINCIPAL, id, { hangUp: false, purge: false });
      expect(await rig.call(call)).toMatchObject({ ended_reason: 'cancelled', status: 'cancelled' });
      expect(await rig.attempts()).toMatchObject([{ status: 'ended' }]);
      expect(await rig.statuses(id)).toEqual(['cancelled']);
      expect(await rig.schedule(id)).toMatchObject({ status: 'cancelled' });
      expect(await rig.events(id)).toEqual(['started', 'failed']);
    },
  );

  it('deleted while another run begins: that run is cancelled too', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00');
    // A manual run begins between the reading of open calls and the transaction.
    rig.beforeNextWrite(() => rig.schedules.trigger(PRINCIPAL, id, null));
    await rig.schedules.cancel(PRINCIPAL, id, { hangUp: false, purge: false });
    expect(await rig.statuses(id)).toEqual(['cancelled', 'cancelled']);
    expect(await rig.queued()).toBe(0);
  });

  it('deleted despite an unreadable call', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00', WATCHED);
    rig.at('10:00:00');
    await rig.runDue();
    await rig.sabotage(`update calls set metadata = '{bad', status = 'who knows'`);
    await rig.schedules.cancel(PRINCIPAL, id, { hangUp: false, purge: false });
    expect(await rig.statuses(id)).toEqual(['cancelled']);
    expect(await rig.queued()).toBe(0);
  });

  it('deleted with hangup ends the call; purged it is gone, and the end of its call has no effect', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00');
    const other = await rig.once('2026-11-21 10:00:00');
    rig.at('10:00:00');
    await rig.runDue();
    await rig.dialAll();
    const call = (await rig.live(id))!.call_id!;
    await rig.schedules.cancel(PRINCIPAL, id, { hangUp: true, purge: false });
    expect(await rig.call(call)).toMatchObject({ ended_reason: 'api_disconnect' });
    const orphan = (await rig.live(other.id))!.call_id!;
    await rig.schedules.cancel(PRINCIPAL, other.id, { hangUp: false, purge: true });
    await rig.end(orphan, 'customer_hangup', { answered: true });
    await expect(rig.schedules.get(PRINCIPAL, other.id)).rejects.toMatchObject({
      code: 'scheduled_call_not_found',
    });
  });

  it('without its agent fails and says so', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00', WATCHED);
    await rig.sabotage('update agents set deleted_at = 1');
    rig.at('10:00:00');
    await rig.runDue();
    expect(await rig.executions(id)).toMatchObject([
      { status: 'failed', error: 'agent_not_found', call_id: null },
    ]);
    expect(await rig.events(id)).toEqual(['failed']);
  });
});
