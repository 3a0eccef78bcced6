import { expect, it } from 'vitest';
import { dialTransactions } from '#calls/dialling/dial-store.js';
import { BatchRig, numbersOf } from '#test/support/batch-rig.js';

/** Dials over some lines for a time, with calls of one second. */
async function dialFor(rig: BatchRig, ms: number, lines: number): Promise<Map<string, number>> {
  const dialled = new Map<string, number>();
  const live: { id: string; overAt: number }[] = [];
  for (const until = rig.clock.wallMs() + ms; rig.clock.wallMs() < until; await rig.clock.advance(100)) {
    const now = rig.clock.wallMs();
    while (live[0] && live[0].overAt <= now) await rig.end(live.shift()!.id, 'customer_hangup');
    await rig.settle();
    const limit = lines - live.length;
    const lease = { nodeId: 'node_test', leaseUntil: now + 45_000 };
    const queue = new Map((await rig.queued()).map(({ id, batchId }) => [id, batchId]));
    for (const { call_id: id } of await rig.store.write(dialTransactions.claim, {
      ...lease,
      now,
      limit,
      forBatches: limit,
    })) {
      const batchId = queue.get(id)!;
      dialled.set(batchId, (dialled.get(batchId) ?? 0) + 1);
      live.push({ id, overAt: now + 1_000 });
    }
    await rig.feed();
  }
  return dialled;
}

it('a large batch that came first does not keep one that comes later from calling', async () => {
  const rig = await BatchRig.open();
  const numbers = numbersOf(500);
  const large = await rig.make(numbers.slice(0, 400), { max_concurrency: 400 });
  await rig.feed();
  const small = await rig.make(numbers.slice(400), { max_concurrency: 400 });
  await rig.feed();
  await dialFor(rig, 12_000, 10);
  const dialled = await dialFor(rig, 10_000, 10);
  const [ofLarge, ofSmall] = [dialled.get(large.id) ?? 0, dialled.get(small.id) ?? 0];
  expect(ofLarge + ofSmall).toBe(100);
  expect(Math.abs(ofLarge - ofSmall)).toBeLessThanOrEqual(20);
});

it('one that comes later takes turns with it from its first call on', async () => {
  const rig = await BatchRig.open();
  const feed = async () => {
    while ((await rig.feedOnce()) > 0) await rig.clock.advance(1);
  };
  const numbers = numbersOf(500);
  const large = await rig.make(numbers.slice(0, 400), { max_concurrency: 400 });
  await feed();
  await rig.clock.advance(1_000);
  const small = await rig.make(numbers.slice(400), { max_concurrency: 400 });
  await feed();
  const turns = (await rig.queued()).map(({ batchId }) => batchId);
  expect(turns.slice(0, 60)).toEqual(
    Array.from({ length: 60 }, (_, i) => (i % 20 < 10 ? large.id : small.id)),
  );
});
