import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, toInstant } from '../../src/kernel/time/clock.js';
import { callOnce, placeCall, transcriptOf, wordsOf } from '../support/call-story.js';
import { buildTestHouse, type TestHouse } from '../support/house.js';
import { unhurriedTime } from '../support/unhurried-time.js';

/** Asks not to be called again. */
const NUMBER = '+15550100022';
const DAY_MS = 86_400_000;
let house: TestHouse;
beforeAll(async () => {
  house = await buildTestHouse({ listen: true, replace: { clock: await unhurriedTime() } });
});
afterAll(() => house?.close());

it('somebody says that they want no more calls, and gets none', async () => {
  const later = await placeCall(house.request, {
    to_number: NUMBER,
    scheduled_time: toInstant(systemClock.wallMs() + DAY_MS),
  });
  const spoken = await placeCall(house.request, { to_number: NUMBER });
  const call = await callOnce(house.request, spoken);
  const heard = (await transcriptOf(house.request, spoken)).filter(({ speaker }) => speaker === 'customer');

  expect(wordsOf(heard[0]!.text)).toBe("don't call me again");
  expect(call).toMatchObject({ status: 'completed', ended_reason: 'agent_hangup' });
  expect((await house.request('GET', `/api/suppressions/${NUMBER}`)).body).toMatchObject({
    reason: 'opt_out',
    source: 'call',
    call_id: spoken,
  });
  expect((await house.request('GET', `/api/calls/${later}`)).body).toMatchObject({
    status: 'failed',
    ended_reason: 'suppressed',
  });

  const next = await placeCall(house.request, { to_number: NUMBER });
  expect(await callOnce(house.request, next)).toMatchObject({
    status: 'failed',
    ended_reason: 'suppressed',
  });
  const decisions = await house.request('GET', `/api/numbers/${NUMBER}/decisions?limit=1`);
  expect(decisions.body).toMatchObject({
    data: [{ call_id: next, explanation: 'Not called: the number is on the suppression list (opt_out).' }],
  });
});
