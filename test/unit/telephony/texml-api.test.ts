import { describe, expect, it } from 'vitest';
import type { PlaceRequest } from '#telephony/port/carrier.js';
import type { ApiFault } from '#test/support/emulators/faults.js';
import { openTexmlRig } from './texml-rig.js';

const REF = 'dial_01kakb8x6te1tr7m3qf0c9w2zd';
const order = (to: string): PlaceRequest => ({
  dialRef: REF,
  to,
  from: '+15550000000',
  ringTimeoutSeconds: 1,
  sendBefore: Number.MAX_SAFE_INTEGER,
});
const { signal } = new AbortController();

describe('a TeXML call placed with Telnyx', () => {
  it.each<[ApiFault, { outcome: string; reason: string }]>([
    [
      { kind: 'too_many', retryAfterSeconds: 1 },
      { outcome: 'not_dialled', reason: 'rate_limited' },
    ],
    [
      { kind: 'server_error', isDone: false },
      { outcome: 'unknown', reason: 'server_error' },
    ],
    [{ kind: 'broken_connection' }, { outcome: 'unknown', reason: 'server_error' }],
  ])('fails with %o as %o', async (fault, expected) => {
    const rig = await openTexmlRig();
    rig.emulator.faults.creates.push(fault);
    await expect(rig.carrier.place(order(rig.numbers.answers), signal)).rejects.toMatchObject(expected);
    expect(await rig.phonesReached()).toBe(0);
  });

  it('is known by its callbacks when its answer is lost, and asked for by its id', async () => {
    const rig = await openTexmlRig();
    rig.emulator.faults.creates.push({ kind: 'lost_answer' });
    const lost = rig.carrier.place(order(rig.numbers.noAnswer), signal);
    await expect(lost).rejects.toMatchObject({ outcome: 'unknown' });
    const { providerCallId } = await rig.until(rig.host.reported(REF, 'ringing'));
    expect(await rig.carrier.lookUp(REF, providerCallId)).toEqual({
      found: true,
      providerCallId,
      status: 'ringing',
    });
    await rig.until(rig.host.reported(REF, 'no_answer'));
    expect(await rig.carrier.lookUp(REF, providerCallId)).toMatchObject({ status: 'no_answer' });
    expect(await rig.carrier.lookUp(REF, 'v3:nobody')).toEqual({ found: false });
  });

  it('is asked for in the words of TeXML, and its sound comes in frames of μ-law', async () => {
    const rig = await openTexmlRig();
    await rig.carrier.place(order(rig.numbers.answers), signal);
    await rig.until(rig.host.reported(REF, 'answered'));
    await rig.pass(500);
    const { path } = rig.emulator.log.asked()[0]!;
    expect(path).toBe(`/v2/texml/Accounts/${rig.emulator.accountSid}/Calls`);
    const { order: taken, streams } = rig.emulator.calls[0]!;
    expect(Object.fromEntries(taken)).toMatchObject({ Method: 'POST', Timeout: '5', AsyncAmd: 'true' });
    expect(streams[0]!.isOpen).toBe(true);
    expect(rig.emulator.log.complaints).toEqual([]);
  });
});
