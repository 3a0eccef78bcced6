import { expect, it } from 'vitest';
import { closeName } from '#kernel/input/close-name.js';

it.each([
  ['nmae', 'name'],
  ['naem', 'name'],
  ['nam', null],
  ['namee', 'name'],
  ['Name', 'name'],
  ['agentname', 'agent_name'],
  ['agent_nane', 'agent_name'],
  ['game', null],
  ['data', null],
  ['slot_2', null],
  ['first_name', null],
  ['name', null],
])('takes %s for %s', (name, meant) => {
  expect(closeName(name, ['name', 'agent_name', 'date', 'slot_1'])).toBe(meant);
});
