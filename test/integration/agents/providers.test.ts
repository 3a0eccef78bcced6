import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAgentHouse, type AgentHouse } from './agent-house.js';

let house: AgentHouse;
beforeAll(async () => {
  house = await startAgentHouse();
});
afterAll(() => house.close());

describe('GET /api/providers', () => {
  it('names who can be used', async () => {
    const { status, body } = await house.ask('GET', '/api/providers');
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
