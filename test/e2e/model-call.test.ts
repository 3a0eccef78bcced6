import { afterAll, beforeAll, expect, it } from 'vitest';
import { callUsageResource, transcriptResource } from '#calls/resources/talk-resource.js';
import type { ToolRequest } from '#dialogue/tools/tool-http.js';
import { createPacingTimer } from '#media/pacing/pacing-timer.js';
import { callOnce, told, transcriptOf } from '#test/support/call-story.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { callOf, createScriptedModel, text, type ScriptedAnswer } from '#test/support/answering-model.js';
import { modelsOf } from '#test/support/models-rig.js';
import { Receiver, trustedCertificate } from '#test/support/receiver.js';
import { TalkingClient } from '#test/support/talking-client.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';
import { VirtualClock } from '#test/support/virtual-clock.js';

const SECRET = 'sk-very-secret-value';
const USAGE = { inputTokens: 100, cachedInputTokens: null, outputTokens: 20 };
const finish = { type: 'finish', reason: 'stop', usage: USAGE } as const;
const ANSWERS: ScriptedAnswer[] = [
  [text('Let me look.'), callOf('find_slot', { day: 'Tuesday' }), finish],
  [text('Nine is free. Goodbye.'), callOf('end_call', { summary: 'A visit at nine.' }), finish],
];

/** A provider that needs no settings of the operator. */
const SERVED = { ai_provider: 'custom', model_settings: { url: 'https://dialogue.example/v1' } };

const time = new VirtualClock();
const pacingTimer = createPacingTimer({ clock: time, log: createMemoryLog().log });
let service: TestService;
let receiver: Receiver;
const sent: ToolRequest[] = [];
const model = createScriptedModel((_, index) => ANSWERS[index] ?? 'What else?');

/** What OpenAI answers to a key, or a model, that it does not know. */
const REFUSALS: Readonly<Record<string, { status: number; code: string }>> = {
  'wrong-key': { status: 401, code: 'invalid_api_key' },
  'gpt-none': { status: 404, code: 'model_not_found' },
};
const refusing = modelsOf(
  { OPENAI_API_KEY: SECRET },
  {
    clock: time,
    fetch: (_, init) => {
      const body = typeof init?.body === 'string' ? init.body : '{}';
      const { model: name } = JSON.parse(body) as { model: string };
      const { status, code } = REFUSALS[name]!;
      return Promise.resolve(Response.json({ error: { code, message: `Not ${SECRET}` } }, { status }));
    },
  },
);

beforeAll(async () => {
  const { certificate, caFile } = await trustedCertificate();
  receiver = await Receiver.open(certificate);
  service = await buildTestService({
    time,
    environment: { WEBHOOK_CA_FILE: caFile },
    replace: {
      resolveModel: ({ model: name }) =>
        name !== null && Object.hasOwn(REFUSALS, name)
          ? refusing.resolve({ provider: 'openai', model: name })
          : model,
      sendToolRequest: async (request) => {
        sent.push(request);
        return { status: 200, body: `{"slot":"nine","key":"${SECRET}"}` };
      },
    },
  });
  await service.request('PUT', '/api/secrets/crm_key', { value: SECRET });
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

async function callerOf(agent: Record<string, unknown>): Promise<TalkingClient> {
  const { body } = await service.request('POST', '/api/agents', agent);
  const { id } = body as { id: string };
  const url = `${service.baseUrl.replace('http', 'ws')}/ws/stream/${id}?events=true`;
  const talker = await TalkingClient.open(url, {
    key: TEST_KEY,
    format: { sampleRateHz: 16000, encoding: 'pcm16' },
    pacingTimer,
  });
  await time.during(
    talker.client.until(() => talker.client.texts.some((event) => event['state'] === 'listening')),
  );
  return talker;
}

it('a call with a language model runs its tool and keeps what was said, called and used', async () => {
  const url = receiver.url;
  await service.request('POST', '/v1/webhooks', { url: `${url}/all`, events: ['*'] });
  await service.request('POST', '/v1/webhooks', { url: `${url}/tools`, events: ['call.tool_called'] });
  const talker = await callerOf({
    name: 'Reception',
    ...SERVED,
    model: 'script',
    initial_message: 'Hello.',
    system_prompt: 'You book visits. The call is {{call_id}}.',
    tools: [
      {
        name: 'find_slot',
        description: 'Free visits on a day',
        parameters: { type: 'object', properties: { day: { type: 'string' } } },
        url: 'https://crm.example/slots',
        headers: { authorization: 'Bearer {{secret.crm_key}}' },
      },
    ],
  });
  talker.client.say({ type: 'text', text: 'what is free on Tuesday' });
  expect(await time.during(talker.client.closed)).toEqual({ code: 1000, reason: 'agent_hangup' });

  const call = await time.during(callOnce(service.request, talker.callId));
  expect(call).toMatchObject({ status: 'completed', ended_reason: 'agent_hangup' });
  expect(model.complaints).toEqual([]);
  expect(model.requests[0]?.system).toContain(`The call is ${talker.callId}.`);
  expect(sent).toMatchObject([
    { headers: { 'x-call-id': talker.callId, authorization: `Bearer ${SECRET}` }, body: '{"day":"Tuesday"}' },
  ]);
  expect((await transcriptOf(service.request, talker.callId)).map(({ text: words }) => words)).toEqual([
    'Hello.',
    'what is free on Tuesday',
    'Let me look. Nine is free. Goodbye.',
  ]);
  const { tools } = await told(service.request, `/api/calls/${call.id}/transcript`, transcriptResource);
  expect(tools).toMatchObject([
    {
      role: 'tool',
      name: 'find_slot',
      arguments: '{"day":"Tuesday"}',
      status: 'ok',
      result: '{"slot":"nine","key":"[secret]"}',
    },
    { name: 'end_call', status: 'ok' },
  ]);
  const usage = await told(service.request, `/api/calls/${call.id}/usage`, callUsageResource);
  expect(usage.model).toEqual([
    {
      provider: 'scripted',
      model: 'script-1',
      requests: 2,
      input_tokens: 200,
      cached_input_tokens: null,
      output_tokens: 40,
    },
  ]);
  const events = await service.request('GET', `/api/calls/${call.id}/events`);
  expect(JSON.stringify(events.body)).toContain('"type":"tool_called"');
  expect(JSON.stringify([events.body, tools, service.logLines])).not.toContain(SECRET);

  await time.until(() => expect(typesAt('/all')).toContain('call.completed'));
  await time.until(() => expect(typesAt('/tools')).toHaveLength(2));
  expect(typesAt('/all')).not.toContain('call.tool_called');
  const data = new Map(eventsAt('/tools').map((event) => [event.data.name, event]));
  expect(data.get('end_call')).toMatchObject({ event_type: 'call.tool_called', data: { status: 'ok' } });
  expect(data.get('find_slot')?.data).toMatchObject({
    call_id: call.id,
    direction: 'inbound',
    arguments: '{"day":"Tuesday"}',
    status: 'ok',
    result: '{"slot":"nine","key":"[secret]"}',
  });
});

interface Event {
  event_type: string;
  webhook_id: string;
  data: { name?: string };
}

/** The events that came at a path, each once. */
function eventsAt(path: string): Event[] {
  const came = receiver.received
    .filter((received) => received.path === path)
    .map(({ body }) => JSON.parse(body) as Event);
  const once = new Map(came.map((event) => [event.webhook_id, event]));
  return [...once.values()];
}

const typesAt = (path: string) => eventsAt(path).map((event) => event.event_type);

it.each([
  ['wrong-key', 'openai refused the request with HTTP 401: the key is wrong, or may not use this model'],
  ['gpt-none', 'openai refused the request with HTTP 404: the model is not known there'],
])(
  'a call whose model is refused ("%s") ends with an apology and its reason in words',
  async (name, reason) => {
    const talker = await callerOf({
      name: 'Reception',
      ...SERVED,
      model: name,
      initial_message: 'Hello.',
      system_prompt: 'You book visits.',
    });
    talker.client.say({ type: 'text', text: 'what is free on Tuesday' });
    expect(await time.during(talker.client.closed)).toEqual({ code: 1011, reason: 'speech_provider_error' });

    const call = await time.during(callOnce(service.request, talker.callId));
    expect(call).toMatchObject({ status: 'failed', ended_reason: 'speech_provider_error' });
    const said = await transcriptOf(service.request, talker.callId);
    expect(said.at(-1)?.text).toMatch(/^I am sorry, I have a technical problem/);
    const events = JSON.stringify((await service.request('GET', `/api/calls/${call.id}/events`)).body);
    expect(events).toContain(reason);
    expect(events).not.toContain(SECRET);
  },
);
