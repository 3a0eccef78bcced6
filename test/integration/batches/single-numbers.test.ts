import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { later, type BatchAnswer } from '../../support/batches.js';
import { once } from '../../support/call-story.js';
import { buildTestHouse, type TestHouse } from '../../support/house.js';
import { keptEvents } from '../../support/kept-events.js';

let house: TestHouse;
beforeAll(async () => {
  house = await buildTestHouse({ listen: true });
});
afterAll(() => house.close());

async function make(...numbers: string[]): Promise<BatchAnswer> {
  const wish = { to_number: numbers, scheduled_time: later() };
  return (await house.request('POST', '/batch/schedule-call', wish)).body as BatchAnswer;
}

describe('a handle with a time of its own', () => {
  it('is called then, also before its batch; the others wait for theirs', async () => {
    const batch = await make('+15550100009', '+15550100009', '+15550100001');
    const [first, , other] = batch.call_ids as [string, string, string];
    const now = later(0);
    expect(
      await house.request('PUT', `/batch/scheduled-calls/${first}`, { scheduled_time: now }),
    ).toMatchObject({
      body: { scheduled_time: now, scheduled_at: now },
    });
    await once(10_000, async () => {
      const { body } = await house.request('GET', `/batch/scheduled-calls/${first}`);
      expect(body).toMatchObject({ status: 'completed', attempts: 1 });
    });
    const waiting = await house.request('GET', `/batch/scheduled-calls/${other}`);
    expect(waiting.body).toMatchObject({ status: 'scheduled', attempts: 0 });
    await once(10_000, async () => {
      const { body } = await house.request('GET', `/api/batches/${batch.id}`);
      expect(body).toMatchObject({ status: 'in_progress', successfully_called: 1, pending_calls: 1 });
    });
  });
});

describe('a handle that is called off', () => {
  it.each(['callee', 'own'])('announces the end of a call that never was dialled, once: %s', async (kind) => {
    const batch = await make('+14155550123', '+14155550124');
    const wish = { to_number: '+14155550124', scheduled_time: later() };
    const { body } = await house.request('POST', '/outbound-call', wish);
    const callId = kind === 'callee' ? batch.call_ids[0]! : (body as { call_id: string }).call_id;
    const path = `/batch/scheduled-calls/${callId}`;
    await house.request('PUT', path, { status: 'cancelled' });
    await house.request('DELETE', path);
    const told = keptEvents(house.dataDir, callId);
    expect(told).toMatchObject([{ event_type: 'call.failed', data: { status: 'cancelled' } }]);
  });
});
