import { beforeEach, describe, expect, it } from 'vitest';
import { suppressionTransactions } from '#policy/suppressions/suppression-store.js';
import { ScheduleCancellation } from '#schedules/changes/schedule-cancellation.js';
import { LENIENT_RULES } from '#test/support/lenient-rules.js';
import { ScheduleRig } from '#test/support/schedule-rig.js';

const NUMBER = '+14155550123';
const WATCHED = { webhook_url: 'https://example.com/hook' };
/** Begins at 2026-11-21T00:00:00Z. */
let rig: ScheduleRig;
beforeEach(async () => {
  rig = await ScheduleRig.open();
});

const told = async (id: string) =>
  (await rig.told(id)).map(({ event, data }) => `${event}: ${String(data['error'])}`);

/** Suppresses the number and cancels its schedules. */
async function suppress(): Promise<void> {
  const { store, clock } = rig;
  const entry = {
    id: rig.ids.next('sup'),
    workspace: 'default',
    phoneNumber: NUMBER,
    at: clock.wallMs(),
    reason: 'opt_out' as const,
    source: 'call' as const,
    note: null,
    callId: null,
    expiresAt: null,
  };
  await store.write(suppressionTransactions.add, { entry, kept: null });
  const cancellation = new ScheduleCancellation({ store, clock, log: rig.log.log, rules: LENIENT_RULES });
  await cancellation.cancelAllOf({ workspace: 'default', phoneNumbers: [NUMBER] });
}

describe('whose number is suppressed', () => {
  it('is not retried, and the receiver is notified of the reason', async () => {
    const retry_policy = { max_retries: 3, retry_delay: 60 };
    const { id } = await rig.once('2026-11-21 10:00:00', { ...WATCHED, retry_policy });
    rig.at('10:00:00');
    await rig.runDue();
    await rig.end((await rig.live(id))!.call_id!, 'busy');
    await suppress();
    expect(await rig.schedule(id)).toMatchObject({ status: 'cancelled', next_run_at: null });
    expect(await rig.executions(id)).toMatchObject([
      { status: 'failed', error: 'busy' },
      { status: 'cancelled', error: 'suppressed', attempt: 2 },
    ]);
    expect(await told(id)).toEqual(['started: null', 'failed: suppressed']);
    rig.at('11:00:00');
    await rig.runDue();
    expect(await rig.queued()).toBe(0);
  });

  it('continues; only later runs are cancelled', async () => {
    const once = await rig.once('2026-11-21 10:00:00', WATCHED);
    const daily = await rig.recurring('0 10 * * *', WATCHED);
    rig.at('10:00:00');
    await rig.runDue();
    await suppress();
    expect(await rig.schedule(once.id)).toMatchObject({ status: 'in_progress' });
    expect(await rig.schedule(daily.id)).toMatchObject({ status: 'cancelled', next_run_at: null });
    for (const { id } of [once, daily])
      await rig.end((await rig.live(id))!.call_id!, 'customer_hangup', { answered: true });
    expect(await rig.schedule(once.id)).toMatchObject({ status: 'completed' });
    expect(await rig.executions(daily.id)).toMatchObject([
      { status: 'completed', error: null },
      { status: 'cancelled', error: 'suppressed' },
    ]);
    expect(await told(daily.id)).toEqual(['started: null', 'failed: suppressed', 'completed: null']);
  });

  it('is refused once when it was suppressed before it was planned, and planned no longer', async () => {
    await suppress();
    const { id } = await rig.recurring('0 10 * * *', { ...WATCHED, max_occurrences: 3 });
    rig.at('10:00:00');
    await rig.runDue();
    await rig.end((await rig.live(id))!.call_id!, 'suppressed', { dialled: false });
    expect(await rig.schedule(id)).toMatchObject({ status: 'cancelled', next_run_at: null, occurrences: 0 });
    expect(await rig.executions(id)).toMatchObject([
      { status: 'failed', error: 'suppressed' },
      { status: 'cancelled', error: 'suppressed', call_id: null },
    ]);
  });

  it('is called off everywhere, also beside a schedule that cannot be read', async () => {
    const broken = await rig.once('2026-11-21 10:00:00');
    const sound = await rig.once('2026-11-21 10:00:00');
    await rig.sabotage(`update schedules set retry_policy = '?' where id = ?`, broken.id);
    await suppress();
    expect(await rig.schedule(sound.id)).toMatchObject({ status: 'cancelled' });
    expect(rig.log.lines).toMatchObject([{ schedule_id: broken.id }]);
  });

  it('is left alone when it was over before, twice too', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00', WATCHED);
    await suppress();
    const cancelled = await rig.schedule(id);
    rig.at('12:00:00');
    await suppress();
    expect(await rig.schedule(id)).toEqual(cancelled);
    expect(await told(id)).toEqual(['failed: suppressed']);
  });
});
