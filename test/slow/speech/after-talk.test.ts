import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readPersona } from '#telephony/sandbox/personas/persona-file.js';
import { PERSONAS } from '#telephony/sandbox/personas/personas.js';
import { callOnce, placeCall, transcriptOf } from '#test/support/call-story.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { VirtualClock } from '#test/support/virtual-clock.js';

const WANTS_A_PERSON = '+15550100201';
const WANTS_ANOTHER_CALL = '+15550100202';
const COLLEAGUE = '+15550100003';
const BUSY_COLLEAGUE = '+15550100005';

/** Asks for a person, or to be called at another time; its `desk` is a variable of the call. */
const AGENT = {
  name: 'Front desk',
  voice: 'rms',
  initial_message: 'Do you have a minute?',
  playbook: {
    start: 'minute',
    steps: {
      minute: {
        kind: 'ask',
        text: '{{initial_message}}',
        expect: { kind: 'yes_no' },
        next: 'goodbye',
        otherwise: 'goodbye',
      },
      desk: { kind: 'transfer', text: 'One moment.', to: '{{desk}}', otherwise: 'goodbye' },
      goodbye: { kind: 'end', text: 'Goodbye.' },
    },
    anywhere: { person: 'desk' },
  },
};

const LEDGER = join(temporaryFolder(), 'ledger.jsonl');
let service: TestService;
let agentId: string;

beforeAll(async () => {
  const own = [
    { number: WANTS_A_PERSON, text: 'can I talk to a person please' },
    { number: WANTS_ANOTHER_CALL, text: 'call me back tomorrow at three' },
  ].map(({ number, text }) =>
    readPersona({ number, name: 'Caller', script: [{ do: 'say', text }], thereafter: { do: 'hang_up' } }),
  );
  const sandbox = { personas: [...PERSONAS, ...own], journalPath: LEDGER };
  service = await buildTestService({ time: new VirtualClock(), replace: { sandbox } });
  const { body } = await service.request('POST', '/api/agents', AGENT);
  agentId = (body as { id: string }).id;
});
afterAll(() => service?.close());

function talkWith(number: string, more: Record<string, unknown> = {}) {
  return placeCall(service.request, { to_number: number, agent_id: agentId, ...more });
}

it('what callers ask for in the middle of a talk is done', async () => {
  const [handedOver, notHandedOver, later] = await Promise.all([
    talkWith(WANTS_A_PERSON, { customer_data: { desk: COLLEAGUE } }),
    talkWith(WANTS_A_PERSON, { customer_data: { desk: BUSY_COLLEAGUE } }),
    talkWith(WANTS_ANOTHER_CALL, { customer_data: { timezone: 'America/New_York' } }),
  ]);
  const over = (callId: string) => callOnce(service.request, callId);

  expect(await over(handedOver)).toMatchObject({
    status: 'completed',
    ended_reason: 'transferred',
    follow_up: { kind: 'transfer', to: COLLEAGUE },
  });
  const lastWords = { speaker: 'agent', text: 'One moment.', interrupted: false };
  expect((await transcriptOf(service.request, handedOver)).at(-1)).toMatchObject(lastWords);
  expect(readFileSync(LEDGER, 'utf8')).toMatch(new RegExp(`/transfer","to":"\\${COLLEAGUE}"`));

  expect(await over(notHandedOver)).toMatchObject({ ended_reason: 'agent_hangup', follow_up: null });
  expect((await transcriptOf(service.request, notHandedOver)).at(-1)!.text).toBe(
    'I am sorry, I could not connect you. Goodbye.',
  );

  const call = await over(later);
  expect(call.follow_up).toMatchObject({ kind: 'call_back', timezone: 'America/New_York' });
  const scheduleId = (call.follow_up as { schedule_id: string }).schedule_id;
  const schedule = await service.request('GET', `/api/scheduled-calls/${scheduleId}`);
  expect(schedule.body).toMatchObject({
    status: 'scheduled',
    phone_number: WANTS_ANOTHER_CALL,
    agent_id: agentId,
    timezone: 'America/New_York',
    scheduled_time: expect.stringMatching(/ 15:00:00$/),
  });
});
