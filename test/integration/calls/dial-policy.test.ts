import { describe, expect, it } from 'vitest';
import { phoneNumberTransactions } from '#agents/phone-numbers/phone-number-store.js';
import { lookTransactions } from '#test/support/call-look-transactions.js';
import { CallRig } from '#test/support/call-rig.js';
import { decisionsOf } from '#test/support/decisions-of.js';

const NUMBER = '+14155550123';
/** Every day of the week. */
const EVERY_DAY = { days: 127, timezone: 'UTC' };

/** A call that was accepted when it could be dialled at once, and then had to wait for two o'clock. It is midnight. */
async function putOff() {
  const rig = await CallRig.open();
  const call = await rig.create();
  Object.assign(rig.rules, { mode: 'enforce', window: { ...EVERY_DAY, startMinute: 120, endMinute: 600 } });
  await rig.callService.start();
  await rig.until(async () => (await decisionsOf(rig, NUMBER))[0]?.verdict === 'defer');
  const [decision] = await decisionsOf(rig, NUMBER);
  expect(decision).toMatchObject({ moment: 'dialling', call_id: call.id });
  return { rig, call };
}

describe('the policy, asked right before a phone rings', () => {
  it('keeps a call from a number that was suppressed after it was accepted', async () => {
    const rig = await CallRig.open();
    const call = await rig.create();
    await rig.store.write(lookTransactions.suppress, { phoneNumber: NUMBER, at: rig.clock.wallMs() });
    await rig.callService.start();
    const ended = await rig.reaches(call.id, 'failed');
    expect(ended).toMatchObject({ ended_reason: 'suppressed', fault: 'policy', answered_at: null });
    expect(rig.carrier.placed).toEqual([]);
    expect(await rig.eventTypes(call.id)).toEqual(['call.initiated', 'call.failed']);
    const [decision] = await decisionsOf(rig, NUMBER);
    expect(decision).toMatchObject({ moment: 'dialling', verdict: 'skip', call_id: call.id });
  });

  it('writes down why a call was allowed', async () => {
    const rig = await CallRig.open();
    await rig.callService.start();
    const call = await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    const [decision] = await decisionsOf(rig, NUMBER);
    expect(decision).toMatchObject({ moment: 'dialling', verdict: 'dial', call_id: call.id });
  });

  it('lets a call wait for calling hours, and then it is dialled though its own time is past', async () => {
    const { rig, call } = await putOff();
    await rig.clock.advance(2 * 3_600_000 - 60_000);
    await rig.pass(1_000);
    expect(rig.carrier.placed).toEqual([]);
    expect((await rig.call(call.id)).ended_at).toBeNull();
    await rig.pass(61_000);
    await rig.until(() => rig.carrier.placed.length === 1);
  });

  it('says of a call that was put off when it is expected to be dialled now', async () => {
    const { rig, call } = await putOff();
    expect(call.estimated_start_at).toBeLessThan(Date.parse('2026-11-21T00:01:00Z'));
    const waiting = await rig.call(call.id);
    expect(waiting.estimated_start_at).toBe(Date.parse('2026-11-21T02:00:01Z'));
    expect(waiting.scheduled_at).toBe(Date.parse('2026-11-21T02:00:00Z'));
  });

  it('lets a call that was put off be late by as much as any other, and no more', async () => {
    const { rig, call } = await putOff();
    // The machine slept through the time at which it was to be dialled.
    rig.clock.setWall(rig.clock.wallMs() + 2 * 3_600_000 + 301_000);
    await rig.reaches(call.id, 'failed');
    expect(await rig.call(call.id)).toMatchObject({ ended_reason: 'expired' });
    expect(rig.carrier.placed).toEqual([]);
  });

  it('puts nobody off for longer than a day, however often their number is called', async () => {
    const rig = await CallRig.open();
    const minuteMs = 60_000;
    Object.assign(rig.rules, { mode: 'enforce', caps: [{ attempts: 2, hours: 24 }] });
    await rig.callService.start();
    await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    await rig.clock.advance(10 * minuteMs);
    await rig.create();
    await rig.until(() => rig.carrier.placed.length === 2);
    await rig.clock.advance(10 * minuteMs);
    const [first, second, third] = [await rig.create(), await rig.create(), await rig.create()];
    rig.clock.stall(24 * 60 * minuteMs - 21 * minuteMs);
    await rig.pass(2 * minuteMs, 10_000);
    expect(await rig.call(first.id)).toMatchObject({ status: 'connecting' });
    await rig.pass(10 * minuteMs, 10_000);
    const placed = await Promise.all([second, third].map(({ id }) => rig.call(id)));
    // Which of the two has its turn is nobody's promise. The other would have to wait until tomorrow's tomorrow.
    expect(placed.map(({ ended_reason }) => ended_reason)).toContain('attempt_cap');
    expect(rig.carrier.placed).toHaveLength(4);
  });

  it('frees the slot of a call that it does not want', async () => {
    const rig = await CallRig.open({ maxConcurrentCalls: 1 });
    await rig.create();
    await rig.store.write(lookTransactions.suppress, { phoneNumber: NUMBER, at: rig.clock.wallMs() });
    await rig.create({ to_phone: '+14155550124' });
    await rig.callService.start();
    await rig.until(() => rig.carrier.placed.length === 1);
    expect(rig.carrier.placed[0]!.to).toBe('+14155550124');
  });

  it('frees the slot of a call that it puts off', async () => {
    const rig = await CallRig.open({ maxConcurrentCalls: 1 });
    await rig.create();
    const again = await rig.create();
    await rig.create({ to_phone: '+14155550124' });
    Object.assign(rig.rules, { mode: 'enforce', caps: [{ attempts: 1, hours: 1 }] });
    await rig.callService.start();
    await rig.until(() => rig.carrier.placed.length === 1);
    await rig.carrier.report('busy');
    await rig.until(() => rig.carrier.placed.length === 2);
    expect(rig.carrier.placed[1]!.to).toBe('+14155550124');
    expect((await decisionsOf(rig, NUMBER))[0]).toMatchObject({ verdict: 'defer', call_id: again.id });
  });

  it('holds a call to the window that it was asked for with, in every mode, though it had to wait', async () => {
    const rig = await CallRig.started({ maxConcurrentCalls: 1 });
    await rig.create({ to_phone: '+14155550124' });
    await rig.until(() => rig.carrier.placed.length === 1);
    // It is midnight: the window is open when the call is asked for, and closed when a line is free.
    const call_window = { start: '00:00', end: '00:01', timezone: 'UTC' };
    const call = await rig.create({ call_window });
    await rig.pass(62_000, 2_000);
    await rig.carrier.report('busy');
    await rig.until(async () => (await decisionsOf(rig, NUMBER))[0]?.moment === 'dialling');
    expect((await decisionsOf(rig, NUMBER))[0]).toMatchObject({
      verdict: 'defer',
      reason: 'outside_calling_window',
      call_id: call.id,
    });
    expect(rig.carrier.placed).toHaveLength(1);
  });

  describe('where calling hours are enforced', () => {
    const openRig = async () => {
      const rig = await CallRig.open();
      Object.assign(rig.rules, {
        mode: 'enforce',
        window: { ...EVERY_DAY, startMinute: 120, endMinute: 600 },
      });
      await rig.callService.start();
      return rig;
    };

    it('dials within a window of its own and the calling hours alone', async () => {
      const rig = await openRig();
      // It is midnight: the window is open, and the service calls people from two o'clock on.
      const call = await rig.create({ call_window: { start: '00:00', end: '03:00', timezone: 'UTC' } });
      await rig.pass(60_000);
      expect(rig.carrier.placed).toHaveLength(0);
      expect(await rig.call(call.id)).toMatchObject({
        status: 'queued',
        scheduled_at: Date.parse('2026-11-21T02:00:00Z'),
      });
      rig.clock.setWall(Date.parse('2026-11-21T02:00:00Z'));
      await rig.until(() => rig.carrier.placed.length === 1);
    });

    it.each([
      ['20:00', 'is never open within the calling hours of the service where the number may be'],
      [
        '00:00',
        'is open within the calling hours of the service at 2026-11-23T02:00:00.000Z: too long after',
      ],
    ])('refuses one that begins at %s and does not meet them in time', async (start, message) => {
      const rig = await openRig();
      if (start === '00:00') Object.assign(rig.rules.window!, { days: 1 });
      const call_window = { start, end: '22:00', timezone: 'UTC' };
      await expect(rig.create({ call_window })).rejects.toMatchObject({
        details: [{ field: 'call_window', message: expect.stringContaining(message) as string }],
      });
    });

    it('ends a call whose window they do not meet any more', async () => {
      const rig = await CallRig.open();
      const call_window = { start: '00:00', end: '01:00', timezone: 'UTC' };
      const call = await rig.create({ call_window });
      Object.assign(rig.rules, {
        mode: 'enforce',
        window: { ...EVERY_DAY, startMinute: 120, endMinute: 600 },
      });
      await rig.callService.start();
      expect(await rig.reaches(call.id, 'failed')).toMatchObject({ ended_reason: 'outside_calling_window' });
      expect(rig.carrier.placed).toHaveLength(0);
    });
  });
});

describe('a caller id that another workspace has registered since', () => {
  const register = (rig: CallRig, phoneNumber: string) => {
    const at = rig.clock.wallMs();
    const columns = {
      agent_id: null,
      backup_agent_id: null,
      label: null,
      lookup_url: null,
      lookup_secret: null,
    };
    const numbered = { id: 'num_1', workspace: 'neighbour', phone_number: phoneNumber, provider: 'scripted' };
    const number = { ...numbered, ...columns, created_at: at, updated_at: at };
    return rig.store.write(phoneNumberTransactions.create, { number, answer: null });
  };

  it('keeps a call that was accepted before from being dialled', async () => {
    const rig = await CallRig.open();
    const call = await rig.create({ from_phone: '+14155550100' });
    await register(rig, '+14155550100');
    await rig.callService.start();
    const ended = await rig.reaches(call.id, 'failed');
    expect(ended).toMatchObject({ ended_reason: 'caller_id_not_yours', fault: 'policy', answered_at: null });
    expect(rig.carrier.placed).toEqual([]);
  });

  it('is still the one for all where the operator has set it', async () => {
    const rig = await CallRig.open();
    const call = await rig.create();
    await register(rig, call.from_phone);
    await rig.callService.start();
    await rig.until(() => rig.carrier.placed.length === 1);
  });
});
