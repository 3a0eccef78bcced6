import { describe, expect, it } from 'vitest';
import type { RemoteCarrier } from '#telephony/port/carrier-webhooks.js';
import { answeredCall, FAILURES, order, OURS, REF, signal } from './placing.js';
import { openTelnyxRig } from './telnyx-rig.js';

describe('a call placed with Telnyx', () => {
  it.each(FAILURES)('fails with %o as %o', async (fault, expected, phones) => {
    const rig = await openTelnyxRig();
    rig.emulator.faults.creates.push(fault);
    await expect(rig.carrier.place(order(rig.numbers.answers), signal)).rejects.toMatchObject(expected);
    expect(await rig.phonesReached()).toBe(phones);
  });

  it('is not sent when its time is over, or a wrong application is named', async () => {
    const rig = await openTelnyxRig();
    const late = rig.carrier.place(order(rig.numbers.answers, { sendBefore: 0 }), signal);
    await expect(late).rejects.toMatchObject({ outcome: 'not_dialled', reason: 'late' });
    const anonymous = rig.carrier.place(order(rig.numbers.answers, { from: 'nobody' }), signal);
    await expect(anonymous).rejects.toMatchObject({ outcome: 'not_dialled', reason: 'refused' });
    expect(rig.emulator.calls).toEqual([]);
  });

  it('is found by what is written on it while it lives, after its answer was lost', async () => {
    const rig = await openTelnyxRig();
    rig.emulator.faults.creates.push({ kind: 'lost_answer' });
    await rig.carrier.place(order(rig.numbers.noAnswer), signal).catch(() => {});
    const { id } = rig.emulator.calls[0]!;
    const found = { found: true, providerCallId: id, status: 'ringing' };
    expect(await rig.carrier.lookUp(REF, null)).toEqual(found);
    expect(await rig.carrier.lookUp(REF, id)).toEqual(found);
    expect(await rig.carrier.lookUp('dial_01kakb8x6te1tr7m3qf0c9w2zz', null)).toEqual({ found: false });
    await rig.until(rig.host.reported(REF, 'timeout'));
    expect(await rig.carrier.lookUp(REF, null)).toEqual({ found: false });
    expect(await rig.carrier.lookUp(REF, id)).toMatchObject({ status: 'completed' });
  });

  it('is known by events that come before its answer, and twice', async () => {
    const rig = await openTelnyxRig();
    rig.emulator.faults.creates.push({ kind: 'callback_first' });
    rig.emulator.faults.callback = () => ({ copies: 2 });
    const { providerCallId } = await rig.carrier.place(order(rig.numbers.answers), signal);
    expect(rig.host.statuses(REF)).toContain('ringing');
    await rig.until(rig.host.reported(REF, 'answered'));
    await rig.pass(1_000);
    expect(rig.host.reports.every((report) => report.providerCallId === providerCallId)).toBe(true);
    // Both copies asked for a stream; the repeated command was ignored.
    expect(rig.host.answered).toHaveLength(2);
    expect(rig.emulator.calls[0]!.streams).toHaveLength(1);
  });

  it('is known by events in any order', async () => {
    const rig = await openTelnyxRig();
    rig.emulator.faults.callback = ({ status }) => (status === 'call.initiated' ? { delayMs: 3_000 } : {});
    const { providerCallId } = await rig.carrier.place(order(rig.numbers.answers), signal);
    await rig.until(rig.host.reported(REF, 'ringing'));
    expect(rig.host.statuses(REF)).toEqual(['answered', 'ringing']);
    expect(rig.host.answered).toMatchObject([{ dialRef: REF, providerCallId }]);
  });

  it('has its sound sent when it is answered, to an address with the token, in frames of μ-law', async () => {
    const rig = await openTelnyxRig();
    await answeredCall(rig);
    await rig.pass(1_000);
    const asked = rig.emulator.log.asked();
    expect(asked.find(({ path }) => path === '/v2/calls')?.form).not.toHaveProperty('stream_url');
    expect(asked.find(({ path }) => path.endsWith('/actions/streaming_start'))?.form).toMatchObject({
      stream_url: 'wss://voice.example.com/ws/stream/agent_1/st_1',
      stream_codec: 'PCMU',
      stream_bidirectional_mode: 'rtp',
      stream_bidirectional_codec: 'PCMU',
    });
    expect(rig.emulator.log.complaints).toEqual([]);
  });

  it('is not left in silence when its stream ends', async () => {
    const rig = await openTelnyxRig();
    const { call } = await answeredCall(rig);
    await rig.pass(500);
    call.streams[0]!.stop();
    await rig.until(rig.host.reported(REF, 'completed'));
    expect(call.cause).toBe('normal_clearing');
  });

  it('has keys pressed on it', async () => {
    const rig = await openTelnyxRig();
    const { providerCallId, call } = await answeredCall(rig);
    await rig.carrier.sendDigits!(providerCallId, '12w#', signal);
    expect(call.digits).toEqual(['12w#']);
  });
});

describe('a call handed over by Telnyx', () => {
  it('goes on without our stream, and ends with the other line', async () => {
    const rig = await openTelnyxRig();
    const { providerCallId, call } = await answeredCall(rig);
    await rig.pass(500);
    const to = '+15550100042';
    await rig.carrier.transfer!({ providerCallId, to, from: OURS }, signal);
    await rig.pass(3_000);
    expect(call.streams[0]!.isOver).toBe(true);
    expect(call.isOver).toBe(false);
    expect(call.otherLeg!.isAnswered).toBe(true);
    call.otherLeg!.person!.hangUp();
    expect(await rig.until(rig.host.reported(REF))).toMatchObject({ status: 'completed' });
  });

  it('ends when the other line is busy', async () => {
    const rig = await openTelnyxRig();
    const { providerCallId, call } = await answeredCall(rig);
    await rig.carrier.transfer!({ providerCallId, to: rig.numbers.busy, from: OURS }, signal);
    await rig.until(rig.host.reported(REF, 'completed'));
    expect(call.otherLeg!.cause).toBe('user_busy');
    expect(rig.emulator.log.complaints).toEqual([]);
  });
});

describe('a call that comes in at Telnyx', () => {
  it('is turned away as busy, unanswered; the words before it are left out', async () => {
    const rig = await openTelnyxRig();
    const arrived = rig.emulator.callIn({ from: '+15550100050', to: OURS });
    const { webhooks } = rig.carrier as RemoteCarrier;
    const line = { providerCallId: arrived.id, isAnswered: false };
    const busy = [
      { kind: 'say', text: 'Sorry.', language: 'en-US' },
      { kind: 'reject', reason: 'busy' },
    ] as const;
    await webhooks.perform!(line, busy, signal);
    await arrived.ended;
    expect(arrived).toMatchObject({ cause: 'user_busy', isAnswered: false });
    // Once more, it is over.
    await webhooks.perform!(line, [{ kind: 'hang_up' }], signal);
  });
});
