import { afterAll, beforeAll, expect, it } from 'vitest';
import { agentCreate } from '#agents/definitions/agent-input.js';
import { createAgents } from '#agents/definitions/agents.js';
import { BUILT_IN_ONLY } from '#test/support/known-providers.js';
import { startAgentService, type AgentService } from './agent-service.js';

let service: AgentService;
beforeAll(async () => {
  service = await startAgentService();
});
afterAll(() => service.close());

const warningsOf = async (agent: object) =>
  (await service.ask('POST', '/api/agents', { name: 'Voices', ...agent })).body.warnings.map(
    ({ message }) => message,
  );

it('says which voice and which language an agent will not have', async () => {
  expect(await warningsOf({ voice: 'nobody', language: 'de-DE' })).toEqual([
    "voice 'nobody' is none of 'builtin' (slt, rms); calls use its usual one.",
    "language 'de-DE' is kept, but 'builtin' speaks and hears only: en. Calls read out the texts, and hear what " +
      'callers say, as if it were that.',
  ]);
});

it.each([
  ['what is there', { voice: 'rms', language: 'en-AU' }, 0],
  ['the voice of somebody who is not there anyway', { voice: 'alloy', voice_provider: 'elevenlabs' }, 1],
])('has nothing to add about %s', async (_what, agent, count) =>
  expect(await warningsOf(agent)).toHaveLength(count),
);

it('says that nobody can be asked first where lines cannot be joined', async () => {
  const steps = { desk: { kind: 'transfer', mode: 'warm', to: '+14155550100' } };
  const agent = { name: 'Desk', playbook: { start: 'desk', steps } };
  expect(await warningsOf(agent)).toEqual([]);
  const lookups = { checkUrl: async () => {}, newSecret: () => 'whsec' };
  const agents = createAgents({ ...service, lookups, providers: BUILT_IN_ONLY, joinsLegs: false });
  const { warnings } = await agents.create('default', agentCreate.parse(agent), () => null);
  expect(warnings).toMatchObject([
    {
      code: 'warm_transfer_not_possible',
      message: expect.stringMatching(/^playbook\.steps\.desk .* cannot join/),
    },
  ]);
});

it.each([
  [true, []],
  [
    false,
    ['provider_not_configured', 'provider_not_configured', 'voice_not_known', 'language_without_phrases'],
  ],
])(
  'looks at voice and language of an agent only where they are used (model usable: %s)',
  async (configured, codes) => {
    const providers = {
      ...BUILT_IN_ONLY,
      ai: [...BUILT_IN_ONLY.ai, { name: 'openai-realtime', configured, speech_to_speech: true }],
      voice: [{ name: 'builtin', configured: true, voices: ['slt'] }],
    };
    const lookups = { checkUrl: async () => {}, newSecret: () => 'whsec' };
    const agents = createAgents({ ...service, lookups, providers });
    const fields = {
      ai_provider: 'openai-realtime',
      transcription_provider: 'deepgram',
      voice: 'marin',
      language: 'nl',
    };
    const agent = agentCreate.parse({ name: 'Realtime', ...fields });
    const { warnings } = await agents.create('default', agent, () => null);
    expect(warnings.map(({ code }) => code)).toEqual(codes);
  },
);

it('says which languages are not spoken, not changed to, or without phrases', async () => {
  expect(await warningsOf({ languages: ['en', 'es-MX'] })).toEqual([
    expect.stringMatching(/^language 'es-MX' is kept, but 'builtin' speaks and hears only: en\./),
    "languages are kept, but 'builtin' does not tell which one is spoken; calls stay in 'en'.",
  ]);
  expect(await warningsOf({ language: 'nl' })).toEqual([
    expect.stringMatching(/^language 'nl' is kept, but 'builtin' speaks and hears only/),
    expect.stringMatching(/^language 'nl' is kept, but the service has phrases only for: en, de, es\./),
  ]);
});

it('says which fields no agent has, and takes those of an agent that is sent back', async () => {
  const ignored = (field: string) => `${field} is not known here and was ignored; did you mean `;
  expect(await warningsOf({ playbok: {}, initialMessage: 'Hello' })).toEqual([
    `${ignored('playbok')}playbook?`,
    `${ignored('initialMessage')}initial_message?`,
  ]);
  const { body: agent } = await service.ask('POST', '/api/agents', { name: 'Whole' });
  const sentBack = await service.ask('PUT', `/api/agents/${agent.id}`, { ...agent, voyce: 'slt' });
  expect(sentBack.body.warnings.map(({ message }) => message)).toEqual([`${ignored('voyce')}voice?`]);
});

it('says that a prompt is not followed, and that single braces are read out', async () => {
  const playbook = { start: 'hi', steps: { hi: { kind: 'end', text: 'Hello {name}.' } } };
  expect(
    await warningsOf({ initial_message: 'Hi {first name}', system_prompt: 'Be kind.', playbook }),
  ).toEqual([
    "system_prompt is kept, but calls use ai_provider 'builtin', which follows the playbook alone.",
    'initial_message holds {first name}, which is read out; variables are written {{name}}.',
    'playbook.steps.hi.text holds {name}, which is read out; variables are written {{name}}.',
  ]);
});

it('says that prompt and tools are not used where the provider of the agent is not configured', async () => {
  const tools = [{ name: 'look_up', description: 'Looks up.', url: 'https://example.com/look' }];
  expect(await warningsOf({ ai_provider: 'openai', system_prompt: 'Be kind.', tools })).toEqual([
    "ai_provider 'openai' is not configured here; calls use 'builtin'.",
    "tools are kept, but calls use ai_provider 'builtin', which follows the playbook alone.",
    "system_prompt is kept, but calls use ai_provider 'builtin', which follows the playbook alone.",
  ]);
});

it('says which variable is one slip away from one that is filled', async () => {
  const ask = {
    kind: 'ask',
    text: 'Which appointment?',
    expect: { kind: 'anything' },
    save_as: 'appointment',
  };
  const playbook = {
    start: 'which',
    steps: {
      which: { ...ask, next: 'done', otherwise: 'done' },
      done: { kind: 'end', text: 'Your {{appointmnet|visit}}, {{Name}}. Goodbye.' },
    },
  };
  expect(await warningsOf({ initial_message: 'Hello {{nmae}}, I am {{agent_nam}}.', playbook })).toEqual([
    'initial_message holds {{nmae}}, which only the data of a call can fill; {{name}} is close to it.',
    'initial_message holds {{agent_nam}}, which only the data of a call can fill; {{agent_name}} is close to it.',
    'playbook.steps.done.text holds {{appointmnet}}, which only the data of a call can fill; {{appointment}} is close to it.',
    'playbook.steps.done.text holds {{Name}}, which only the data of a call can fill; {{name}} is close to it.',
  ]);
});

it('says nothing of variables that may well come with a call', async () => {
  const initial_message =
    'Hello {{name}}, {{first_name}}, {{clinic}}, {{game}}, {{order_id}}: {{agent_name}}.';
  expect(await warningsOf({ initial_message })).toEqual([]);
});
