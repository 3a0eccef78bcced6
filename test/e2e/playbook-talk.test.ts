import { afterAll, beforeAll, expect, it } from 'vitest';
import { callUsageResource, transcriptResource } from '#calls/resources/talk-resource.js';
import type { ToolRequest } from '#dialogue/tools/tool-http.js';
import { PERSONAS } from '#telephony/sandbox/personas/personas.js';
import { readPersona } from '#telephony/sandbox/personas/persona-file.js';
import { callOf, createScriptedModel, text, type ScriptedAnswer } from '#test/support/answering-model.js';
import { callOnce, placeCall, told, transcriptOf } from '#test/support/call-story.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { VirtualClock } from '#test/support/virtual-clock.js';

const CALLER = '+15550100261';
const COLLEAGUE = '+15550100003';

const USAGE = { inputTokens: 100, cachedInputTokens: null, outputTokens: 20 };
const finish = { type: 'finish', reason: 'stop', usage: USAGE } as const;
const LOOKS: ScriptedAnswer = [text('Let me look.'), callOf('find_slot', { day: 'Tuesday' }), finish];
const SAVES: ScriptedAnswer = [callOf('save_answers', { day: 'next Tuesday' }), finish];

const AGENT = {
  name: 'Front desk',
  ai_provider: 'custom',
  model: 'script',
  model_settings: { url: 'https://dialogue.example/v1' },
  voice: 'rms',
  // Whether a reply is prepared in vain depends on when the recogniser's interim words come: usage would differ.
  turn_taking: { prepare_replies: false },
  initial_message: 'Hello, this is the dental clinic.',
  system_prompt: 'You are Ann.',
  tools: [
    {
      name: 'find_slot',
      description: 'Free visits on a day',
      parameters: { type: 'object', properties: { day: { type: 'string' } } },
      url: 'https://crm.example/slots',
    },
    { name: 'book', description: 'Books it', url: 'https://crm.example/book' },
  ],
  playbook: {
    start: 'wanted',
    steps: {
      wanted: {
        kind: 'ask',
        text: '{{initial_message}} Would you like to make an appointment?',
        expect: { kind: 'yes_no' },
        answers: { yes: 'agree', no: 'end' },
        otherwise: 'end',
      },
      agree: {
        kind: 'talk',
        text: 'Which day would suit you?',
        goal: 'Agree on a day.',
        tools: ['find_slot'],
        collect: { day: { kind: 'date', required: true, confirm: true } },
        exits: [{ when: { known: ['day'] }, next: 'reserve' }],
        max_turns: 5,
        otherwise: 'end',
      },
      reserve: { kind: 'tool', tool: 'book', with: { day: '{{day}}' }, on_error: 'end', next: 'desk' },
      desk: { kind: 'transfer', text: 'It is booked. One moment.', to: COLLEAGUE, otherwise: 'end' },
      end: { kind: 'end', text: 'Goodbye.' },
    },
  },
};

let service: TestService;
const sent: ToolRequest[] = [];
const model = createScriptedModel(({ messages }) => (messages.at(-1)?.role === 'tool' ? SAVES : LOOKS));

beforeAll(async () => {
  const said = ['yes please', 'on tuesday please', 'yes'];
  const caller = readPersona({
    number: CALLER,
    name: 'Caller',
    script: said.map((line) => ({ do: 'say', text: line })),
    thereafter: { do: 'hang_up' },
  });
  service = await buildTestService({
    time: new VirtualClock(),
    replace: {
      sandbox: { personas: [...PERSONAS, caller] },
      resolveModel: () => model,
      sendToolRequest: (request) => {
        sent.push(request);
        return Promise.resolve({ status: 200, body: '{"free":3}' });
      },
    },
  });
});
afterAll(() => service?.close());

it('a spoken call goes from a question to a talk, a tool step and a transfer', async () => {
  const { body } = await service.request('POST', '/api/agents', AGENT);
  const { id: agentId, warnings } = body as { id: string; warnings: unknown };
  expect(warnings).toEqual([]);
  const callId = await placeCall(service.request, { to_number: CALLER, agent_id: agentId });
  const call = await callOnce(service.request, callId);

  expect(call).toMatchObject({
    status: 'completed',
    ended_reason: 'transferred',
    follow_up: { kind: 'transfer', to: COLLEAGUE },
  });
  const entries = await transcriptOf(service.request, callId);
  expect(entries.filter(({ speaker }) => speaker === 'agent').map((entry) => entry.text)).toEqual([
    'Hello, this is the dental clinic. Would you like to make an appointment?',
    'Which day would suit you?',
    expect.stringMatching(/^Let me look\. Tuesday, .*: is that right\?$/) as string,
    'It is booked. One moment.',
  ]);
  expect(model.complaints).toEqual([]);
  expect(model.requests[0]?.system).toContain('You are Ann.\n\nWhat you have to do now: Agree on a day.');
  expect(model.requests[0]?.messages.slice(0, 2)).toEqual([
    { role: 'user', text: '(The call begins.)' },
    { role: 'assistant', text: entries[0]!.text, toolCalls: [] },
  ]);
  expect(sent.map(({ url, body: json }) => [url, json])).toEqual([
    ['https://crm.example/slots', '{"day":"Tuesday"}'],
    ['https://crm.example/book', expect.stringMatching(/^\{"day":"\d{4}-\d\d-\d\d"\}$/) as string],
  ]);
  const { tools } = await told(service.request, `/api/calls/${callId}/transcript`, transcriptResource);
  expect(tools.map(({ name, status }) => `${name} ${status}`)).toEqual([
    'find_slot ok',
    'save_answers ok',
    'book ok',
  ]);
  const usage = await told(service.request, `/api/calls/${callId}/usage`, callUsageResource);
  expect(usage.turns).toMatchObject([
    { turn: 1, provider: 'scripted', model: 'script-1', rounds: 2, input_tokens: 200, output_tokens: 40 },
  ]);
});

it('an agent shows the prompt of a talk step, and is refused where its tools and steps do not fit', async () => {
  const { body } = await service.request('POST', '/api/agents', AGENT);
  const { id } = body as { id: string };

  const prompt = await service.request('GET', `/api/agents/${id}/prompt?step=agree`);
  expect(prompt.body).toMatchObject({
    step: 'agree',
    system: expect.stringContaining('What you have to do now: Agree on a day.') as string,
    tools: [{ name: 'find_slot' }, { name: 'save_answers' }],
  });
  const none = await service.request('GET', `/api/agents/${id}/prompt?step=reserve`);
  expect(none).toMatchObject({ status: 400, body: { details: [{ field: 'query.step' }] } });

  const refused = await service.request('PATCH', `/api/agents/${id}`, { tools: [] });
  expect(refused).toMatchObject({
    status: 400,
    body: { details: [{ field: 'playbook.steps.agree.tools[0]' }, { field: 'playbook.steps.reserve.tool' }] },
  });
  const builtIn = await service.request('PATCH', `/api/agents/${id}`, { ai_provider: 'builtin' });
  expect(JSON.stringify(builtIn.body)).toContain('talk_without_model');
});
