import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgents, type Agents } from '../../../src/agents/agents.js';
import { createPhoneNumbers, type PhoneNumbers } from '../../../src/agents/phone-numbers.js';
import { createIds } from '../../../src/kernel/ids.js';
import type { Store } from '../../../src/store/store.js';
import { FakeClock } from '../../support/fake-clock.js';
import { startTestStore } from '../../support/store.js';
import { answeringUnits } from './answering-units.js';

const clock = new FakeClock();
const ids = createIds(clock);
let store: Store;
let agents: Agents;
let phoneNumbers: PhoneNumbers;

beforeAll(async () => {
  store = await startTestStore({
    clock,
    units: [
      new URL('../../../src/agents/agent-store.ts', import.meta.url),
      new URL('../../../src/agents/phone-number-store.ts', import.meta.url),
      new URL('./answering-units.ts', import.meta.url),
    ],
  });
  agents = createAgents({ store, clock, ids, providers: { ai: [], voice: [], transcription: [] } });
  phoneNumbers = createPhoneNumbers({ store, clock, ids, defaultCarrier: 'simulated' });
});
afterAll(() => store.close());

async function newAgent(name: string, fields: object = {}) {
  return (await agents.create('clinic', { name, ...fields }, () => null)).id;
}

async function whoAnswers(calledNumber: string): Promise<string> {
  const args = { calledNumber, workspace: 'default', newAgentId: ids.next('agent'), at: clock.wallMs() };
  const { workspace, agent } = await store.write(answeringUnits.answering, args);
  return `${workspace}: ${agent.is_default ? 'default' : agent.name}`;
}

describe('who answers an incoming call', () => {
  it('is the agent of the number, then the backups, then the default agent of its workspace', async () => {
    const deputy = await newAgent('Deputy');
    const backup = await newAgent('Backup');
    const own = await newAgent('Own', { backup_agent_id: deputy });
    const phone_number = '+14155550100';
    const named = { phone_number, agent_id: own, backup_agent_id: backup };
    await phoneNumbers.create('clinic', named, () => null);
    expect(await whoAnswers(phone_number)).toBe('clinic: Own');
    await agents.update('clinic', own, { status: 'inactive' });
    expect(await whoAnswers(phone_number)).toBe('clinic: Backup');
    await agents.remove('clinic', backup, { force: true });
    expect(await whoAnswers(phone_number)).toBe('clinic: Deputy');
    await agents.update('clinic', deputy, { status: 'inactive' });
    expect(await whoAnswers(phone_number)).toBe('clinic: default');
    await agents.remove('clinic', own, { force: true });
    expect(await whoAnswers(phone_number)).toBe('clinic: default');
  });

  it('is the default agent for numbers that nobody registered', async () => {
    expect(await whoAnswers('+14155550999')).toBe('default: default');
  });
});
