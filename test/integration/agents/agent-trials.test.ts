import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_WORKSPACE } from '#access/keys/principal.js';
import { startAgentService, type AgentService } from './agent-service.js';

let service: AgentService;
beforeAll(async () => {
  service = await startAgentService();
});
afterAll(() => service.close());

const LONGER_THAN_KEPT_MS = 16 * 60_000;

async function tryOut(fields: object) {
  const { status, headers, body } = await service.ask('POST', '/api/agents/trials', fields);
  return {
    status,
    headers,
    body: body as typeof body & { socket: string; agent: Record<string, unknown>; warnings?: unknown },
  };
}

describe('POST /api/agents/trials', () => {
  it('holds an agent for calls of its workspace, and saves nothing', async () => {
    const { status, headers, body } = await tryOut({ name: 'Night shift', voice: 'rms' });
    expect(status).toBe(201);
    expect(body.socket).toBe(`/ws/stream/${body.id}`);
    expect(headers['location']).toBe(body.socket);
    expect(service.trials.find(DEFAULT_WORKSPACE, body.id)).toMatchObject({
      name: 'Night shift',
      voice: 'rms',
    });
    expect(service.trials.find('another', body.id)).toBeNull();
    expect((await service.ask('GET', `/api/agents/${body.id}`)).status).toBe(404);
    expect((await service.ask('GET', '/api/agents')).body.data).toEqual([]);
  });

  it('takes what it is not told from the saved agent', async () => {
    const saved = await service.ask('POST', '/api/agents', {
      name: 'Day shift',
      voice: 'rms',
      metadata: { a: 1 },
    });
    const { body } = await tryOut({ agent_id: saved.body.id, name: 'Late shift', voice: null });
    expect(body.agent).toMatchObject({
      id: saved.body.id,
      name: 'Late shift',
      voice: null,
      metadata: { a: 1 },
    });
    expect((await service.ask('GET', `/api/agents/${saved.body.id}`)).body).toEqual(saved.body);
    expect((await tryOut({ agent_id: 'agent_unknown' })).status).toBe(404);
  });

  it.each([
    ['an empty opening message', { initial_message: '' }, 'initial_message'],
    ['a playbook without its steps', { playbook: { start: 'a', steps: {} } }, 'playbook.start'],
    ['a temperature out of range', { model_settings: { temperature: 9 } }, 'model_settings.temperature'],
  ])('refuses %s as saving would, and names the field', async (_, fields, field) => {
    const tried = await tryOut({ name: 'A', ...fields });
    const saved = await service.ask('POST', '/api/agents', { name: 'A', ...fields });
    expect(tried).toMatchObject({ status: 400, body: { details: saved.body.details } });
    expect(tried.body.details.map((detail) => detail.field)).toContain(field);
  });

  it('warns as saving would', async () => {
    const { body } = await tryOut({ name: 'A', voice: 'nobody', colour: 'red' });
    expect(body.agent['warnings']).toMatchObject([{ code: 'voice_not_known' }]);
    expect(body.warnings).toMatchObject([{ code: 'field_not_known', field: 'colour' }]);
  });

  it('forgets it after a while, and the oldest of more than twenty', async () => {
    const first = (await tryOut({ name: 'First' })).body.id;
    await service.clock.advance(LONGER_THAN_KEPT_MS);
    expect(service.trials.find(DEFAULT_WORKSPACE, first)).toBeNull();
    const ids: string[] = [];
    for (let count = 0; count < 21; count++) ids.push((await tryOut({ name: `No ${count}` })).body.id);
    expect(ids.map((id) => service.trials.find(DEFAULT_WORKSPACE, id) !== null)).toEqual([
      false,
      ...Array<boolean>(20).fill(true),
    ]);
  });
});
