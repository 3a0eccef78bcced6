import { afterAll, beforeAll, expect, it } from 'vitest';
import { placeCall, wordsOf } from '#test/support/call-story.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { drawn } from '#test/support/tier.js';
import { VirtualClock } from '#test/support/virtual-clock.js';
import { ASKING_ONCE, storyOf, type Story } from '#test/e2e/sandbox-calls.js';

const IN_A_CROWD = '+15550100017';
const SCREENS_CALLS = '+15550100020';

/** One of them in each run: either call lasts for minutes. */
const CALLED = drawn(1, [IN_A_CROWD, SCREENS_CALLS]);

let service: TestService;
let stories: Map<string, Story>;

beforeAll(async () => {
  service = await buildTestService({ time: new VirtualClock() });
  const { body } = await service.request('POST', '/api/agents', { ...ASKING_ONCE, voice: 'rms' });
  const agent_id = (body as { id: string }).id;
  const called = CALLED.map(async (to_number) => {
    const id = await placeCall(service.request, { to_number, agent_id });
    return [to_number, await storyOf(service, id)] as const;
  });
  stories = new Map(await Promise.all(called));
});
afterAll(() => service?.close());

it.runIf(CALLED.includes(SCREENS_CALLS))(
  'whoever is put through by a service that screens calls is understood in the end',
  () => {
    const { call, entries } = stories.get(SCREENS_CALLS)!;
    expect(call.status).toBe('completed');
    expect(call.metrics.resolution_achieved, JSON.stringify(entries)).toBe(true);
  },
);

it.runIf(CALLED.includes(IN_A_CROWD))(
  'a crowd that never falls silent is asked again, and the call ends',
  () => {
    const { call, entries } = stories.get(IN_A_CROWD)!;
    expect(call).toMatchObject({
      status: 'completed',
      ended_reason: expect.stringMatching(/^(agent_hangup|silence_timeout)$/),
    });
    const asked = entries.filter(
      ({ speaker, text }) => speaker === 'agent' && /do you have a minute/i.test(text),
    );
    expect(asked.length, JSON.stringify(entries)).toBeGreaterThanOrEqual(2);
  },
);

it.runIf(CALLED.includes(SCREENS_CALLS))(
  'the service hears who calls, and so does whoever it puts through',
  () => {
    const { entries } = stories.get(SCREENS_CALLS)!;
    const { initial_message: opening } = ASKING_ONCE;
    const told = entries.filter(
      ({ speaker, text }) => speaker === 'agent' && wordsOf(text) === wordsOf(opening),
    );
    expect(told.length, JSON.stringify(entries)).toBeGreaterThanOrEqual(2);
  },
);
