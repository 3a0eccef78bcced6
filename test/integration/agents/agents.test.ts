import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_WORKSPACE } from '#access/keys/principal.js';
import { agentResource } from '#agents/definitions/agent.js';
import { defaultPlaybook } from '#playbook/definition/default-playbook.js';
import { startAgentService, type AgentService } from './agent-service.js';

let service: AgentService;
beforeAll(async () => {
  service = await startAgentService();
});
afterAll(() => service.close());

async function newAgent(fields: object = {}): Promise<string> {
  const { status, body } = await service.ask('POST', '/api/agents', { name: 'Receptionist', ...fields });
  expect(status).toBe(201);
  return body.id;
}

describe('POST /api/agents', () => {
  it('makes an agent of a name alone', async () => {
    const { status, headers, body } = await service.ask('POST', '/api/agents', { name: 'Receptionist' });
    expect(status).toBe(201);
    expect(headers['location']).toBe(`/api/agents/${body.id}`);
    expect(agentResource.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      agent_id: body.id,
      object: 'agent',
      initial_message: 'Hello {{name}}, this is {{agent_name}}.',
      ai_provider: 'builtin',
      voice_provider: 'builtin',
      language: 'en-US',
      variables: ['name'],
      status: 'active',
      is_default: false,
      playbook: null,
      warnings: [],
    });
    expect(body.id).toMatch(/^agent_[0-9a-z]{26}$/);
  });

  it('keeps every field, and says which providers will not be used', async () => {
    const given = {
      name: 'Night shift',
      initial_message: 'Hello {{name}}, it is about {{topic|your order}}.',
      ai_provider: 'openai',
      voice_provider: 'elevenlabs',
      transcription_provider: 'builtin',
      system_prompt: 'Be kind.',
      model: 'gpt-5-mini',
      voice: 'slt',
      language: 'en-GB',
      tools: [{ name: 'look_up', description: 'Looks it up', url: 'https://crm.example/look' }],
      playbook: defaultPlaybook,
      status: 'inactive',
      metadata: { team: 'north', nested: { deep: [1, null] } },
    };
    const { body } = await service.ask('POST', '/api/agents', given);
    expect(body).toMatchObject({ ...given, variables: ['name', 'topic'] });
    expect(body.warnings.map((warning) => warning.message)).toEqual([
      "ai_provider 'openai' is not configured here; calls use 'builtin'.",
      "voice_provider 'elevenlabs' is not configured here; calls use 'builtin'.",
      "tools are kept, but calls use ai_provider 'builtin', which follows the playbook alone.",
      "system_prompt is kept, but calls use ai_provider 'builtin', which follows the playbook alone.",
    ]);
    expect((await service.ask('GET', `/api/agents/${body.id}`)).body).toEqual(body);
  });

  it('takes null for a field that is left out, and ignores fields it does not know', async () => {
    const { status, body } = await service.ask('POST', '/api/agents', {
      name: 'Plain',
      initial_message: null,
      playbook: null,
      metadata: null,
      status: null,
      colour: 'red',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ metadata: {}, status: 'active', playbook: null });
  });

  it('answers a repeated request with the first agent', async () => {
    const key = { 'idempotency-key': 'make-one-agent' };
    const first = await service.ask('POST', '/api/agents', { name: 'Once' }, key);
    const second = await service.ask('POST', '/api/agents', { name: 'Once' }, key);
    expect(second).toMatchObject({ status: 201, body: first.body });
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect((await service.ask('POST', '/api/agents', { name: 'Twice' }, key)).status).toBe(422);
    const { body } = await service.ask('GET', '/api/agents?q=Once');
    expect(body.data).toHaveLength(1);
  });

  it.each<[string, unknown, string]>([
    ['no body', {}, 'name'],
    ['an empty name', { name: ' ' }, 'name'],
    ['a name that is no text', { name: 7 }, 'name'],
    ['a long name', { name: 'x'.repeat(201) }, 'name'],
    ['an empty message', { name: 'A', initial_message: '' }, 'initial_message'],
    ['a broken variable', { name: 'A', initial_message: 'Hello {{name' }, 'initial_message'],
    ['a provider that is no text', { name: 'A', ai_provider: 1 }, 'ai_provider'],
    ['an empty provider', { name: 'A', voice_provider: '' }, 'voice_provider'],
    ['a bad recogniser', { name: 'A', transcription_provider: [] }, 'transcription_provider'],
    ['a long prompt', { name: 'A', system_prompt: 'x'.repeat(32_001) }, 'system_prompt'],
    ['a bad model', { name: 'A', model: {} }, 'model'],
    ['a bad voice', { name: 'A', voice: false }, 'voice'],
    ['a language that is none', { name: 'A', language: 'English please' }, 'language'],
    ['tools that are no list', { name: 'A', tools: {} }, 'tools'],
    ['a tool that is no object', { name: 'A', tools: [{}, 'x'] }, 'tools[1]'],
    ['an unknown status', { name: 'A', status: 'asleep' }, 'status'],
    ['a default that is no flag', { name: 'A', is_default: 'yes' }, 'is_default'],
    ['a bad backup', { name: 'A', backup_agent_id: 5 }, 'backup_agent_id'],
    ['metadata that is no object', { name: 'A', metadata: [] }, 'metadata'],
    ['metadata that is too large', { name: 'A', metadata: { a: 'x'.repeat(70_000) } }, 'metadata'],
    ['a playbook without steps', { name: 'A', playbook: { start: 'a' } }, 'playbook.steps'],
    [
      'a playbook with a misspelt field',
      { name: 'A', playbook: { start: 'bye', steps: { bye: { kind: 'end', txet: 'Goodbye.' } } } },
      'playbook.steps.bye.txet',
    ],
    [
      'a playbook that leads nowhere',
      { name: 'A', playbook: { start: 'greet', steps: { greet: { kind: 'say', text: 'Hi.', next: 'x' } } } },
      'playbook.steps.greet.next',
    ],
  ])('refuses %s and names the field', async (_name, payload, field) => {
    const { status, body } = await service.ask('POST', '/api/agents', payload);
    expect(status).toBe(400);
    expect(body.code).toBe('validation_error');
    expect(body.details.map((detail) => detail.field)).toContain(field);
  });

  it('refuses a backup that does not exist', async () => {
    const answer = await service.ask('POST', '/api/agents', { name: 'A', backup_agent_id: 'agent_nobody' });
    expect(answer).toMatchObject({
      status: 404,
      body: { error: 'agent does not exist', details: [{ field: 'backup_agent_id' }] },
    });
  });

  it('asks for credentials first', async () => {
    const response = await service.server.inject({ method: 'POST', url: '/api/agents', payload: {} });
    expect(response.statusCode).toBe(401);
  });
});

describe('GET /api/agents', () => {
  it('pages newest first, and filters', async () => {
    const ids: string[] = [];
    for (const name of ['Page one', 'Page two', 'Page three']) ids.unshift(await newAgent({ name }));
    await service.ask('PATCH', `/api/agents/${ids[1]}`, { status: 'inactive' });
    const first = await service.ask('GET', '/api/agents?q=PAGE&limit=2');
    expect(first.body.data.map((agent) => agent.id)).toEqual(ids.slice(0, 2));
    expect(first.body).toMatchObject({ object: 'list', has_more: true });
    const second = await service.ask('GET', `/api/agents?q=page&limit=2&cursor=${first.body.next_cursor}`);
    expect(second.body.data.map((agent) => agent.id)).toEqual(ids.slice(2));
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null });
    const inactive = await service.ask('GET', '/api/agents?q=page&status=inactive');
    expect(inactive.body.data.map((agent) => agent.id)).toEqual([ids[1]]);
  });

  it('takes no sign of a search for a pattern', async () => {
    await newAgent({ name: '100% ready' });
    expect((await service.ask('GET', '/api/agents?q=100%25')).body.data).toHaveLength(1);
    expect((await service.ask('GET', '/api/agents?q=1%25y')).body.data).toHaveLength(0);
  });

  it.each([
    ['limit=0', 'query.limit'],
    ['limit=many', 'query.limit'],
    ['cursor=forged', 'query.cursor'],
    ['status=asleep', 'query.status[0]'],
    ['created_after=yesterday', 'query.created_after'],
    [`q=${'x'.repeat(101)}`, 'query.q'],
  ])('refuses %s', async (query, field) => {
    const { status, body } = await service.ask('GET', `/api/agents?${query}`);
    expect(status).toBe(400);
    expect(body.details[0]?.field).toBe(field);
  });
});

describe.each(['PUT', 'PATCH'] as const)('%s /api/agents/{agent_id}', (method) => {
  it('changes what is given and nothing else', async () => {
    const id = await newAgent({ voice: 'slt', metadata: { a: 1 } });
    const before = (await service.ask('GET', `/api/agents/${id}`)).body;
    const { status, body } = await service.ask(method, `/api/agents/${id}`, {
      name: 'Renamed',
      playbook: defaultPlaybook,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      name: 'Renamed',
      playbook: defaultPlaybook,
      updated_at: body.updated_at,
    });
    expect(body.updated_at > before.updated_at).toBe(true);
    expect((await service.ask('GET', `/api/agents/${id}`)).body).toEqual(body);
  });

  it('empties with null what may be empty', async () => {
    const id = await newAgent({ voice: 'slt', system_prompt: 'Be kind.', playbook: defaultPlaybook });
    const changes = { voice: null, system_prompt: null, playbook: null, name: null, language: null };
    const { body } = await service.ask(method, `/api/agents/${id}`, changes);
    expect(body).toMatchObject({ voice: null, system_prompt: null, playbook: null });
    expect(body).toMatchObject({ name: 'Receptionist', language: 'en-US' });
  });

  it('refuses what is wrong', async () => {
    const id = await newAgent();
    const { status, body } = await service.ask(method, `/api/agents/${id}`, { name: '', status: 3 });
    expect(status).toBe(400);
    expect(body.details.map((detail) => detail.field)).toEqual(['name', 'status']);
    const own = await service.ask(method, `/api/agents/${id}`, { backup_agent_id: id });
    expect(own).toMatchObject({ status: 400, body: { details: [{ field: 'backup_agent_id' }] } });
  });

  it('knows no agent of nobody', async () => {
    expect(await service.ask(method, '/api/agents/agent_nobody', {})).toMatchObject({
      status: 404,
      body: { error: 'agent does not exist', code: 'agent_not_found' },
    });
  });
});

describe('DELETE /api/agents/{agent_id}', () => {
  it('takes an agent away', async () => {
    const id = await newAgent();
    expect(await service.ask('DELETE', `/api/agents/${id}`)).toMatchObject({
      status: 200,
      body: { id, agent_id: id, object: 'agent', deleted: true },
    });
    expect((await service.ask('GET', `/api/agents/${id}`)).status).toBe(404);
    expect((await service.ask('DELETE', `/api/agents/${id}`)).status).toBe(404);
    expect((await service.ask('GET', `/api/agents?q=${id}`)).body.data).toEqual([]);
  });

  it('leaves an agent that a number or another agent relies on, unless forced', async () => {
    const id = await newAgent();
    const relying = await newAgent({ backup_agent_id: id });
    const number = { phone_number: '+14155550177', agent_id: id };
    await service.ask('POST', '/api/phone-numbers', number);
    const refused = await service.ask('DELETE', `/api/agents/${id}`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    expect((await service.ask('DELETE', `/api/agents/${id}?force=true`)).status).toBe(200);
    expect((await service.ask('GET', '/api/phone-numbers/%2B14155550177')).body.agent_id).toBeNull();
    expect((await service.ask('GET', `/api/agents/${relying}`)).body.backup_agent_id).toBeNull();
  });

  it('refuses a flag that is none', async () => {
    const { status, body } = await service.ask('DELETE', `/api/agents/${await newAgent()}?force=maybe`);
    expect(status).toBe(400);
    expect(body.details[0]?.field).toBe('query.force');
  });
});

describe('an agent of another workspace', () => {
  it('is unknown in every way', async () => {
    const foreign = await service.agents.create('elsewhere', { name: 'Foreign' }, () => null);
    const path = `/api/agents/${foreign.id}`;
    expect((await service.ask('GET', path)).status).toBe(404);
    expect((await service.ask('PATCH', path, { name: 'Mine' })).status).toBe(404);
    expect((await service.ask('DELETE', path)).status).toBe(404);
    expect((await service.ask('GET', '/api/agents?q=Foreign')).body.data).toEqual([]);
    const borrowed = await service.ask('POST', '/api/agents', { name: 'A', backup_agent_id: foreign.id });
    expect(borrowed.status).toBe(404);
    expect((await service.agents.get('elsewhere', foreign.id)).name).toBe('Foreign');
  });
});

describe('the default agent', () => {
  it('is made on first need, once, with the built-in conversation', async () => {
    const [first, second] = await Promise.all([
      service.agents.ensureDefault(DEFAULT_WORKSPACE),
      service.agents.ensureDefault(DEFAULT_WORKSPACE),
    ]);
    expect(second.id).toBe(first.id);
    const { body } = await service.ask('GET', `/api/agents/${first.id}`);
    expect(body).toMatchObject({ name: 'Receptionist', is_default: true, playbook: defaultPlaybook });
    expect((await service.agents.ensureDefault('elsewhere')).id).not.toBe(first.id);
  });

  it('can be another one', async () => {
    const before = await service.agents.ensureDefault(DEFAULT_WORKSPACE);
    const id = await newAgent({ name: 'New default', is_default: true });
    expect((await service.agents.ensureDefault(DEFAULT_WORKSPACE)).id).toBe(id);
    expect((await service.ask('GET', `/api/agents/${before.id}`)).body.is_default).toBe(false);
    await service.ask('PATCH', `/api/agents/${before.id}`, { is_default: true });
    expect((await service.agents.ensureDefault(DEFAULT_WORKSPACE)).id).toBe(before.id);
  });

  it('comes back as it was built when it is deleted', async () => {
    const before = await service.agents.ensureDefault(DEFAULT_WORKSPACE);
    expect((await service.ask('DELETE', `/api/agents/${before.id}`)).status).toBe(200);
    const after = await service.agents.ensureDefault(DEFAULT_WORKSPACE);
    expect(after.id).not.toBe(before.id);
    expect(after.playbook).toEqual(defaultPlaybook);
  });
});
