import { expect, it } from 'vitest';
import { BatchRig } from '#test/support/batch-rig.js';

/** Ends the live calls, each with this cost. */
async function callAll(
  rig: BatchRig,
  costUsd: number,
  cost: string | null = '{"is_complete":true}',
): Promise<void> {
  const parts = ['total_usd', 'carrier_usd', 'hearing_usd', 'thinking_usd', 'speaking_usd'];
  const whole =
    cost && JSON.stringify({ ...Object.fromEntries(parts.map((part) => [part, null])), ...JSON.parse(cost) });
  const kept = whole === null ? 'null' : `'${whole}'`;
  await rig.sql(
    `update calls set cost_usd = ${costUsd}, cost = ${kept}, answered_at = created_at where ended_at is null`,
  );
  await rig.callAll('agent_hangup');
}

it('a batch pauses with a reason when the known cost of its calls reaches its budget', async () => {
  const rig = await BatchRig.open();
  const { id } = await rig.make(6, { budget_usd: 0.5, max_concurrency: 2 });
  await rig.feed();
  await callAll(rig, 0.2);
  expect(await rig.read(id)).toMatchObject({
    status: 'in_progress',
    cost_usd: 0.4,
    cost_is_complete: true,
    budget_usd: 0.5,
  });

  await callAll(rig, 0.2);
  expect(await rig.read(id)).toMatchObject({
    status: 'paused',
    pause_reason: 'budget_usd of 0.5 reached: the calls cost 0.6 so far',
  });
});

it('a batch says when not all of its cost is known', async () => {
  const rig = await BatchRig.open();
  const { id } = await rig.make(1);
  await rig.feed();
  await callAll(rig, 0.1, null);
  expect(await rig.read(id)).toMatchObject({ cost_usd: 0.1, cost_is_complete: false });
});
