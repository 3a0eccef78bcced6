import { afterAll, beforeAll, expect, it } from 'vitest';
import { callWithSummary, placeCall, transcriptOf } from '#test/support/call-story.js';
import { SHORT_AGENT } from '#test/support/short-talk.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { VirtualClock } from '#test/support/virtual-clock.js';

/** Talks, and says yes. */
const NUMBER = '+15550100001';

let service: TestService;
beforeAll(async () => {
  service = await buildTestService({ time: new VirtualClock() });
});
afterAll(() => service?.close());

it('a call that is not recorded is a talk like any other, and leaves no recording', async () => {
  const { body } = await service.request('POST', '/api/agents', SHORT_AGENT);
  const { id: agent_id } = body as { id: string };
  const callId = await placeCall(service.request, { to_number: NUMBER, agent_id, record_call: false });
  const call = await callWithSummary(service.request, callId, { isRecorded: false });
  expect(call).toMatchObject({ status: 'completed', ended_reason: 'agent_hangup', record_call: false });
  const speakers = (await transcriptOf(service.request, callId)).map(({ speaker }) => speaker);
  expect(speakers).toEqual(['agent', 'customer', 'agent']);
  expect((await service.request('GET', `/api/calls/${callId}/recording`)).status).toBe(404);
});
