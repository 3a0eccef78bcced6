import { afterAll, beforeAll, expect, it } from 'vitest';
import { startAgentHouse, type AgentHouse } from './agent-house.js';

let house: AgentHouse;
beforeAll(async () => {
  house = await startAgentHouse();
});
afterAll(() => house.close());

const warningsOf = async (agent: object) =>
  (await house.ask('POST', '/api/agents', { name: 'Voices', ...agent })).body.warnings.map(
    ({ message }) => message,
  );

it('says which voice and which language an agent will not have', async () => {
  expect(await warningsOf({ voice: 'nobody', language: 'de-DE' })).toEqual([
    "voice 'nobody' is none of 'builtin' (slt, rms); calls use its usual one.",
    "language 'de-DE' is kept, but 'builtin' knows only: en.",
  ]);
});

it.each([
  ['what is there', { voice: 'rms', language: 'en-AU' }, 0],
  ['the voice of somebody who is not there anyway', { voice: 'alloy', voice_provider: 'elevenlabs' }, 1],
])('has nothing to add about %s', async (_what, agent, count) =>
  expect(await warningsOf(agent)).toHaveLength(count),
);
