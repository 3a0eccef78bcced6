import { beforeEach, expect, it } from 'vitest';
import { CallRig } from '#test/support/call-rig.js';

let rig: CallRig;
beforeEach(async () => {
  rig = await CallRig.open();
  await rig.callService.start();
});

/** A carrier tells what the call on a line cost. */
function tell(providerCallId: string, usd: number): Promise<void> {
  return rig.callService.carrierHost.priced({
    carrier: rig.carrier.name,
    dialRef: null,
    providerCallId,
    usd,
  });
}

async function talked(): Promise<{ callId: string; line: string; end: () => Promise<void> }> {
  const call = await rig.talking();
  const end = async () => {
    rig.conversations.at(-1)!.end({ by: 'agent' });
    await rig.reaches(call.id, 'completed');
  };
  return { callId: call.id, line: call.provider_call_id!, end };
}

it('what a carrier charges is not known until it has said so, after the end', async () => {
  const { callId, line, end } = await talked();
  await end();
  expect((await rig.call(callId)).cost).toMatchObject({ carrier_usd: null, is_complete: false });
  const announced = await rig.eventTypes(callId);
  await tell(line, 0.0105);
  await tell(line, 0.0105);
  const call = await rig.call(callId);
  expect(call.cost).toMatchObject({ carrier_usd: 0.0105, total_usd: 0.0105, is_complete: true });
  expect(call.cost_usd).toBe(0.0105);
  expect(await rig.eventTypes(callId)).toEqual(announced);
});

it('or before the end is written; a line that nobody knows costs nothing', async () => {
  const { callId, line, end } = await talked();
  await tell(line, 0.02);
  await tell('CA-of-nobody', 5);
  expect((await rig.call(callId)).cost).toBeNull();
  await end();
  expect((await rig.call(callId)).cost).toMatchObject({ carrier_usd: 0.02, is_complete: true });
});
