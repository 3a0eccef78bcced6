import { beforeEach, describe, expect, it } from 'vitest';
import { agentTransactions } from '#agents/definitions/agent-store.js';
import type { CallRow } from '#calls/record/call.js';
import { carrierTransactions } from '#calls/reports/carrier-store.js';
import { CallRig } from '#test/support/call-rig.js';

const CALLER = '+14155550188';
const CALLED = '+14155550177';

let rig: CallRig;
beforeEach(async () => {
  rig = await CallRig.open({ maxConcurrentCalls: 2, reservedForInbound: 1 });
  await rig.callService.start();
});

let lines = 0;
function arrive(providerCallId = `CA${++lines}`, from: string | null = CALLER) {
  return rig.callService.carrierHost.receive({
    carrier: rig.carrier.name,
    providerCallId,
    from,
    to: CALLED,
  });
}

/** Rings, and gives the call with the token of its socket. */
async function ring(providerCallId = `CA${++lines}`, from: string | null = CALLER) {
  const reception = await arrive(providerCallId, from);
  if (reception.kind !== 'talk') throw new Error(`nobody answers: ${reception.kind}`);
  const { call_id: callId, token } = reception.stream.parameters;
  return { providerCallId, callId: callId!, token: token! };
}

function report(providerCallId: string, status: 'ringing' | 'answered' | 'completed') {
  const said = { carrier: rig.carrier.name, dialRef: null, providerCallId, status };
  return rig.callService.carrierHost.report({ ...said, code: null, hungUpBy: null, at: rig.clock.wallMs() });
}

const end = ({ status, ended_reason }: CallRow) => ({ status, ended_reason });

describe('whoever calls in', () => {
  it('can be called back, unless their number is hidden', async () => {
    const seen = await ring();
    await rig.openStream({ kind: 'token', token: seen.token });
    const hidden = await ring('CA_hidden', null);
    await rig.openStream({ kind: 'token', token: hidden.token });
    expect(rig.briefs.map(({ isReachable }) => isReachable)).toEqual([true, false]);
  });

  it('talks when the socket opens, once', async () => {
    const { callId, token, providerCallId } = await ring();
    await report(providerCallId, 'answered');
    expect((await rig.call(callId)).status).toBe('initiated');

    await rig.openStream({ kind: 'token', token });
    expect(await rig.reaches(callId, 'active')).toMatchObject({ from_phone: CALLER, to_phone: CALLED });
    await expect(rig.openStream({ kind: 'token', token })).rejects.toMatchObject({ code: 'unauthorized' });

    rig.conversations[0]!.end({ by: 'agent' });
    expect(end(await rig.reaches(callId, 'completed'))).toMatchObject({ ended_reason: 'agent_hangup' });
    expect(await rig.eventTypes(callId)).toEqual(['call.connected', 'call.in_progress', 'call.completed']);
  });

  it('is missed who hangs up before', async () => {
    const { callId, providerCallId } = await ring();
    await report(providerCallId, 'completed');
    expect(end(await rig.call(callId))).toEqual({ status: 'missed', ended_reason: 'caller_hangup' });
    expect(await rig.eventTypes(callId)).toEqual(['call.missed']);
  });

  it('is missed whose socket never comes, whatever the carrier says or does not say', async () => {
    const { callId } = await ring();
    await rig.pass(55_000, 1_000);
    expect((await rig.call(callId)).status).toBe('initiated');
    await rig.pass(10_000, 500);
    expect(end(await rig.call(callId))).toEqual({ status: 'missed', ended_reason: 'caller_hangup' });
  });

  it('does not wait in silence when the carrier could not open the socket; a talk minds its own', async () => {
    const failed = (providerCallId: string) =>
      rig.callService.carrierHost.streamFailed({ carrier: rig.carrier.name, providerCallId });
    const { callId, providerCallId } = await ring();
    await failed(providerCallId);
    await failed(providerCallId);
    expect(end(await rig.call(callId))).toEqual({ status: 'failed', ended_reason: 'stream_not_opened' });
    expect(rig.carrier.hungUp).toEqual([providerCallId]);

    const talking = await ring();
    await rig.openStream({ kind: 'token', token: talking.token });
    await failed(talking.providerCallId);
    await failed('nobody_knows_this_call');
    expect((await rig.reaches(talking.callId, 'active')).ended_reason).toBeNull();
  });

  it('hears an apology when the socket was closed before it was ever opened', async () => {
    const closed = (providerCallId: string) =>
      rig.callService.carrierHost.streamEnded({ carrier: rig.carrier.name, providerCallId });
    const { callId, providerCallId } = await ring();
    expect(await closed(providerCallId)).toEqual({ language: 'en-US' });
    expect(end(await rig.call(callId))).toEqual({ status: 'failed', ended_reason: 'stream_not_opened' });
    // The carrier is still speaking.
    expect(rig.carrier.hungUp).toEqual([]);
    expect(await closed(providerCallId)).toBeNull();

    const talking = await ring();
    await rig.openStream({ kind: 'token', token: talking.token });
    expect(await closed(talking.providerCallId)).toBeNull();
    expect((await rig.reaches(talking.callId, 'active')).ended_reason).toBeNull();
  });

  it('talks on when its socket opens while the carrier’s word that it could not be opened is taken in', async () => {
    const { callId, providerCallId, token } = await ring();
    const read = rig.store.read.bind(rig.store);
    rig.store.read = async (unit, args) => {
      const found = await read(unit, args);
      // What was found waits for its socket; by the time that it is acted upon, the call talks.
      if ((unit as unknown) === carrierTransactions.find) await rig.openStream({ kind: 'token', token });
      return found;
    };
    await rig.callService.carrierHost.streamFailed({ carrier: rig.carrier.name, providerCallId });
    rig.store.read = read;
    expect(await rig.call(callId)).toMatchObject({ status: 'active', ended_reason: null });
    expect(rig.carrier.hungUp).toEqual([]);

    rig.conversations[0]!.end({ by: 'agent' });
    expect(end(await rig.reaches(callId, 'completed'))).toMatchObject({ ended_reason: 'agent_hangup' });
  });

  it('is turned away when there is no room, and that is written down', async () => {
    await Promise.all([ring(), ring()]);
    expect(await arrive('CA_late')).toEqual({ kind: 'no_room' });
    expect(await arrive('CA_late')).toEqual({ kind: 'no_room' });
    const late = { carrier: rig.carrier.name, dialRef: null, providerCallId: 'CA_late' };
    const call = await rig.store.read(carrierTransactions.find, late);
    expect(end(await rig.call(call!.id))).toEqual({ status: 'missed', ended_reason: 'lines_busy' });
    expect(await rig.eventTypes(call!.id)).toEqual(['call.missed']);
  });

  it('is missed when no agent answers, and keeps no place', async () => {
    const { store, clock, ids } = rig;
    const workspace = 'default';
    const { id } = await store.write(agentTransactions.ensureDefault, {
      workspace,
      id: ids.next('agent'),
      at: clock.wallMs(),
    });
    const become = (status: 'active' | 'inactive') =>
      store.write(agentTransactions.update, {
        workspace,
        id,
        changes: { status },
        newSecret: '',
        at: clock.wallMs(),
      });
    await become('inactive');
    for (const line of ['CA_1', 'CA_2', 'CA_3', 'CA_3'])
      expect(await arrive(line)).toEqual({ kind: 'nobody', language: 'en-US' });
    const found = { carrier: rig.carrier.name, dialRef: null, providerCallId: 'CA_3' };
    const call = await store.read(carrierTransactions.find, found);
    expect(end(await rig.call(call!.id))).toEqual({ status: 'missed', ended_reason: 'no_agent' });
    expect(await rig.eventTypes(call!.id)).toEqual(['call.missed']);
    await become('active');
    expect(await arrive()).toMatchObject({ kind: 'talk' });
  });

  it('has room again when others have gone', async () => {
    const [first] = await Promise.all([ring(), ring()]);
    await report(first.providerCallId, 'completed');
    expect(await arrive()).toMatchObject({ kind: 'talk' });
  });

  it('is the same call when the carrier says it again at the same moment', async () => {
    const receptions = await Promise.all([ring('CA_same'), ring('CA_same'), ring('CA_same')]);
    expect(new Set(receptions.map(({ callId }) => callId)).size).toBe(1);
    expect(new Set(receptions.map(({ token }) => token)).size).toBe(3);
    await rig.openStream({ kind: 'token', token: receptions[1].token });
    await rig.reaches(receptions[0].callId, 'active');
    // The others were for the same call, which has its socket.
    await expect(rig.openStream({ kind: 'token', token: receptions[0].token })).rejects.toMatchObject({
      code: 'unauthorized',
    });
    expect(await arrive()).toMatchObject({ kind: 'talk' });
  });

  it('is over when it is over, however often it is announced', async () => {
    const { providerCallId } = await ring();
    await report(providerCallId, 'completed');
    expect(await arrive(providerCallId)).toEqual({ kind: 'over' });
  });

  it('is turned away by a service that stops', async () => {
    void rig.callService.drain(1_000);
    expect(await arrive()).toEqual({ kind: 'no_room' });
  });
});

describe('a machine that a carrier has found out about', () => {
  const found = (providerCallId: string, greetingEnded: boolean, answeredBy: 'machine' | 'fax' = 'machine') =>
    rig.callService.carrierHost.acceptDetection({
      carrier: rig.carrier.name,
      dialRef: null,
      providerCallId,
      answeredBy,
      greetingEnded,
    });

  it('is left to the agent that talks with it', async () => {
    const call = await rig.talking();
    await found(call.provider_call_id!, false);
    await found(call.provider_call_id!, true);
    expect(rig.conversations[0]!.machines).toEqual([false, true]);
    expect((await rig.call(call.id)).status).toBe('active');
  });

  it('is nobody who calls us, before and while we talk: it was we who picked up', async () => {
    const { callId, token, providerCallId } = await ring();
    await found(providerCallId, false);
    await found(providerCallId, false, 'fax');
    expect((await rig.call(callId)).status).toBe('initiated');
    await rig.openStream({ kind: 'token', token });
    await found(providerCallId, true);
    await found(providerCallId, true, 'fax');
    expect((await rig.call(callId)).status).toBe('active');
    expect(rig.carrier.hungUp).toEqual([]);
  });

  it('is hung up on when nobody talks with it yet', async () => {
    const call = await rig.create();
    await rig.until(() => rig.carrier.placed.length > 0);
    await rig.carrier.answer();
    const { provider_call_id: line } = await rig.reaches(call.id, 'connected');
    await found(line!, false);
    expect(end(await rig.call(call.id))).toMatchObject({ ended_reason: 'voicemail' });
  });
});
