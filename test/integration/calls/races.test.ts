import { describe, expect, it } from 'vitest';
import { dialTransactions } from '#calls/dialling/dial-store.js';
import { endingTransactions } from '#calls/endings/ending-store.js';
import { CarrierError, type LookUp } from '#telephony/port/carrier.js';
import { agentTransactions } from '#agents/definitions/agent-store.js';
import { Problem } from '#kernel/errors/errors.js';
import { CallRig } from '#test/support/call-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';
import { lookTransactions } from '#test/support/call-look-transactions.js';
import { providerIdOf } from '#test/support/scripted-carrier.js';

/** A call whose request the carrier has not answered yet. */
async function asked(rig: CallRig) {
  let take!: () => void;
  let lose!: () => void;
  rig.carrier.answers.push(
    () =>
      new Promise((resolve, reject) => {
        take = () => resolve({ providerCallId: providerIdOf(rig.carrier.placed.at(-1)!.dialRef) });
        lose = () => reject(new CarrierError('unknown', 'timeout', 'no answer'));
      }),
  );
  const call = await rig.create();
  await rig.until(() => rig.carrier.placed.length === 1);
  return { call, take, lose };
}

describe('a wish to end a call', () => {
  it('that comes while the carrier takes the call does not leave a phone ringing', async () => {
    const rig = await CallRig.started();
    const { call, take } = await asked(rig);
    const ending = rig.callService.calls.disconnect(PRINCIPAL, call.id);
    take();
    await rig.settled(ending);
    await rig.until(() => rig.carrier.hungUp.length === 1);
    expect((await rig.call(call.id)).status).toBe('cancelled');
  });

  it('is granted though the carrier cannot be told', async () => {
    const rig = await CallRig.started();
    const { call, take } = await asked(rig);
    take();
    await rig.until(async () => (await rig.call(call.id)).provider_call_id !== null);
    rig.carrier.hangUp = () => Promise.reject(new CarrierError('unknown', 'server_error', 'down'));
    const { call: ended } = await rig.settled(rig.callService.calls.disconnect(PRINCIPAL, call.id));
    expect(ended).toMatchObject({ status: 'cancelled', ended_reason: 'cancelled' });
  });

  it('keeps its reason though the carrier reports the end first', async () => {
    const rig = await CallRig.started();
    const { call, take } = await asked(rig);
    take();
    await rig.carrier.report('answered');
    rig.carrier.hangUp = () => rig.carrier.report('completed', { hungUpBy: 'agent' });
    const { call: ended } = await rig.settled(rig.callService.calls.disconnect(PRINCIPAL, call.id));
    expect(ended).toMatchObject({ status: 'completed', ended_reason: 'api_disconnect' });
  });

  it('is granted by the watchdog when the talk does not obey', async () => {
    const rig = await CallRig.started();
    const call = await rig.talking();
    rig.conversations[0]!.stop = () => {};
    const { call: ending } = await rig.settled(rig.callService.calls.disconnect(PRINCIPAL, call.id));
    expect(ending).toMatchObject({ status: 'ending', ended_reason: 'api_disconnect' });
    await rig.pass(13_000);
    expect(await rig.call(call.id)).toMatchObject({ status: 'completed', ended_reason: 'api_disconnect' });
    expect(rig.closed).toHaveLength(1);
  });

  it('is granted though the reason could not be written at first, and the talk does not obey', async () => {
    const rig = await CallRig.started();
    const call = await rig.talking({ timeout_seconds: 20 });
    rig.conversations[0]!.stop = () => {};
    rig.store.missing = endingTransactions.begin as never;
    await rig.pass(40_000);
    expect(await rig.call(call.id)).toMatchObject({ status: 'completed', ended_reason: 'max_duration' });
  });

  it('that reaches another process ends the talk where it is', async () => {
    const rig = await CallRig.started();
    const call = await rig.talking();
    const other = rig.build();
    await rig.settled(other.calls.disconnect(PRINCIPAL, call.id));
    await rig.pass(3_000);
    expect(await rig.call(call.id)).toMatchObject({
      status: 'completed',
      ended_reason: 'api_disconnect',
      outcome: { intent: 'confirm' },
    });
    expect(rig.closed).toHaveLength(1);
  });
});

describe('a phone that has rung is never made to ring again', () => {
  it('though the carrier could not find it twice, and reported it only then', async () => {
    const rig = await CallRig.started({ maxConcurrentCalls: 1 });
    const { call, lose } = await asked(rig);
    lose();
    // Another call, wanted earlier, takes the only slot: this one waits in the queue, where the late report meets it.
    await rig.create({ to_phone: '+14155550177', scheduled_time: '2026-11-20T23:59:00Z' });
    await rig.pass(22_000);
    expect(rig.carrier.lookedUp).toHaveLength(2);
    const [dialRef, other] = rig.carrier.placed.map((request) => request.dialRef);
    await rig.carrier.report('ringing', { dialRef: dialRef! });
    await rig.carrier.report('busy', { dialRef: other! });
    await rig.pass(5_000);
    expect(rig.carrier.placed).toHaveLength(2);
    expect(await rig.call(call.id)).toMatchObject({ status: 'connecting', ended_reason: null });
    await rig.carrier.report('busy', { dialRef: dialRef! });
    expect(await rig.call(call.id)).toMatchObject({ status: 'failed', ended_reason: 'busy' });
  });

  it('though it is picked up while the carrier is being asked about it', async () => {
    const rig = await CallRig.started();
    rig.carrier.traits = { ...rig.carrier.traits, lookUp: 'best_effort' };
    const { call, lose } = await asked(rig);
    let answerLookUp!: (found: LookUp) => void;
    rig.carrier.lookUp = () => new Promise((resolve) => (answerLookUp = resolve));
    lose();
    await rig.until(() => answerLookUp !== undefined);
    await rig.carrier.report('answered');
    answerLookUp({ found: false });
    await rig.pass(1_000);
    expect(await rig.call(call.id)).toMatchObject({ status: 'connected', ended_reason: null });
    const [attempt] = await rig.store.read(lookTransactions.attempts, { callId: call.id });
    expect(attempt).toMatchObject({ status: 'placed' });
  });
});

describe('a slot', () => {
  it('is free again when another process has ended its call', async () => {
    const rig = await CallRig.started({ maxConcurrentCalls: 1 });
    const { call, take } = await asked(rig);
    take();
    await rig.until(async () => (await rig.call(call.id)).provider_call_id !== null);
    const other = rig.build();
    await rig.settled(other.calls.disconnect(PRINCIPAL, call.id));
    expect(await rig.call(call.id)).toMatchObject({ ended_reason: 'cancelled' });
    await rig.create({ to_phone: '+14155550199' });
    await rig.until(() => rig.carrier.placed.length === 2);
    expect(rig.carrier.placed.map(({ to }) => to)).toEqual([call.to_phone, '+14155550199']);
  });
});

describe('the slot of a call that another process has put back into the queue', () => {
  it('is free again, and the call is dialled again', async () => {
    const rig = await CallRig.started({ maxConcurrentCalls: 1 });
    const { call, lose } = await asked(rig);
    lose();
    const attemptOf = async () => (await rig.store.read(lookTransactions.attempts, { callId: call.id }))[0]!;
    await rig.until(async () => (await attemptOf())['status'] === 'uncertain');
    const now = rig.clock.wallMs() + 5_100;
    const lease = { nodeId: 'node_other', leaseUntil: now + 30_000 };
    const [attempt] = await rig.store.write(dialTransactions.claimUnsettled, { ...lease, now, limit: 1 });
    const { id: attemptId, due_at: dueAt } = attempt!;
    await rig.store.write(dialTransactions.postpone, {
      attemptId,
      lease,
      dueAt,
      mayHaveRung: false,
      at: now,
    });
    await rig.until(() => rig.carrier.placed.length === 2);
    expect(rig.carrier.placed[1]!.to).toBe(call.to_phone);
  });
});

describe('an answered call whose audio never came', () => {
  it('does not claim that anybody talked', async () => {
    const rig = await CallRig.started();
    const { call, take } = await asked(rig);
    take();
    await rig.carrier.report('answered');
    await rig.carrier.report('completed', { hungUpBy: 'agent', code: '1011' });
    expect(await rig.call(call.id)).toMatchObject({ status: 'failed', ended_reason: 'stream_not_opened' });
    expect(await rig.eventTypes(call.id)).toEqual(['call.initiated', 'call.connected', 'call.failed']);
  });

  it('ends at once when its talk cannot begin', async () => {
    const rig = await CallRig.started({ maxConcurrentCalls: 1 });
    const { call, take } = await asked(rig);
    take();
    const instruction = await rig.carrier.answer();
    rig.conversations.push = () => {
      throw new Error('no voice');
    };
    const opening = rig.openStream({ kind: 'token', token: instruction!.parameters['token']! });
    await expect(rig.settled(opening)).rejects.toThrow('no voice');
    expect(await rig.call(call.id)).toMatchObject({ status: 'failed', ended_reason: 'agent_error' });
  });

  it('is talked with by the agent that it was made for, though that one was deleted', async () => {
    const rig = await CallRig.started();
    const { call, take } = await asked(rig);
    take();
    const workspace = 'default';
    await rig.store.write(agentTransactions.remove, {
      workspace,
      id: call.agent_id,
      force: true,
      at: rig.clock.wallMs(),
    });
    await rig.pickUp();
    expect((await rig.call(call.id)).status).toBe('active');
  });
});

describe('the end of the process', () => {
  it('does not wait for a talk that does not obey', async () => {
    const rig = await CallRig.started();
    const call = await rig.talking();
    rig.conversations[0]!.stop = () => {};
    const fromMs = rig.clock.monotonicMs();
    await rig.stop();
    expect(rig.clock.monotonicMs() - fromMs).toBeLessThan(15_000);
    expect(await rig.call(call.id)).toMatchObject({ ended_reason: 'server_shutdown' });
    expect(rig.carrier.hungUp).toHaveLength(1);
  });

  it('comes in order though the database is away', async () => {
    const rig = await CallRig.started();
    let isClosed = false;
    rig.carrier.close = async () => void (isClosed = true);
    const { take } = await asked(rig);
    take();
    await rig.pass(500);
    rig.store.isAway = true;
    await rig.stop();
    expect(isClosed).toBe(true);
    rig.store.isAway = false;
  });

  it('hangs up a phone that still rings', async () => {
    const rig = await CallRig.started();
    const { call, take } = await asked(rig);
    take();
    await rig.until(async () => (await rig.call(call.id)).provider_call_id !== null);
    await rig.stop();
    expect(rig.carrier.hungUp).toHaveLength(1);
    expect(await rig.call(call.id)).toMatchObject({ status: 'failed', ended_reason: 'server_shutdown' });
  });

  it('in mid-start leaves nothing behind that runs', async () => {
    const rig = await CallRig.open();
    const starting = rig.callService.start();
    await rig.stop();
    await rig.settled(starting.catch(() => undefined));
    expect(rig.clock.armed).toBe(0);
    await rig.create();
    await rig.pass(3_000);
    expect(rig.carrier.placed).toHaveLength(0);
  });

  it('lets a phone that rings be answered while calls go on, and takes no new socket', async () => {
    const rig = await CallRig.started();
    const { call, take } = await asked(rig);
    take();
    await rig.until(async () => (await rig.call(call.id)).provider_call_id !== null);
    let isDrained = false;
    const draining = rig.callService.drain(60_000).then(() => (isDrained = true));
    await rig.pass(1_000);
    expect(isDrained).toBe(false);
    const callId = rig.ids.next('call');
    await expect(rig.openStream({ kind: 'principal', principal: PRINCIPAL, callId })).rejects.toThrow(
      Problem,
    );
    await rig.pickUp();
    expect((await rig.call(call.id)).status).toBe('active');
    rig.conversations.at(-1)!.end({ by: 'agent' });
    await rig.settled(draining);
  });
});
