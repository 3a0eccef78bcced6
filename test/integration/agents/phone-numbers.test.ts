import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { phoneNumberResource } from '#agents/phone-numbers/phone-number.js';
import { startAgentService, type AgentService } from './agent-service.js';

let service: AgentService;
let agentId: string;
beforeAll(async () => {
  service = await startAgentService();
  agentId = (await service.ask('POST', '/api/agents', { name: 'Receptionist' })).body.id;
});
afterAll(() => service.close());

let lastNumber = 14155550200;
async function newNumber(fields: object = {}) {
  const phone_number = `+${++lastNumber}`;
  const { status, body } = await service.ask('POST', '/api/phone-numbers', { phone_number, ...fields });
  expect(status).toBe(201);
  return phoneNumberResource.parse(body);
}

describe('POST /api/phone-numbers', () => {
  it('adds a number as people write it', async () => {
    const { status, headers, body } = await service.ask('POST', '/api/phone-numbers', {
      phone_number: '+1 (415) 555-0100',
      agent_id: agentId,
      label: 'Front desk',
    });
    expect(status).toBe(201);
    expect(headers['location']).toBe(`/api/phone-numbers/${body.id}`);
    expect(phoneNumberResource.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      number_id: body.id,
      phone_number: '+14155550100',
      agent_id: agentId,
      backup_agent_id: null,
      provider: 'simulated',
      label: 'Front desk',
    });
    const agent = await service.ask('GET', `/api/agents/${agentId}`);
    expect(agent.body.phone_numbers).toEqual(['+14155550100']);
  });

  it('refuses a number that is taken, wherever', async () => {
    const { phone_number } = await newNumber();
    await service.phoneNumbers.create('elsewhere', { phone_number: '+14155559999' }, () => null);
    for (const taken of [phone_number, '+14155559999']) {
      const answer = await service.ask('POST', '/api/phone-numbers', { phone_number: taken });
      expect(answer).toMatchObject({
        status: 409,
        body: { code: 'already_exists', details: [{ field: 'phone_number' }] },
      });
    }
  });

  it('answers a repeated request with the first number', async () => {
    const key = { 'idempotency-key': 'one-number' };
    const payload = { phone_number: '+14155550199' };
    const first = await service.ask('POST', '/api/phone-numbers', payload, key);
    expect(await service.ask('POST', '/api/phone-numbers', payload, key)).toMatchObject({
      status: 201,
      body: first.body,
    });
  });

  it.each<[string, object, string, string]>([
    ['no number', {}, 'phone_number', 'validation_error'],
    ['a number that is none', { phone_number: '12ab' }, 'phone_number', 'invalid_phone_number'],
    ['a number that is no text', { phone_number: 14155550123 }, 'phone_number', 'validation_error'],
    ['a bad agent', { phone_number: '+14155550123', agent_id: 1 }, 'agent_id', 'validation_error'],
    [
      'a bad backup',
      { phone_number: '+14155550123', backup_agent_id: '' },
      'backup_agent_id',
      'validation_error',
    ],
    ['a bad carrier', { phone_number: '+14155550123', provider: '' }, 'provider', 'validation_error'],
    ['a long label', { phone_number: '+14155550123', label: 'x'.repeat(201) }, 'label', 'validation_error'],
  ])('refuses %s', async (_name, payload, field, code) => {
    const { status, body } = await service.ask('POST', '/api/phone-numbers', payload);
    expect(status).toBe(400);
    expect(body.code).toBe(code);
    expect(body.details[0]?.field).toBe(field);
  });

  it.each(['agent_id', 'backup_agent_id'])('refuses an unknown %s', async (field) => {
    const payload = { phone_number: '+14155550124', [field]: 'agent_nobody' };
    expect(await service.ask('POST', '/api/phone-numbers', payload)).toMatchObject({
      status: 404,
      body: { error: 'agent does not exist', details: [{ field }] },
    });
    expect((await service.ask('GET', '/api/phone-numbers/%2B14155550124')).status).toBe(404);
  });
});

describe('a phone number', () => {
  it('is found by its id and by itself', async () => {
    const number = await newNumber();
    for (const key of [number.id, encodeURIComponent(number.phone_number), number.phone_number.slice(1)]) {
      expect((await service.ask('GET', `/api/phone-numbers/${key}`)).body).toEqual(number);
    }
  });

  it('is listed newest first', async () => {
    const first = await newNumber({ agent_id: agentId });
    const second = await newNumber();
    const all = await service.ask('GET', '/api/phone-numbers?limit=2');
    expect(all.body.data).toEqual([second, { ...first }]);
    expect(all.body.has_more).toBe(true);
    const filtered = await service.ask('GET', `/api/phone-numbers?agent_id=${agentId}&limit=1`);
    expect(filtered.body.data).toEqual([first]);
  });

  it.each(['PUT', 'PATCH'] as const)('changes by %s', async (method) => {
    const number = await newNumber({ agent_id: agentId, label: 'Old' });
    const path = `/api/phone-numbers/${encodeURIComponent(number.phone_number)}`;
    const { status, body } = await service.ask(method, path, {
      agent_id: null,
      label: 'New',
      provider: null,
    });
    expect(status).toBe(200);
    expect(body).toEqual({ ...number, agent_id: null, label: 'New', updated_at: body.updated_at });
    expect((await service.ask('GET', path)).body).toEqual(body);
    expect((await service.ask(method, path, { agent_id: 'agent_nobody' })).status).toBe(404);
    const bad = await service.ask(method, path, { label: 7 });
    expect(bad).toMatchObject({ status: 400, body: { details: [{ field: 'label' }] } });
  });

  it('is taken away', async () => {
    const { id, phone_number } = await newNumber();
    expect(await service.ask('DELETE', `/api/phone-numbers/${id}`)).toMatchObject({
      status: 200,
      body: { id, number_id: id, phone_number, deleted: true },
    });
    expect(await service.ask('DELETE', `/api/phone-numbers/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'phone_number_not_found' },
    });
  });

  it('of another workspace is unknown', async () => {
    const foreign = await service.phoneNumbers.create(
      'elsewhere',
      { phone_number: '+14155559998' },
      () => null,
    );
    for (const key of [foreign.id, '%2B14155559998']) {
      expect((await service.ask('GET', `/api/phone-numbers/${key}`)).status).toBe(404);
      expect((await service.ask('PATCH', `/api/phone-numbers/${key}`, { label: 'Mine' })).status).toBe(404);
      expect((await service.ask('DELETE', `/api/phone-numbers/${key}`)).status).toBe(404);
    }
  });

  it.each(['limit=0', 'cursor=x', 'created_before=soon'])('list refuses %s', async (query) => {
    const { status, body } = await service.ask('GET', `/api/phone-numbers?${query}`);
    expect(status).toBe(400);
    expect(body.details[0]?.field).toBe(`query.${query.split('=')[0]}`);
  });
});
