import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callMachine } from '#calls/record/call-machine.js';
import { carrierTransactions } from '#calls/reports/carrier-store.js';
import type { CallRow } from '#calls/record/call.js';
import { dialTransactions } from '#calls/dialling/dial-store.js';
import { createTxContexts } from '#calls/endings/tx-contexts.js';
import type { CarrierStatus } from '#telephony/port/carrier.js';
import { CallRig } from '#test/support/call-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';

const TERMINAL = ['call.completed', 'call.failed', 'call.missed'];

async function ringing() {
  const rig = await CallRig.open();
  await rig.callService.start();
  const call = await rig.create();
  await rig.until(() => rig.carrier.placed.length === 1);
  return { rig, call };
}

describe('what carriers report', () => {
  it.each([
    ['busy', 'failed', 'busy'],
    ['no_answer', 'failed', 'no_answer'],
    ['rejected', 'failed', 'rejected'],
    ['invalid_number', 'failed', 'invalid_number'],
    ['failed', 'failed', 'provider_error'],
  ] as const)('%s ends an unanswered call as %s with %s', async (status, ended, reason) => {
    const { rig, call } = await ringing();
    await rig.carrier.report('ringing');
    await rig.carrier.report(status, { code: '486' });
    expect(await rig.call(call.id)).toMatchObject({
      status: ended,
      ended_reason: reason,
      provider_code: '486',
    });
    expect(await rig.eventTypes(call.id)).toEqual(['call.initiated', 'call.failed']);
  });

  it('that the sound of an answered call could not begin ends it at once, and nobody waits in silence', async () => {
    const { rig, call } = await ringing();
    await rig.carrier.answer();
    const { provider_call_id: providerCallId } = await rig.call(call.id);
    await rig.callService.carrierHost.streamFailed({ carrier: 'scripted', providerCallId: providerCallId! });
    expect(await rig.call(call.id)).toMatchObject({ status: 'failed', ended_reason: 'stream_not_opened' });
    expect(rig.carrier.hungUp).toEqual([providerCallId]);
  });

  it('makes a call that only reports its end announce what it left out, in order', async () => {
    const { rig, call } = await ringing();
    await rig.carrier.report('completed');
    expect(await rig.eventTypes(call.id)).toEqual([
      'call.initiated',
      'call.connected',
      'call.in_progress',
      'call.completed',
    ]);
    expect(await rig.call(call.id)).toMatchObject({ status: 'completed', ended_reason: 'customer_hangup' });
  });

  it('of a call that this process has placed needs no look at the database first', async () => {
    const { rig, call } = await ringing();
    await rig.until(async () => (await rig.call(call.id)).provider_call_id !== null);
    const asked: unknown[] = [];
    const { store } = rig;
    const [read, write] = [store.read.bind(store), store.write.bind(store)];
    store.read = (unit, args) => (asked.push(unit), read(unit, args));
    store.write = (unit, args) => (asked.push(unit), write(unit, args));
    await rig.carrier.report('ringing');
    expect(asked).not.toContain(carrierTransactions.ringing);
    await rig.carrier.report('answered');
    await rig.carrier.report('completed', { hungUpBy: 'customer' });
    expect(asked).not.toContain(carrierTransactions.find);
    expect(await rig.call(call.id)).toMatchObject({ status: 'completed', ended_reason: 'customer_hangup' });
  });

  it('is heard by a process that has not placed the call', async () => {
    const { rig, call } = await ringing();
    const { host } = rig.carrier;
    rig.build();
    expect(rig.carrier.host).not.toBe(host);
    await rig.carrier.report('ringing');
    await rig.carrier.report('answered');
    await rig.carrier.report('completed');
    expect(await rig.call(call.id)).toMatchObject({ ended_reason: 'stream_not_opened' });
  });

  it('is heard whatever the carrier calls it: by its own id when our reference is not given back', async () => {
    const { rig, call } = await ringing();
    await rig.until(async () => (await rig.call(call.id)).provider_call_id !== null);
    const providerCallId = (await rig.call(call.id)).provider_call_id!;
    await rig.carrier.host!.report({
      carrier: 'scripted',
      dialRef: null,
      providerCallId,
      status: 'busy',
      code: null,
      hungUpBy: null,
      at: 0,
    });
    expect((await rig.call(call.id)).ended_reason).toBe('busy');
  });

  it.each(['ringing', 'answered', 'busy'] as const)(
    'renames a call whose carrier had answered with another id, with %s',
    async (status) => {
      const { rig, call } = await ringing();
      await rig.until(async () => (await rig.call(call.id)).provider_call_id !== null);
      const placedAs = (await rig.call(call.id)).provider_call_id!;
      await rig.carrier.report(status, { providerCallId: 'another', placedAs: 'not_this_one' });
      expect((await rig.call(call.id)).provider_call_id).toBe(placedAs);
      await rig.carrier.report(status, { providerCallId: 'its_real_id', placedAs });
      expect((await rig.call(call.id)).provider_call_id).toBe('its_real_id');
    },
  );

  it.each(['ringing', 'answered'] as const)(
    'renames it too when the answer is written down while %s is taken in',
    async (status) => {
      const { rig, call } = await ringing();
      await rig.until(async () => (await rig.call(call.id)).provider_call_id !== null);
      const placedAs = (await rig.call(call.id)).provider_call_id!;
      // Whoever took the report in had seen a call without any id.
      const report = {
        carrier: 'scripted',
        dialRef: rig.carrier.placed.at(-1)!.dialRef,
        status,
        placedAs,
        providerCallId: 'its_real_id',
        code: null,
        hungUpBy: null,
        at: 0,
      };
      const links = () => ({ recordingUrl: '', transcriptUrl: '' });
      const context = createTxContexts({ clock: rig.clock, links }).now(call.id);
      if (status === 'ringing')
        await rig.store.write(carrierTransactions.ringing, { callId: call.id, report, at: 0 });
      else await rig.store.write(carrierTransactions.connected, { callId: call.id, report, context });
      expect((await rig.call(call.id)).provider_call_id).toBe('its_real_id');
    },
  );

  it('hangs up by the id with which a picked-up call has asked what to do', async () => {
    const { rig, call } = await ringing();
    await rig.until(async () => (await rig.call(call.id)).provider_call_id !== null);
    const placedAs = (await rig.call(call.id)).provider_call_id!;
    const { dialRef } = rig.carrier.placed.at(-1)!;
    await rig.carrier.host!.answer({ carrier: 'scripted', dialRef, providerCallId: 'its_real_id', placedAs });
    await rig.callService.calls.disconnect(PRINCIPAL, call.id);
    await rig.until(() => rig.carrier.hungUp.length > 0);
    expect(rig.carrier.hungUp).toEqual(['its_real_id']);
  });

  it('keeps the id of a report that was faster than the answer to our request', async () => {
    const { rig, call } = await ringing();
    await rig.until(async () => (await rig.call(call.id)).provider_call_id !== null);
    const { dialRef } = rig.carrier.placed.at(-1)!;
    const placedAs = (await rig.call(call.id)).provider_call_id!;
    await rig.carrier.report('ringing', { providerCallId: 'its_real_id', placedAs });
    await rig.store.write(dialTransactions.placed, {
      attemptId: dialRef,
      callId: call.id,
      providerCallId: placedAs,
      at: 0,
    });
    expect((await rig.call(call.id)).provider_call_id).toBe('its_real_id');
  });

  it('about calls that nobody knows changes nothing', async () => {
    const { rig, call } = await ringing();
    await rig.carrier.report('completed', { dialRef: 'dial_unknown', providerCallId: 'unknown' });
    expect((await rig.call(call.id)).ended_at).toBeNull();
  });

  it('in any order and however often, ends a call once, with one reason and one terminal event', async () => {
    const { rig } = await ringing();
    const status = fc.constantFrom<CarrierStatus>(
      'ringing',
      'answered',
      'completed',
      'busy',
      'no_answer',
      'rejected',
      'failed',
      'cancelled',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(status, { minLength: 1, maxLength: 7 }), async (statuses) => {
        const before = rig.carrier.placed.length;
        const call = await rig.create();
        await rig.until(() => rig.carrier.placed.length > before);
        const { dialRef } = rig.carrier.placed.at(-1)!;
        await Promise.all(statuses.map((reported) => rig.carrier.report(reported, { dialRef })));
        const early = await rig.call(call.id);
        await rig.carrier.report('completed', { dialRef });
        await rig.carrier.report('busy', { dialRef });
        const late = await rig.call(call.id);
        expect(callMachine.isFinal(late.status)).toBe(true);
        const ends = ({ status: state, ended_at, ended_reason }: CallRow) => ({
          state,
          ended_at,
          ended_reason,
        });
        if (early.ended_at !== null) expect(ends(late)).toEqual(ends(early));
        const types = await rig.eventTypes(call.id);
        expect(new Set(types).size).toBe(types.length);
        const terminals = types.filter((type) => TERMINAL.includes(type));
        expect(terminals).toHaveLength(1);
        if (late.status === 'failed' && late.answered_at === null)
          expect(types).not.toContain('call.connected');
      }),
      { numRuns: 60 },
    );
  });
});
