import { afterAll, beforeAll, expect, it } from 'vitest';
import { toInstant } from '#kernel/time/clock.js';
import { callOnce, placeCall, transcriptOf, wordsOf } from '#test/support/call-story.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { VirtualClock } from '#test/support/virtual-clock.js';

/** Asks not to be called again. */
const NUMBER = '+15550100022';
const DAY_MS = 86_400_000;
let service: TestService;
const time = new VirtualClock();
beforeAll(async () => {
  service = await buildTestService({ time });
});
afterAll(() => service?.close());

it('somebody says that they want no more calls, and gets none', async () => {
  const later = await placeCall(service.request, {
    to_number: NUMBER,
    scheduled_time: toInstant(time.wallMs() + DAY_MS),
  });
  const spoken = await placeCall(service.request, { to_number: NUMBER });
  const call = await callOnce(service.request, spoken);
  const heard = (await transcriptOf(service.request, spoken)).filter(({ speaker }) => speaker === 'customer');

  expect(wordsOf(heard[0]!.text)).toBe("don't call me again");
  expect(call).toMatchObject({ status: 'completed', ended_reason: 'agent_hangup' });
  expect((await service.request('GET', `/api/suppressions/${NUMBER}`)).body).toMatchObject({
    reason: 'opt_out',
    source: 'call',
    call_id: spoken,
  });
  expect((await service.request('GET', `/api/calls/${later}`)).body).toMatchObject({
    status: 'failed',
    ended_reason: 'suppressed',
  });

  const next = await placeCall(service.request, { to_number: NUMBER });
  expect(await callOnce(service.request, next)).toMatchObject({
    status: 'failed',
    ended_reason: 'suppressed',
  });
  const decisions = await service.request('GET', `/api/numbers/${NUMBER}/decisions?limit=1`);
  expect(decisions.body).toMatchObject({
    data: [
      { call_id: next, explanation: 'Not to be called: the number is on the suppression list (opt_out).' },
    ],
  });
});
