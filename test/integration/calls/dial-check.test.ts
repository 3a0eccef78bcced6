import { expect, it } from 'vitest';
import { CallRig } from '#test/support/call-rig.js';

const LATE_MS = 40_000;
const STUCK = 'calls that are due are not dialled';

async function createMany(rig: CallRig, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await rig.create({ to_phone: `+1415555${1_000 + at}` });
}

it('calls that wait because the carrier takes only so many a second are no sign of trouble', async () => {
  const rig = await CallRig.open();
  rig.carrier.traits = { ...rig.carrier.traits, callsPerSecond: 1 };
  const callService = rig.build();
  await createMany(rig, 60);
  await callService.start();
  await rig.pass(LATE_MS);
  expect(rig.carrier.placed.length).toBeLessThan(45);
  await expect(callService.checkDialler()).resolves.toBeUndefined();
});

it('calls that wait for a slot are no sign of trouble, nor is the slot that becomes free', async () => {
  const rig = await CallRig.open({ maxConcurrentCalls: 1 });
  await rig.callService.start();
  await createMany(rig, 3);
  await rig.until(() => rig.carrier.placed.length === 1);
  await rig.pass(LATE_MS);
  await expect(rig.callService.checkDialler()).resolves.toBeUndefined();
  const reported = rig.carrier.report('busy');
  await expect(rig.callService.checkDialler()).resolves.toBeUndefined();
  await reported;
});

it('calls that nobody dials are told of, after a while', async () => {
  const rig = await CallRig.open();
  await createMany(rig, 1);
  await rig.pass(LATE_MS / 2);
  await expect(rig.callService.checkDialler()).resolves.toBeUndefined();
  await rig.pass(LATE_MS / 2);
  await expect(rig.callService.checkDialler()).rejects.toThrow(STUCK);
  await rig.callService.start();
  await rig.until(() => rig.carrier.placed.length === 1);
  await expect(rig.callService.checkDialler()).resolves.toBeUndefined();
});
