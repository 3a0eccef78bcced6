import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAgentService, type AgentService } from './agent-service.js';

let service: AgentService;
beforeAll(async () => {
  service = await startAgentService();
});
afterAll(() => service.close());

describe('GET /api/providers', () => {
  it('names who can be used', async () => {
    const { status, body } = await service.ask('GET', '/api/providers');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ai: [
        { name: 'builtin', configured: true },
        { name: 'openai', configured: false },
      ],
      telephony: [{ name: 'simulated', configured: true }],
    });
  });
});
