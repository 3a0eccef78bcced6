import { describe, expect, it } from 'vitest';
import { batchTxContext } from '#batches/record/batch-progress.js';
import { settleTransactions } from '#batches/settling/settle-store.js';
import { BatchRig } from '#test/support/batch-rig.js';

/** Ends the live calls, each with this cost. */
async function callAll(
  rig: BatchRig,
  costUsd: number,
  cost: string | null = '{"is_complete":true}',
): Promise<string[]> {
  const parts = ['total_usd', 'carrier_usd', 'hearing_usd', 'thinking_usd', 'speaking_usd'];
  const whole =
    cost && JSON.stringify({ ...Object.fromEntries(parts.map((part) => [part, null])), ...JSON.parse(cost) });
  const kept = whole === null ? 'null' : `'${whole}'`;
  await rig.sql(
    `update calls set cost_usd = ${costUsd}, cost = ${kept}, answered_at = created_at where ended_at is null`,
  );
  return (await rig.callAll('agent_hangup')).map((call) => call.id);
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

describe('the price of a line that comes after the end of its call', () => {
  /** A batch whose calls have ended, their lines still without a price. */
  async function called(budget_usd: number | null) {
    const rig = await BatchRig.open();
    const { id } = await rig.make(3, { budget_usd, max_concurrency: 2 });
    await rig.feed();
    const [first = '', second = ''] = await callAll(
      rig,
      0.2,
      '{"is_complete":false,"hearing_usd":0.2,"thinking_usd":0,"speaking_usd":0}',
    );
    const price = (callId: string, usd: number) =>
      rig.store.write(settleTransactions.priced, {
        callId,
        usd,
        context: batchTxContext(rig.ids, rig.clock.wallMs()),
      });
    return { rig, id, first, second, price };
  }

  it('is counted once by its batch, however often it is said', async () => {
    const { rig, id, first, second, price } = await called(null);
    expect(await rig.read(id)).toMatchObject({ cost_usd: 0.4, cost_is_complete: false });
    await price(first, 0.05);
    await price(first, 0.05);
    expect(await rig.read(id)).toMatchObject({ cost_usd: 0.45, cost_is_complete: false });
    await price(second, 0.02);
    expect(await rig.read(id)).toMatchObject({ cost_usd: 0.47, cost_is_complete: true });
    await price('call_of_nobody', 1);
    expect(await rig.read(id)).toMatchObject({ cost_usd: 0.47 });
  });

  it('may use up the budget', async () => {
    const { rig, id, first, price } = await called(0.45);
    expect(await rig.read(id)).toMatchObject({ status: 'in_progress' });
    await price(first, 0.1);
    expect(await rig.read(id)).toMatchObject({
      status: 'paused',
      pause_reason: 'budget_usd of 0.45 reached: the calls cost 0.5 so far',
    });
  });
});
