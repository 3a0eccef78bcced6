import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';
import { openCommandLine } from './command-line.js';

const REMINDER = fileURLToPath(new URL('../../../examples/playbooks/reminder.json', import.meta.url));

function openTalk() {
  const line = openCommandLine();
  copyFileSync(REMINDER, join(line.folder, 'reminder.json'));
  return line;
}

it('shows what the agent says, at which step it is, what it has understood, and what came of it', async () => {
  const { callwright } = openTalk();
  const words = 'talk reminder.json --name Ada --appointment=Monday --number +14155550123';
  const { code, stdout, stderr } = await callwright(words, {}, ['', 'yes I will come']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('{{name}} = Ada\n{{appointment}} = Monday\n');
  expect(stdout).toContain(
    'Agent: Hello Ada, this is the Riverside Clinic with a reminder of your appointment on Monday.',
  );
  expect(stdout).toContain('[step coming]');
  expect(stdout).toContain('You:   yes I will come\n');
  expect(stdout).toContain('[understood coming = yes]');
  expect(stdout).toContain('intent: confirm_appointment   resolution_achieved: true');
});

it('ends with its input, and says who cannot be called back', async () => {
  const { callwright } = openTalk();
  const { code, stdout } = await callwright('talk reminder.json', {}, ['call me tomorrow at ten']);
  expect(code).toBe(0);
  expect(stdout).toContain('call back: tomorrow at 10 AM');
});

it('speaks what is typed, hears files, and keeps the talk in a file', async () => {
  const { callwright, folder } = openTalk();
  const lines = ['yes I will come'];
  const words = 'talk reminder.json --voice --name Ada --appointment Monday';
  const { code, stdout, stderr } = await callwright(words, {}, ['nowhere.wav', ...lines]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/\(.*nowhere\.wav: there is no such file/);
  expect(stdout).toMatch(/\[heard "yes i will come"; (?:0\.[5-9]\d|1\.00)\]/i);
  expect(stdout).toContain('[understood coming = yes]');
  const path = join(folder, 'talk.wav');
  expect(stdout).toContain(`the talk can be heard in ${path}`);
  // The file is a WAV that can be named in its place: the whole talk, heard as one answer.
  const again = await callwright(words, {}, ['talk.wav']);
  expect(again.stdout).toMatch(/\[heard .*\]/);
});

describe('with an agent of a running service', () => {
  let service: TestService;
  let agentId: string;
  beforeAll(async () => {
    service = await buildTestService({ listen: true });
    const agent = { name: 'Desk', initial_message: 'Hello {{name}}, this is the desk.' };
    agentId = ((await service.request('POST', '/api/agents', agent)).body as { id: string }).id;
  });
  afterAll(() => service.close());

  it('asks the service, whose database it leaves alone', async () => {
    const words = `talk ${agentId} --service ${service.baseUrl}/ --key ${TEST_KEY} --name Ada`;
    const { code, stdout } = await openTalk().callwright(words, {}, []);
    expect(code).toBe(0);
    expect(stdout).toContain('Agent: Hello Ada, this is the desk.');
  });

  it.each([
    [() => `talk ${agentId} --service ${service.baseUrl}`, 2, /--service needs --key/],
    [() => `talk reminder.json --service ${service.baseUrl} --key k`, 2, /--service has agents by their ids/],
    [() => `talk ${agentId} --service ${service.baseUrl} --key wrong`, 1, /did not give the agent: /],
    [
      () => `talk agent_0 --service ${service.baseUrl} --key ${TEST_KEY}`,
      1,
      /There is no agent with this id/,
    ],
    [() => `talk ${agentId} --service http://127.0.0.1:1 --key k`, 1, /does not answer as Callwright does: /],
    [() => `talk ${agentId} --service nowhere --key k`, 2, /--service: is no URL/],
  ])('says what is wrong (%#)', async (words, status, sentence) => {
    const { code, stderr } = await openTalk().callwright(words());
    expect(stderr).toMatch(sentence);
    expect(code).toBe(status);
  });
});

it.each([
  ['talk nowhere.json', 1, /nowhere\.json: there is no such file/],
  ['talk reminder.json --number 12ab', 2, /--number: is not an E\.164 number/],
  ['talk reminder.json --name', 2, /--name needs a value/],
  ['talk', 2, /<agent\.json \| agent id> is missing/],
])('callwright %s is refused with %i', async (words, status, sentence) => {
  const { code, stderr } = await openTalk().callwright(words);
  expect(code).toBe(status);
  expect(stderr).toMatch(sentence);
});
