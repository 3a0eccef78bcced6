import { describe, expect, it } from 'vitest';
import { dialTransactions } from '#calls/dialling/dial-store.js';
import { CarrierError } from '#telephony/port/carrier.js';
import { lookTransactions } from '#test/support/call-look-transactions.js';
import { CallRig } from '#test/support/call-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';
import { providerIdOf } from '#test/support/scripted-carrier.js';

describe('dialling', () => {
  it('rings a phone once, under a reference of ours, after the wish is durable', async () => {
    const rig = await CallRig.started();
    const call = await rig.create();
    expect(call.status).toBe('initiated');
    await rig.until(() => rig.carrier.placed.length === 1);
    const [attempt] = await rig.store.read(lookTransactions.attempts, { callId: call.id });
    expect(rig.carrier.placed[0]).toMatchObject({
      dialRef: attempt!['id'],
      to: '+14155550123',
      from: '+15550000000',
    });
    await rig.until(async () => (await rig.call(call.id)).provider_call_id !== null);
    await rig.pass(60_000);
    expect(rig.carrier.placed).toHaveLength(1);
    expect(await rig.eventTypes(call.id)).toEqual(['call.initiated']);
  });

  it.each([
    ['invalid_number', 'invalid_number', 'caller', 'info'],
    ['refused', 'provider_refused', 'carrier', 'warn'],
    ['unreachable', 'provider_unreachable', 'carrier', 'warn'],
  ] as const)('ends a call that the carrier refuses as %s', async (reason, endedReason, fault, level) => {
    const rig = await CallRig.started();
    rig.carrier.answers.push(() => Promise.reject(new CarrierError('not_dialled', reason, 'no', '21211')));
    const call = await rig.create();
    const ended = await rig.reaches(call.id, 'failed');
    expect(ended).toMatchObject({
      ended_reason: endedReason,
      fault,
      provider_code: '21211',
      answered_at: null,
    });
    expect(await rig.eventTypes(call.id)).toEqual(['call.initiated', 'call.failed']);
    await rig.pass(400_000);
    expect(rig.carrier.placed).toHaveLength(1);
    // Wrong numbers are in every list: no operator is called for them.
    expect(rig.log.lines.filter(({ call_id }) => call_id === call.id)).toMatchObject([{ level }]);
  });

  it('waits and asks again when the carrier takes no more calls now', async () => {
    const rig = await CallRig.started();
    rig.carrier.answers.push(() =>
      Promise.reject(new CarrierError('not_dialled', 'rate_limited', 'slow down')),
    );
    const call = await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    const { started_at } = await rig.call(call.id);
    await rig.until(() => rig.carrier.placed.length === 2);
    const refs = rig.carrier.placed.map((request) => request.dialRef);
    expect(new Set(refs).size).toBe(1);
    expect(started_at).toBeTypeOf('number');
    expect(await rig.call(call.id)).toMatchObject({ started_at, ended_at: null });
  });

  it('waits as long as the carrier wants, but for no more than a minute', async () => {
    const rig = await CallRig.started();
    const busy = (retryAfterMs: number) => () =>
      Promise.reject(new CarrierError('not_dialled', 'rate_limited', 'slow down', '429', retryAfterMs));
    rig.carrier.answers.push(busy(20_000), busy(3_600_000));
    await rig.create();
    await rig.pass(19_000);
    expect(rig.carrier.placed).toHaveLength(1);
    await rig.pass(2_000);
    expect(rig.carrier.placed).toHaveLength(2);
    await rig.pass(58_000);
    expect(rig.carrier.placed).toHaveLength(2);
    await rig.pass(4_000);
    expect(rig.carrier.placed).toHaveLength(3);
  });

  it('gives up when the carrier takes no more calls for too long', async () => {
    const rig = await CallRig.started();
    const busy = () => Promise.reject(new CarrierError('not_dialled', 'rate_limited', 'slow down'));
    rig.carrier.answers.push(...Array.from({ length: 400 }, () => busy));
    const call = await rig.create();
    await rig.pass(290_000);
    expect((await rig.call(call.id)).ended_at).toBeNull();
    await rig.pass(15_000);
    expect(await rig.call(call.id)).toMatchObject({
      status: 'failed',
      ended_reason: 'provider_rate_limited',
    });
  });

  it('lets a phone that is dialled again ring as long as any other', async () => {
    const rig = await CallRig.started();
    rig.carrier.answers.push(() => Promise.reject(new CarrierError('unknown', 'timeout', 'no answer')));
    const call = await rig.create();
    await rig.pass(25_000);
    expect(rig.carrier.placed).toHaveLength(2);
    await rig.pass(58_000);
    expect((await rig.call(call.id)).status).toBe('connecting');
    await rig.carrier.report('answered');
    expect((await rig.call(call.id)).status).toBe('connected');
  });

  it('dials nobody beyond the conversation slots, and goes on when one becomes free', async () => {
    const rig = await CallRig.started({ maxConcurrentCalls: 1 });
    await rig.create({ to_phone: '+14155550001' });
    const second = await rig.create({ to_phone: '+14155550002' });
    await rig.until(() => rig.carrier.placed.length === 1);
    await rig.pass(3_000);
    expect(rig.carrier.placed).toHaveLength(1);
    await rig.carrier.report('busy');
    await rig.until(() => rig.carrier.placed.length === 2);
    expect(rig.carrier.placed[1]!.to).toBe('+14155550002');
    expect((await rig.call(second.id)).ended_at).toBeNull();
  });

  it('keeps no slot for a call that the carrier wants later', async () => {
    const rig = await CallRig.started({ maxConcurrentCalls: 1 });
    rig.carrier.answers.push(() =>
      Promise.reject(new CarrierError('not_dialled', 'rate_limited', 'slow down')),
    );
    await rig.create();
    await rig.until(() => rig.carrier.placed.length === 2);
  });

  it('keeps no slot for a call that could not be begun, since the database was away', async () => {
    const rig = await CallRig.open({ maxConcurrentCalls: 1 });
    await rig.create({ to_phone: '+14155550001' });
    await rig.create({ to_phone: '+14155550002' });
    rig.store.missing = dialTransactions.begin;
    await rig.callService.start();
    await rig.pass(3_000);
    expect(rig.carrier.placed.map(({ to }) => to)).toEqual(['+14155550002']);
    await rig.carrier.report('busy');
    // The other one is taken up when nobody has it in hand any more.
    await rig.pass(60_000, 2_000);
    expect(rig.carrier.placed.map(({ to }) => to)).toEqual(['+14155550002', '+14155550001']);
  });

  it('gives the carrier a request in time for its answer, and makes another of one that came too late', async () => {
    const rig = await CallRig.started();
    rig.carrier.answers.push(() => Promise.reject(new CarrierError('not_dialled', 'late', 'too late')));
    const call = await rig.create();
    const asked = rig.clock.wallMs();
    await rig.until(() => rig.carrier.placed.length === 2);
    // Nobody else has the call for thirty seconds, and an answer takes ten at the most.
    expect(rig.carrier.placed[0]!.sendBefore).toBeLessThanOrEqual(asked + 21_000);
    expect(rig.carrier.placed[0]!.sendBefore).toBeGreaterThan(asked + 19_000);
    expect(rig.clock.wallMs() - asked).toBeLessThan(3_000);
    expect((await rig.call(call.id)).ended_at).toBeNull();
  });

  it('keeps a call for later until its time', async () => {
    const rig = await CallRig.started();
    const call = await rig.create({ scheduled_time: '2026-11-21T00:01:00Z' });
    expect(call).toMatchObject({ status: 'queued', scheduled_time: '2026-11-21T00:01:00Z' });
    await rig.pass(50_000);
    expect(rig.carrier.placed).toHaveLength(0);
    await rig.pass(12_000);
    await rig.until(() => rig.carrier.placed.length === 1);
    expect(await rig.eventTypes(call.id)).toEqual(['call.initiated']);
  });

  it('does not dial a call that was ended before', async () => {
    const rig = await CallRig.open();
    const call = await rig.create();
    const { call: ended } = await endNow(rig, call.id);
    expect(ended).toMatchObject({ status: 'cancelled', ended_reason: 'cancelled' });
    await rig.callService.start();
    await rig.pass(10_000);
    expect(rig.carrier.placed).toHaveLength(0);
    expect(await rig.eventTypes(call.id)).toEqual(['call.initiated', 'call.failed']);
  });

  it('hangs up a call that was ended while the carrier was being asked', async () => {
    const rig = await CallRig.started();
    let takeIt!: () => void;
    rig.carrier.answers.push(
      () => new Promise((resolve) => (takeIt = () => resolve({ providerCallId: 'late' }))),
    );
    const call = await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    await endNow(rig, call.id);
    takeIt();
    await rig.until(() => rig.carrier.hungUp.includes('late'));
    expect((await rig.call(call.id)).status).toBe('cancelled');
  });
});

describe('a carrier whose answer was lost', () => {
  function lost(rig: CallRig): void {
    rig.carrier.answers.push(() => Promise.reject(new CarrierError('unknown', 'timeout', 'no answer')));
  }

  it('is asked, and the call that it has is attached', async () => {
    const rig = await CallRig.started();
    lost(rig);
    rig.carrier.found = (dialRef) => ({
      found: true,
      providerCallId: providerIdOf(dialRef),
      status: 'ringing',
    });
    const call = await rig.create();
    await rig.until(async () => (await rig.call(call.id)).provider_call_id !== null);
    expect(rig.carrier.placed).toHaveLength(1);
    expect((await rig.call(call.id)).status).toBe('connecting');
  });

  it('is asked twice before an exact "not found" lets the phone ring, under the same reference', async () => {
    const rig = await CallRig.started();
    lost(rig);
    await rig.create();
    await rig.until(() => rig.carrier.lookedUp.length === 1);
    await rig.pass(10_000);
    expect(rig.carrier.placed).toHaveLength(1);
    await rig.pass(10_000);
    await rig.until(() => rig.carrier.placed.length === 2);
    expect(rig.carrier.lookedUp).toHaveLength(2);
    expect(rig.carrier.placed[1]!.dialRef).toBe(rig.carrier.placed[0]!.dialRef);
  });

  it.each(['best_effort', 'none'] as const)(
    'is never dialled again on a look-up that is %s',
    async (lookUp) => {
      const rig = await CallRig.started();
      rig.carrier.traits = { ...rig.carrier.traits, lookUp };
      lost(rig);
      const call = await rig.create();
      const ended = await rig.reaches(call.id, 'failed');
      expect(ended).toMatchObject({ ended_reason: 'uncertain', fault: 'carrier' });
      await rig.pass(60_000);
      expect(rig.carrier.placed).toHaveLength(1);
    },
  );

  it('is given time to answer after all before it is asked', async () => {
    const rig = await CallRig.started();
    lost(rig);
    await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    await rig.pass(4_000);
    expect(rig.carrier.lookedUp).toHaveLength(0);
    await rig.pass(2_000);
    expect(rig.carrier.lookedUp).toHaveLength(1);
  });

  it('keeps no slot while the call waits to be dialled again', async () => {
    const rig = await CallRig.started({ maxConcurrentCalls: 1 });
    lost(rig);
    await rig.create();
    await rig.until(() => rig.carrier.lookedUp.length === 1);
    await rig.pass(10_000);
    await rig.until(() => rig.carrier.lookedUp.length === 2);
    // Before the watchdog would find out.
    await rig.pass(900);
    expect(rig.carrier.placed).toHaveLength(2);
  });

  it('says how the call ended, when it is over by then', async () => {
    const rig = await CallRig.started();
    lost(rig);
    rig.carrier.found = (dialRef) => ({
      found: true,
      providerCallId: providerIdOf(dialRef),
      status: 'completed',
    });
    const call = await rig.create();
    await rig.until(async () => (await rig.call(call.id)).ended_at !== null);
    expect((await rig.call(call.id)).ended_reason).toBe('customer_hangup');
  });

  it('may still report by itself, and that settles it', async () => {
    const rig = await CallRig.started();
    lost(rig);
    const call = await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    await rig.carrier.report('answered');
    const connected = await rig.call(call.id);
    expect(connected).toMatchObject({
      status: 'connected',
      provider_call_id: expect.stringContaining('provider-'),
    });
    await rig.pass(10_000);
    expect(rig.carrier.lookedUp).toHaveLength(0);
  });
});

async function endNow(rig: CallRig, callId: string) {
  const ending = rig.callService.calls.disconnect(PRINCIPAL, callId);
  let result: Awaited<typeof ending> | null = null;
  void ending.then((ended) => (result = ended));
  await rig.until(() => result !== null);
  return ending;
}
