import { describe, expect, it } from 'vitest';
import { BatchRig } from '#test/support/batch-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';

const [FIRST, SECOND] = ['+14151000000', '+14151000001'];
const BUSY_AGAIN = { max_retries: 1, retry_delay: 1, retry_on: ['busy'] };

/** An aborted batch of forty numbers: thirty calls failed, ten were never made. */
async function aborted() {
  const rig = await BatchRig.open();
  const { id } = await rig.make(40, { max_concurrency: 30 });
  await rig.feed();
  await rig.callAll('provider_error');
  await rig.feed();
  expect(await rig.read(id)).toMatchObject({ status: 'failed', failed_calls: 30, cancelled_calls: 10 });
  return { rig, id };
}

describe('the numbers of a batch', () => {
  it('are of people: a machine that was talked to makes no talk longer', async () => {
    const rig = await BatchRig.open();
    const { id } = await rig.make(2);
    await rig.feed();
    const [person, machine] = await rig.queued();
    await rig.sql(`update calls set status = 'active', answered_at = ${rig.clock.wallMs()}`);
    await rig.clock.advance(30_000);
    await rig.end(machine!.id, 'voicemail');
    await rig.clock.advance(30_000);
    await rig.end(person!.id, 'customer_hangup');
    await rig.settle();
    expect(await rig.read(id)).toMatchObject({ successfully_called: 1, avg_duration_seconds: 60 });
  });

  it('count a requeued number neither as failed nor as cancelled', async () => {
    const { rig, id } = await aborted();
    expect(await rig.batches.retryFailed(PRINCIPAL, id, () => null)).toBe(40);
    expect(await rig.read(id)).toMatchObject({ pending_calls: 40, failed_calls: 0, cancelled_calls: 0 });
  });
});

describe('a batch that was aborted and is taken up again', () => {
  it('is not aborted by the first call that the carrier does not take', async () => {
    const { rig, id } = await aborted();
    await rig.batches.retryFailed(PRINCIPAL, id, () => null);
    await rig.feed();
    const [call] = await rig.queued();
    await rig.end(call!.id, 'provider_error');
    await rig.settle();
    expect(await rig.read(id)).toMatchObject({ status: 'in_progress', failed_calls: 1 });
  });
});

describe('whose turn it is', () => {
  it("is the number due first: none waits behind another's retry", async () => {
    const rig = await BatchRig.open();
    await rig.make(2, { max_concurrency: 1, retry_policy: BUSY_AGAIN });
    await rig.feed();
    const [first] = await rig.queued();
    expect(first!.to).toBe(FIRST);
    await rig.end(first!.id, 'busy');
    await rig.clock.advance(2_000);
    await rig.settle();
    await rig.feed();
    expect(await rig.queued()).toMatchObject([{ to: SECOND }]);
  });
});

describe('a cap on attempts', () => {
  const oncePerDay = () => BatchRig.open({ mode: 'enforce', caps: [{ attempts: 1, hours: 24 }] });

  it('does not count a call of a batch that was ended before anybody dialled it', async () => {
    const rig = await oncePerDay();
    await rig.make([FIRST]);
    await rig.feed();
    await rig.callAll('cancelled');
    await rig.make([FIRST]);
    await rig.feed();
    expect(await rig.queued()).toMatchObject([{ to: FIRST }]);
  });

  it('counts one that was dialled, whatever it came to', async () => {
    const rig = await oncePerDay();
    await rig.make([FIRST]);
    await rig.feed();
    await rig.sql(`update calls set status = 'connecting', started_at = ${rig.clock.wallMs()}`);
    await rig.callAll('busy');
    await rig.make([FIRST]);
    await rig.feed();
    expect(await rig.queued()).toEqual([]);
  });
});
