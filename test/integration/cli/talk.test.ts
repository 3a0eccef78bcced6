import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openCommandLine } from './command-line.js';

const REMINDER = fileURLToPath(new URL('../../../examples/playbooks/reminder.json', import.meta.url));

function openTalk() {
  const { callwright, folder } = openCommandLine();
  copyFileSync(REMINDER, join(folder, 'reminder.json'));
  return callwright;
}

it('shows what the agent says, at which step it is, what it has understood, and what came of it', async () => {
  const callwright = openTalk();
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
  const callwright = openTalk();
  const { code, stdout } = await callwright('talk reminder.json', {}, ['call me tomorrow at ten']);
  expect(code).toBe(0);
  expect(stdout).toContain('call back: tomorrow at 10 AM');
});

it.each([
  ['talk nowhere.json', 1, /nowhere\.json: there is no such file/],
  ['talk reminder.json --number 12ab', 2, /--number: is not an E\.164 number/],
  ['talk reminder.json --name', 2, /--name needs a value/],
  ['talk', 2, /<agent\.json \| agent id> is missing/],
])('callwright %s is refused with %i', async (words, status, sentence) => {
  const { code, stderr } = await openTalk()(words);
  expect(code).toBe(status);
  expect(stderr).toMatch(sentence);
});
