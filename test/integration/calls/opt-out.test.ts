import { describe, expect, it } from 'vitest';
import { suppressedCallTransactions } from '#calls/endings/suppressed-call-store.js';
import { createTxContexts } from '#calls/endings/tx-contexts.js';
import { createNumbers } from '#policy/decisions/numbers.js';
import { suppressionTransactions } from '#policy/suppressions/suppression-store.js';
import { CarrierError } from '#telephony/port/carrier.js';
import { lookTransactions } from '#test/support/call-look-transactions.js';
import { CallRig } from '#test/support/call-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';

const NUMBER = '+14155550123';
const NO_LINKS = { recordingUrl: '', transcriptUrl: '' };
const OF_NUMBER = {
  workspace: 'default',
  phoneNumber: NUMBER,
  verdict: undefined,
  decidedAfter: undefined,
  decidedBefore: undefined,
};

async function entryOf(rig: CallRig) {
  const asked = { workspace: 'default', phoneNumbers: [NUMBER], now: rig.clock.wallMs() };
  return (await rig.store.read(suppressionTransactions.check, asked))[0];
}

describe('somebody who does not want to be called again', () => {
  it('is on the list before anybody hangs up, and what waits to call them is called off', async () => {
    const rig = await CallRig.open();
    await rig.callService.start();
    const later = await rig.create({ scheduled_time: '2026-12-01T15:00:00Z' });
    const other = await rig.create({ scheduled_time: '2026-12-01T15:00:00Z', to_phone: '+14155550124' });
    const talking = await rig.talking();
    let listedAtHangUp: unknown = null;
    rig.carrier.hangUp = async () => void (listedAtHangUp ??= await entryOf(rig));
    rig.conversations[0]!.end({ by: 'agent' }, { kind: 'suppress' });
    await rig.reaches(talking.id, 'completed');

    expect(listedAtHangUp).toMatchObject({ reason: 'opt_out', source: 'call', call_id: talking.id });
    expect(await rig.call(later.id)).toMatchObject({ status: 'failed', ended_reason: 'suppressed' });
    expect(await rig.eventTypes(later.id)).toEqual(['call.failed']);
    expect((await rig.call(other.id)).status).toBe('queued');
  });

  it('is not dialled again, and one can read why', async () => {
    const rig = await CallRig.open();
    await rig.callService.start();
    const talking = await rig.talking();
    rig.conversations[0]!.end({ by: 'agent' }, { kind: 'suppress' });
    await rig.reaches(talking.id, 'completed');
    const placed = rig.carrier.placed.length;
    const next = await rig.create();

    expect(await rig.reaches(next.id, 'failed')).toMatchObject({
      ended_reason: 'suppressed',
      fault: 'policy',
    });
    expect(rig.carrier.placed).toHaveLength(placed);
    const numbers = createNumbers({ store: rig.store, clock: rig.clock, rules: rig.rules });
    const { items } = await numbers.decisions(OF_NUMBER, null, 1);
    expect(items.map(({ call_id, moment, explanation }) => ({ call_id, moment, explanation }))).toEqual([
      {
        call_id: next.id,
        moment: 'accepted',
        explanation: 'Not to be called: the number is on the suppression list (opt_out).',
      },
    ]);
  });
});

describe('a number that comes onto the list', () => {
  it('is called by none of its calls that wait, however many they are', async () => {
    const rig = await CallRig.open();
    const calls: string[] = [];
    for (let i = 0; i < 101; i += 1)
      calls.push((await rig.create({ scheduled_time: '2026-12-01T15:00:00Z' })).id);
    await rig.callService.start();
    const talking = await rig.talking();
    rig.conversations[0]!.end({ by: 'agent' }, { kind: 'suppress' });
    await rig.reaches(talking.id, 'completed');
    const reasons = await Promise.all(calls.map(async (id) => (await rig.call(id)).ended_reason));
    expect(reasons.filter((reason) => reason !== 'suppressed')).toEqual([]);
  });

  it('is called by none of the others when one of them cannot be called off, and the log says which', async () => {
    const rig = await CallRig.open();
    const calls = [];
    for (let i = 0; i < 3; i += 1) calls.push(await rig.create({ scheduled_time: '2026-12-01T15:00:00Z' }));
    await rig.store.write(lookTransactions.suppress, { phoneNumber: NUMBER, at: rig.clock.wallMs() });
    rig.callService.suppressionEnforcer.onSuppressed(() => Promise.reject(new Error('away')));
    rig.store.missing = suppressedCallTransactions.end;
    await rig.callService.suppressionEnforcer.enforce({ workspace: 'default', phoneNumbers: [NUMBER] });

    const ends = await Promise.all(calls.map(async ({ id }) => (await rig.call(id)).ended_reason));
    expect(ends).toEqual([null, 'suppressed', 'suppressed']);
    const errors = rig.log.lines.filter(({ level }) => level === 'error');
    expect(errors).toMatchObject([
      { msg: 'not all that is planned for a suppressed number was called off' },
      { msg: 'a call to a suppressed number was not called off', call_id: calls[0]!.id },
    ]);
    expect(JSON.stringify(errors)).not.toContain(NUMBER.slice(1));
  });

  it('is not called by one that the carrier has not taken yet, and that waits to be tried again', async () => {
    const rig = await CallRig.started();
    const refusal = new CarrierError('not_dialled', 'rate_limited', 'slow down', '429', 20_000);
    rig.carrier.answers.push(() => Promise.reject(refusal));
    const call = await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    await rig.pass(2_000);
    expect((await rig.call(call.id)).status).toBe('connecting');
    await rig.store.write(lookTransactions.suppress, { phoneNumber: NUMBER, at: rig.clock.wallMs() });
    await rig.callService.suppressionEnforcer.enforce({ workspace: 'default', phoneNumbers: [NUMBER] });
    expect(await rig.call(call.id)).toMatchObject({ status: 'failed', ended_reason: 'suppressed' });
    await rig.pass(60_000);
    expect(rig.carrier.placed).toHaveLength(1);
    expect(await rig.eventTypes(call.id)).toEqual(['call.initiated', 'call.failed']);
  });

  it('goes on ringing where it rang a moment before its calls were called off', async () => {
    const rig = await CallRig.started();
    const call = await rig.create();
    await rig.until(async () => (await rig.call(call.id)).provider_call_id !== null);
    await rig.store.write(lookTransactions.suppress, { phoneNumber: NUMBER, at: rig.clock.wallMs() });
    const txContexts = createTxContexts({ clock: rig.clock, links: () => NO_LINKS });
    const details = txContexts.finish(call.id, 'suppressed');
    expect(
      await rig.store.write(suppressedCallTransactions.end, { callId: call.id, details, rules: rig.rules }),
    ).toBeNull();
    expect(await rig.call(call.id)).toMatchObject({ status: 'connecting', ended_at: null });
  });
});

describe('an erased call', () => {
  it('is not tied to a number any more; the number stays suppressed', async () => {
    const rig = await CallRig.open();
    await rig.callService.start();
    const talking = await rig.talking();
    rig.conversations[0]!.end({ by: 'agent' }, { kind: 'suppress' });
    await rig.reaches(talking.id, 'completed');
    await rig.callService.calls.erase(PRINCIPAL, talking.id);
    const numbers = createNumbers({ store: rig.store, clock: rig.clock, rules: rig.rules });

    expect((await numbers.decisions(OF_NUMBER, null, 9)).items).toMatchObject([
      { moment: 'dialling', verdict: 'dial', call_id: null },
    ]);
    expect(await entryOf(rig)).toMatchObject({ reason: 'opt_out', call_id: null });
  });
});

describe('a call that has to wait', () => {
  it('is queued for its calling time, and dialled then', async () => {
    const rig = await CallRig.open();
    await rig.callService.start();
    const window = { start: '09:00', end: '17:00', timezone: 'UTC' };
    const call = await rig.create({ call_window: window });

    expect(call).toMatchObject({ status: 'queued', scheduled_at: Date.parse('2026-11-21T09:00:00Z') });
    await rig.pass(60_000);
    expect(rig.carrier.placed).toHaveLength(0);
    rig.clock.setWall(Date.parse('2026-11-21T09:00:00Z'));
    await rig.until(() => rig.carrier.placed.length === 1);
    expect((await rig.call(call.id)).status).toBe('connecting');
  });
});
