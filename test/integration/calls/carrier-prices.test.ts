import { beforeEach, describe, expect, it } from 'vitest';
import type { CarrierPriceAnswer } from '#telephony/port/carrier.js';
import { lookTransactions } from '#test/support/call-look-transactions.js';
import { sqlTransactions } from '#test/support/sql-transactions.js';
import { CallRig } from '#test/support/call-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';

let rig: CallRig;
beforeEach(async () => {
  rig = await CallRig.open();
  await rig.callService.start();
});

/** A carrier tells what the call on a line cost. */
function tell(providerCallId: string, usd: number): Promise<void> {
  return rig.callService.carrierHost.acceptPrice({
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

describe('the price of a carrier that is to be asked', () => {
  /** What it answers, one after the other; the last one again and again. */
  function answers(...given: (CarrierPriceAnswer | Error)[]): string[] {
    const asked: string[] = [];
    rig.carrier.priceOf = async (line) => {
      asked.push(line);
      const answer = given[Math.min(asked.length, given.length) - 1]!;
      if (answer instanceof Error) throw answer;
      return answer;
    };
    return asked;
  }

  /** The work that asks. */
  const jobs = async (callId: string) =>
    (await rig.store.read(lookTransactions.jobs, { callId })).filter(({ kind }) => kind === 'price');

  it('is asked for until it is known, with longer and longer waits', async () => {
    const asked = answers('later', new Error('the carrier is away'), 0.013);
    const { callId, line, end } = await talked();
    await end();
    await rig.pass(59_000, 5_000);
    expect(asked).toEqual([]);
    await rig.pass(5_000, 1_000);
    expect(asked).toEqual([line]);
    await rig.pass(60_000, 5_000);
    expect(asked).toEqual([line, line]);
    await rig.pass(100_000, 5_000);
    expect(asked).toHaveLength(2);
    await rig.pass(30_000, 5_000);
    expect(asked).toHaveLength(3);
    expect((await rig.call(callId)).cost).toMatchObject({ carrier_usd: 0.013, is_complete: true });
    expect(await jobs(callId)).toEqual([]);
  });

  it('is given up a day after the end, and at once by one that never says', async () => {
    answers('later');
    const { callId, end } = await talked();
    await end();
    const sql = `update calls set ended_at = ended_at - 24 * 3600000 where id = '${callId}'`;
    await rig.store.write(sqlTransactions.run, { sql });
    await rig.pass(65_000, 5_000);
    expect(await jobs(callId)).toMatchObject([{ status: 'failed', attempts: 1 }]);
    const asked = answers('never');
    const other = await talked();
    await other.end();
    await rig.pass(65_000, 5_000);
    expect([asked.length, await jobs(other.callId)]).toEqual([1, []]);
    expect((await rig.call(other.callId)).cost).toMatchObject({ carrier_usd: null });
  });

  it('is asked for again when the carrier says nothing, which delays neither other prices nor a shutdown', async () => {
    const silent = new Set<string>();
    rig.carrier.priceOf = (line) => (silent.has(line) ? new Promise(() => {}) : Promise.resolve(0.013));
    for (let line = 0; line < 3; line += 1) {
      const { line: name, end } = await talked();
      silent.add(name);
      await end();
    }
    const { callId, end } = await talked();
    await end();
    await rig.pass(90_000, 1_000);
    expect((await rig.call(callId)).cost).toMatchObject({ carrier_usd: 0.013 });
    await rig.settled(rig.stop());
  });

  it('is not asked for where the carrier was faster, or the call is erased', async () => {
    const asked = answers(0.5);
    const first = await talked();
    await first.end();
    await tell(first.line, 0.02);
    const second = await talked();
    await second.end();
    await rig.callService.calls.erase(PRINCIPAL, second.callId);
    await rig.pass(65_000, 5_000);
    expect(asked).toEqual([]);
    expect((await rig.call(first.callId)).cost).toMatchObject({ carrier_usd: 0.02 });
  });
});
