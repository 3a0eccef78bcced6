import { afterAll, beforeAll, expect, it } from 'vitest';
import { EVENT_CATALOGUE, NOTIFICATION_CATALOGUE } from '#events/event-catalogue.js';
import { EVENT_TYPE_NAMES } from '#events/event-types.js';
import { toInstant } from '#kernel/time/clock.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { Receiver, trustedCertificate } from '#test/support/receiver.js';
import { VirtualClock } from '#test/support/virtual-clock.js';

/** Hangs up while the agent is speaking; is busy; answers and hangs up at once. */
const [SPOKEN_TO, BUSY, BRIEF] = ['+15550100004', '+15550100005', '+15550100009'];
/**
 * Nobody dials in here, and no batch comes to nothing: those two carry the data of their neighbours. Tools are told of
 * where a model calls them: `test/e2e/model-call.test.ts`.
 */
const ABSENT = ['call.missed', 'batch.failed', 'call.tool_called'];
const EXPECTED = [...EVENT_CATALOGUE, ...NOTIFICATION_CATALOGUE].filter(({ type }) => !ABSENT.includes(type));
const TERMINAL = new Set(['call.completed', 'call.failed', 'call.missed', 'batch.completed', 'batch.failed']);

interface Envelope {
  event_type: string;
  webhook_id: string;
  data: { id: string };
}

const time = new VirtualClock();
let service: TestService;
let receiver: Receiver;
beforeAll(async () => {
  const { certificate, caFile } = await trustedCertificate();
  receiver = await Receiver.open(certificate);
  service = await buildTestService({ time, environment: { WEBHOOK_CA_FILE: caFile } });
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

async function post(url: string, payload: unknown = {}): Promise<{ id: string }> {
  const { status, body } = await service.request('POST', url, payload);
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body as { id: string };
}

function told(): Envelope[] {
  return receiver.received.map(({ body }) => JSON.parse(body) as Envelope);
}

it('what really happens is told as the schemas say, and every call and batch ends once', async () => {
  const tomorrow = toInstant(time.wallMs() + 86_400_000);
  await post('/v1/webhooks', { url: receiver.url });
  const agent = await post('/api/agents', {
    name: 'Receptionist',
    initial_message: 'Hello, this is the dental clinic. We are calling about your appointment tomorrow.',
    ai_provider: 'builtin',
    voice_provider: 'builtin',
  });
  for (const to_phone of [SPOKEN_TO, BUSY]) await post('/api/calls', { agent_id: agent.id, to_phone });
  for (const phone_number of [BRIEF, BUSY]) {
    const schedule = await post('/api/scheduled-calls', {
      agent_id: agent.id,
      name: 'Reminder',
      phone_number,
      scheduled_time: tomorrow,
      webhook_url: receiver.url,
      webhook_events: ['started', 'completed', 'failed'],
    });
    await post(`/api/scheduled-calls/${schedule.id}/trigger`);
  }
  const later = await post('/api/calls', {
    agent_id: agent.id,
    to_phone: BRIEF,
    scheduled_time: tomorrow,
  });
  await post(`/api/calls/${later.id}/disconnect`);
  await post('/batch/schedule-call', { name: 'Two', agent_id: agent.id, to_number: [BRIEF, BUSY] });

  const all = new Set(EXPECTED.map(({ type }): string => type));
  const isTold = () => {
    const envelopes = told();
    const types = new Set(envelopes.map(({ event_type }) => event_type));
    // One call is spoken, one busy, one called off, two are of schedules and two of the batch; and the batch itself.
    const ends = envelopes.filter(({ event_type }) => TERMINAL.has(event_type));
    return [...all].every((type) => types.has(type)) && ends.length >= 8;
  };
  await time.until(() => expect(isTold()).toBe(true));

  const byType = new Map([...EVENT_CATALOGUE, ...NOTIFICATION_CATALOGUE].map((entry) => [entry.type, entry]));
  for (const envelope of told()) {
    const { schema } = byType.get(envelope.event_type as (typeof EVENT_TYPE_NAMES)[number])!;
    const { data } = schema.shape;
    const exact = schema.extend({ data: (data as typeof schema).strict() }).strict();
    expect(exact.safeParse(envelope).error?.issues, envelope.event_type).toBeUndefined();
  }
  const ends = told().filter(({ event_type }) => TERMINAL.has(event_type));
  expect(ends).toHaveLength(8);
  expect(new Set(ends.map(({ data }) => data.id)).size).toBe(8);
  expect(ends.find(({ data }) => data.id === later.id)).toMatchObject({
    event_type: 'call.failed',
    data: { status: 'cancelled' },
  });
});
