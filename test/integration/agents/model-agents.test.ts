import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ToolAnswer, ToolRequest } from '#dialogue/tools/tool-http.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';

const SECRET = 'sk-very-secret-value';
const TOOL = {
  name: 'find_slot',
  description: 'Free visits on a day',
  parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
  url: 'https://crm.example/slots',
  headers: { authorization: 'Bearer {{secret.crm_key}}' },
};

let service: TestService;
const sent: ToolRequest[] = [];
let nextAnswer: ToolAnswer = { status: 200, body: '' };

beforeAll(async () => {
  service = await buildTestService({
    replace: {
      sendToolRequest: async (request) => {
        sent.push(request);
        return nextAnswer;
      },
    },
  });
});
afterAll(() => service.close());

async function ask(method: string, url: string, payload?: unknown) {
  const { status, body } = await service.request(method, url, payload);
  return { status, body: body as Record<string, unknown> };
}

describe('secrets', () => {
  it('are set, listed without their values, used and deleted', async () => {
    const set = await ask('PUT', '/api/secrets/crm_key', { value: SECRET });
    expect(set).toMatchObject({ status: 200, body: { name: 'crm_key', last_used_at: null } });
    const listed = await ask('GET', '/api/secrets');
    expect(listed.body).toMatchObject({ data: [{ name: 'crm_key' }] });
    expect(JSON.stringify([set, listed])).not.toContain(SECRET);

    nextAnswer = { status: 200, body: `{"slot":"nine","echo":"${SECRET}"}` };
    const tried = await ask('POST', '/api/tools/test', {
      tool: { ...TOOL, save: { slot: '$.slot' } },
      arguments: { day: 'Tuesday' },
    });
    expect(sent.at(-1)?.headers['authorization']).toBe(`Bearer ${SECRET}`);
    expect(tried).toMatchObject({
      status: 200,
      body: {
        status: 'ok',
        result: '{"slot":"nine","echo":"[secret]"}',
        request: { headers: { authorization: 'Bearer [secret]' }, body: '{"day":"Tuesday"}' },
        saved: { slot: 'nine' },
      },
    });
    expect(JSON.stringify(tried)).not.toContain(SECRET);
    expect((await ask('GET', '/api/secrets')).body).toMatchObject({
      data: [{ last_used_at: expect.any(String) }],
    });

    expect(await ask('DELETE', '/api/secrets/crm_key')).toMatchObject({
      status: 200,
      body: { deleted: true },
    });
    expect(await ask('DELETE', '/api/secrets/crm_key')).toMatchObject({ status: 404 });
  });

  it('lie encrypted, by a key that only our own user may read, and stand in no log', async () => {
    await ask('PUT', '/api/secrets/crm_key', { value: SECRET });

    const key = join(service.dataDir, 'secrets.key');
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect((await readFile(join(service.dataDir, 'callwright.db'))).includes(SECRET)).toBe(false);
    expect(JSON.stringify(service.logLines)).not.toContain(SECRET);
    expect(JSON.stringify(service.logLines)).not.toContain((await readFile(key, 'utf8')).trim());
  });

  it('sign requests of tools where the workspace wants that', async () => {
    await ask('PUT', '/api/secrets/tool_signing', { value: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0' });
    await ask('POST', '/api/tools/test', { tool: TOOL, arguments: { day: 'Tuesday' } });

    expect(sent.at(-1)?.headers).toMatchObject({ 'webhook-signature': expect.stringMatching(/^v1,/) });
    await ask('DELETE', '/api/secrets/tool_signing');
  });
});

describe('agents of language models', () => {
  it('keep their model, tools in our own shape, and tell what was lost', async () => {
    const created = await ask('POST', '/api/agents', {
      name: 'Reception',
      ai_provider: 'openai',
      model: 'gpt-4.1',
      model_settings: { temperature: 0.3 },
      fallbacks: { ai: [{ provider: 'anthropic' }] },
      turn_taking: { prepare_replies: false },
      system_prompt: 'You book visits for {{name}}.',
      tools: [
        {
          type: 'function',
          async: true,
          function: { name: 'find_slot', description: 'Free visits', parameters: { type: 'object' } },
          server: { url: 'https://crm.example/{{secret.other_key}}' },
        },
        { type: 'endCall' },
      ],
    });

    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      model_settings: { temperature: 0.3 },
      fallbacks: { ai: [{ provider: 'anthropic', model: null }] },
      tools: [
        { name: 'find_slot', method: 'POST', timeout_ms: 5_000 },
        { type: 'end_call', enabled: true },
      ],
    });
    const warnings = created.body['warnings'] as { code: string; message: string }[];
    expect(warnings.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('tools[0] was taken over in our own shape, but for: async'),
        expect.stringContaining('tools[0].url names the secret other_key, which does not exist'),
      ]),
    );
    const agent = await ask('GET', `/api/agents/${String(created.body['id'])}`);
    expect(agent.body).toMatchObject({
      model_settings: { temperature: 0.3 },
      turn_taking: { prepare_replies: false },
    });
  });

  it('with a server of their own may name secrets in its headers, and set none of ours', async () => {
    const custom = (headers: Record<string, string>) =>
      ask('POST', '/api/agents', {
        name: 'Own code',
        ai_provider: 'custom',
        model_settings: { url: 'https://dialogue.example/v1', headers },
        turn_taking: { prepare_replies: null },
        system_prompt: 'x',
      });
    const created = await custom({ authorization: 'Bearer {{secret.no_such_key}}' });
    expect(created.status).toBe(201);
    expect(JSON.stringify(created.body['warnings'])).toContain(
      'model_settings.headers.authorization names the secret no_such_key, which does not exist',
    );
    expect(await custom({ 'webhook-id': '1' })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'model_settings.headers.webhook-id' }] },
    });
  });

  it.each<[string, unknown, string]>([
    [
      'a schema that is none',
      [{ ...TOOL, parameters: { type: 'object', properties: 7 } }],
      'tools[0].parameters',
    ],
    ['a tool without an address', [TOOL, { ...TOOL, name: 'other', url: 'http://x' }], 'tools[1].url'],
    ['a header of ours', [{ ...TOOL, headers: { host: 'x' } }], 'tools[0].headers.host'],
    ['a name that is there twice', [TOOL, TOOL], 'tools[1].name'],
  ])('are refused with %s, and the field is named', async (_, tools, field) => {
    const { status, body } = await ask('POST', '/api/agents', { name: 'x', tools });

    expect(status).toBe(400);
    expect(body['details']).toEqual([expect.objectContaining({ field })]);
  });

  it('show what the model would be given', async () => {
    const { body: agent } = await ask('POST', '/api/agents', {
      name: 'Reception',
      initial_message: 'Hello {{name|there}}.',
      system_prompt: 'You book visits.\n\nThe caller is {{name}}.',
      tools: [TOOL, { type: 'note', enabled: false }],
    });
    const variables = encodeURIComponent('{"name":"Ada"}');
    const { status, body } = await ask(
      'GET',
      `/api/agents/${String(agent['id'])}/prompt?variables=${variables}`,
    );

    expect(status).toBe(200);
    expect(body['system']).toContain('You book visits.\n\nThe caller is Ada.');
    expect(body['system']).toContain('You are talking with a caller on the telephone');
    expect(body['initial_message']).toBe('Hello Ada.');
    const names = (body['tools'] as { name: string }[]).map(({ name }) => name);
    expect(names).toContain('find_slot');
    expect(names).not.toContain('note');
    expect(body['tokens']).toMatchObject({ total: expect.any(Number) });
    const bad = await ask('GET', `/api/agents/${String(agent['id'])}/prompt?variables=x`);
    expect(bad.status).toBe(400);
  });

  it('try no tool with arguments that do not fit, and no built-in one', async () => {
    const before = sent.length;
    expect(await ask('POST', '/api/tools/test', { tool: TOOL })).toMatchObject({
      status: 200,
      body: { status: 'refused', request: null },
    });
    expect(await ask('POST', '/api/tools/test', { tool: { type: 'end_call' } })).toMatchObject({
      status: 400,
    });
    expect(sent).toHaveLength(before);
  });
});
