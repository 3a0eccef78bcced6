import { describe, expect, it } from 'vitest';
import { CarrierError } from '#telephony/port/carrier.js';
import { lookTransactions } from '#test/support/call-look-transactions.js';
import { CallRig } from '#test/support/call-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';
import { providerIdOf } from '#test/support/scripted-carrier.js';

/** A call that was cancelled while nobody knew whether its carrier had taken it. */
async function cancelled() {
  const rig = await CallRig.started();
  rig.carrier.answers.push(() => Promise.reject(new CarrierError('unknown', 'timeout', 'no answer')));
  const call = await rig.create();
  await rig.until(() => rig.carrier.placed.length === 1);
  void rig.callService.calls.disconnect(PRINCIPAL, call.id);
  await rig.reaches(call.id, 'cancelled');
  const { dialRef } = rig.carrier.placed[0]!;
  return { rig, call, dialRef, line: providerIdOf(dialRef) };
}

async function attemptOf(rig: CallRig, callId: string) {
  const [attempt] = await rig.store.read(lookTransactions.attempts, { callId });
  return attempt;
}

describe('the line of a call that was over before its line was known', () => {
  it.each(['ringing', 'answered'] as const)(
    'is hung up when its carrier reports it as %s',
    async (status) => {
      const { rig, call, line } = await cancelled();
      await rig.carrier.report(status);
      expect(rig.carrier.hungUp).toEqual([line]);
      // It rings on: the carrier did not hear of it.
      await rig.carrier.report(status);
      expect(rig.carrier.hungUp).toEqual([line, line]);
      expect(await rig.call(call.id)).toMatchObject({ status: 'cancelled', provider_call_id: line });
      expect(await attemptOf(rig, call.id)).toMatchObject({ status: 'ended' });
      expect(await rig.eventTypes(call.id)).toEqual(['call.initiated', 'call.failed']);
    },
  );

  it('is hung up when the carrier says, asked for it, that it has it', async () => {
    const { rig, call, line } = await cancelled();
    rig.carrier.found = () => ({ found: true, providerCallId: line, status: 'ringing' });
    await rig.until(() => rig.carrier.hungUp.length > 0);
    expect(rig.carrier.hungUp).toEqual([line]);
    expect(await attemptOf(rig, call.id)).toMatchObject({ status: 'ended' });
    expect(await rig.call(call.id)).toMatchObject({ status: 'cancelled' });
  });

  it('does not lead to another call when the carrier does not know it', async () => {
    const { rig, call } = await cancelled();
    await rig.pass(60_000, 1_000);
    expect(rig.carrier.lookedUp).toHaveLength(2);
    expect(rig.carrier.placed).toHaveLength(1);
    expect(await attemptOf(rig, call.id)).toMatchObject({ status: 'ended' });
    expect(await rig.eventTypes(call.id)).toEqual(['call.initiated', 'call.failed']);
  });
});
