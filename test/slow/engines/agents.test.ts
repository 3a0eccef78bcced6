import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentTransactions } from '#agents/definitions/agent-store.js';
import { AgentTrials } from '#agents/definitions/agent-trials.js';
import { createAgents, type Agents } from '#agents/definitions/agents.js';
import { createPhoneNumbers, type PhoneNumbers } from '#agents/phone-numbers/phone-numbers.js';
import { newWebhookSecret } from '#webhooks/registrations/notification-target.js';
import { createIds } from '#kernel/ids/ids.js';
import { defaultPlaybook } from '#playbook/definition/default-playbook.js';
import type { Store } from '#store/store.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { openPostgres } from '#test/support/postgres.js';
import { startTestStore } from '#test/support/store.js';
import { answeringTransactions } from '#test/integration/agents/answering-transactions.js';

const postgres = await openPostgres();

describe.each(['sqlite', 'postgres'])('agents and numbers on %s', (engine) => {
  const isMissing = engine === 'postgres' && postgres.isMissing;
  const clock = new FakeClock();
  const ids = createIds(clock);
  const lookups = { checkUrl: async () => {}, newSecret: () => newWebhookSecret(ids) };
  let store: Store;
  let agents: Agents;
  let phoneNumbers: PhoneNumbers;

  beforeAll(async () => {
    if (isMissing) return;
    store = await startTestStore({
      clock,
      ...(await postgres.databaseOn(engine)),
    });
    agents = createAgents({
      store,
      clock,
      ids,
      lookups,
      providers: { ai: [], voice: [], transcription: [], whenUnconfigured: 'builtin', languages: [] },
      trials: new AgentTrials(clock),
    });
    phoneNumbers = createPhoneNumbers({ store, clock, ids, lookups, defaultCarrier: 'simulated' });
  });
  afterAll(() => store?.close());

  async function newAgent(workspace: string, name: string, fields: object = {}) {
    await clock.advance(1);
    return (await agents.create(workspace, { name, ...fields }, () => null)).id;
  }

  async function whoAnswers(calledNumber: string, chosen: { chosenId?: string } = {}): Promise<string> {
    const args = {
      ...chosen,
      calledNumber,
      workspace: 'default',
      at: clock.wallMs(),
    };
    const { workspace, agent, isDefault } = await store.write(answeringTransactions.answering, args);
    return `${workspace}: ${isDefault ? 'default' : agent.name}`;
  }

  it.skipIf(isMissing)('finds a text as it is written, whatever its letters and signs', async () => {
    const id = await newAgent('search', 'Ärztin in Łódź, 100% _da_');
    await newAgent('search', 'Somebody else');
    const found = async (search: string) =>
      (await agents.list({ workspace: 'search', search }, null, 10)).items.map((agent) => agent.id);
    for (const text of ['Ärztin', 'Łódź', 'IN Łódź', 'rztin', '100%', '_DA_', id])
      expect([text, await found(text)]).toEqual([text, [id]]);
    expect(await found('1%d')).toEqual([]);
  });

  it.skipIf(isMissing)('answers by the number, then the backups, then the default agent', async () => {
    const deputy = await newAgent('clinic', 'Deputy');
    const backup = await newAgent('clinic', 'Backup');
    const own = await newAgent('clinic', 'Own', { backup_agent_id: deputy });
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
    expect(await whoAnswers('+14155550999')).toBe('default: default');
  });

  it.skipIf(isMissing)('answers by the backup of an inactive default agent, else by nobody', async () => {
    const workspace = 'closed';
    const { id } = await store.write(agentTransactions.ensureDefault, {
      workspace,
      at: clock.wallMs(),
    });
    const answering = () =>
      store.write(answeringTransactions.answering, {
        calledNumber: '+14155550998',
        workspace,
        at: clock.wallMs(),
      });
    const backup_agent_id = await newAgent(workspace, 'Night desk');
    await agents.update(workspace, id, { status: 'inactive', backup_agent_id });
    expect((await answering()).agent).toMatchObject({ name: 'Night desk', status: 'active' });
    await agents.update(workspace, backup_agent_id, { status: 'inactive' });
    expect((await answering()).agent).toMatchObject({ id, status: 'inactive' });
  });

  it.skipIf(isMissing)('has one default agent, however many are made it at once', async () => {
    const workspace = 'rivals';
    const [names, is_default] = [['A', 'B', 'C', 'D', 'E', 'F'], true];
    const create = (name: string) => agents.create(workspace, { name, is_default }, () => null);
    const ensure = { workspace, at: clock.wallMs() };
    const [made] = await Promise.all([
      Promise.all(names.map(create)),
      store.write(agentTransactions.ensureDefault, ensure),
    ]);
    const isDefault = async () =>
      (await agents.list({ workspace }, null, 10)).items.filter((agent) => agent.is_default).length;
    expect(await isDefault()).toBe(1);
    await Promise.all(made.map(({ id }) => agents.update(workspace, id, { is_default })));
    expect(await isDefault()).toBe(1);
    await Promise.all(made.map(({ id }) => agents.update(workspace, id, { is_default: id === made[0]!.id })));
    expect(await isDefault()).toBe(1);
  });

  it.skipIf(isMissing)('lets an active agent of the workspace be chosen', async () => {
    const phone_number = '+14155550101';
    await phoneNumbers.create(
      'choice',
      { phone_number, agent_id: await newAgent('choice', 'Own') },
      () => null,
    );
    const chosenId = await newAgent('choice', 'Chosen');
    expect(await whoAnswers(phone_number, { chosenId })).toBe('choice: Chosen');
    await agents.update('choice', chosenId, { status: 'inactive' });
    expect(await whoAnswers(phone_number, { chosenId })).toBe('choice: Own');
    const foreign = await newAgent('elsewhere', 'Foreign');
    expect(await whoAnswers(phone_number, { chosenId: foreign })).toBe('choice: Own');
  });

  it.skipIf(isMissing)('asks whom the number names, else whom the agent that answers it names', async () => {
    const asked = async (calledNumber: string) => {
      const called = { calledNumber, workspace: 'asking', newAgentId: ids.next('agent'), at: clock.wallMs() };
      return (await store.write(answeringTransactions.answering, called)).lookup?.url ?? null;
    };
    const phone_number = '+14155550102';
    const backup = await newAgent('asking', 'Backup', { lookup_url: 'https://backup.example.com/' });
    const own = await newAgent('asking', 'Own', { backup_agent_id: backup });
    const { id } = await phoneNumbers.create('asking', { phone_number, agent_id: own }, () => null);
    const key = { workspace: 'asking', id, phoneNumber: null };
    expect(await asked(phone_number)).toBeNull();
    await agents.update('asking', own, { lookup_url: 'https://own.example.com/' });
    expect(await asked(phone_number)).toBe('https://own.example.com/');
    await phoneNumbers.update(key, { lookup_url: 'https://number.example.com/' });
    expect(await asked(phone_number)).toBe('https://number.example.com/');
    await phoneNumbers.update(key, { lookup_url: null });
    await agents.update('asking', own, { status: 'inactive' });
    expect(await asked(phone_number)).toBe('https://backup.example.com/');
    expect(await asked('+14155550998')).toBeNull();
    await newAgent('asking', 'Usual', { is_default: true, lookup_url: 'https://usual.example.com/' });
    expect(await asked('+14155550998')).toBe('https://usual.example.com/');
  });

  it.skipIf(isMissing)('makes one default agent however many ask at once', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => agents.ensureDefault('crowd')));
    expect(new Set(made.map((agent) => agent.id)).size).toBe(1);
    expect(made[0]!.playbook).toEqual(defaultPlaybook);
    const other = await newAgent('crowd', 'Other', { is_default: true });
    expect((await agents.ensureDefault('crowd')).id).toBe(other);
  });

  it.skipIf(isMissing)('lists, searches and pages', async () => {
    const made = [
      await newAgent('paper', 'A_1'),
      await newAgent('paper', 'AB1'),
      await newAgent('paper', 'b'),
    ];
    const filter = { workspace: 'paper' };
    const first = await agents.list(filter, null, 2);
    expect(first.items.map((agent) => agent.id)).toEqual([made[2], made[1]]);
    const second = await agents.list(filter, first.next, 2);
    expect(second).toMatchObject({ items: [{ id: made[0] }], next: null });
    const found = await agents.list({ ...filter, search: 'a_', status: ['active'] }, null, 10);
    expect(found.items.map((agent) => agent.name)).toEqual(['A_1']);
  });

  it.skipIf(isMissing)('finds, changes and frees a number', async () => {
    const { id, phone_number } = await phoneNumbers.create(
      'desk',
      { phone_number: '+14155550300', label: 'Old' },
      () => null,
    );
    const key = { workspace: 'desk', id: 'num_other', phoneNumber: phone_number };
    expect((await phoneNumbers.update(key, { label: 'New' })).label).toBe('New');
    expect(await phoneNumbers.get({ ...key, id, phoneNumber: null })).toMatchObject({ id, label: 'New' });
    await expect(phoneNumbers.create('other', { phone_number }, () => null)).rejects.toMatchObject({
      code: 'already_exists',
    });
    await phoneNumbers.remove(key);
    await expect(phoneNumbers.get(key)).rejects.toMatchObject({ code: 'phone_number_not_found' });
  });
});
