import { expect, it } from 'vitest';
import { BatchRig } from '#test/support/batch-rig.js';

const NOTHING = { batches: 0, batch_recipients: 0, calls: 0, call_events: 0, number_decisions: 0 };
/** Longer than the limit after which a batch without a new slice counts as abandoned. */
const STANDSTILL_MS = 61_000;

// The rows are written in five slices and deleted in as many parts.
it.each([
  ['the first rows', 1],
  ['the second', 2],
  ['the last', 5],
  ['it is whole', 6],
])('a batch whose maker stands still before %s, and goes on, is not made in part', async (_, write) => {
  const rig = await BatchRig.open();
  const made = rig.standStillWhileMaking(900, write, async () => {
    await rig.clock.advance(STANDSTILL_MS);
    await rig.feedOnce();
  });
  await expect(made).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });

  await rig.clock.advance(STANDSTILL_MS);
  await rig.feed();
  expect(await rig.counts()).toEqual(NOTHING);
  expect(await rig.queued()).toEqual([]);
});

it('a batch whose maker is slow, but not given up, is made whole', async () => {
  const rig = await BatchRig.open();
  const meanwhile = async () => {
    await rig.clock.advance(STANDSTILL_MS - 2_000);
    await rig.feedOnce();
  };
  expect(await rig.standStillWhileMaking(900, 3, meanwhile)).toMatchObject({ total_numbers: 900 });
  expect(await rig.counts()).toMatchObject({ batches: 1, batch_recipients: 900, calls: 900 });
});
