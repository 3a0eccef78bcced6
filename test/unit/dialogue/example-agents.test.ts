import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { agentToolFaults } from '#playbook/definition/agent-tool-checks.js';
import { agentCreate } from '#agents/definitions/agent-input.js';

const FOLDER = new URL('../../../examples/agents/', import.meta.url);

it.each(readdirSync(FOLDER))('examples/agents/%s is an agent', (file) => {
  const body: unknown = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));

  const { playbook, tools } = agentCreate.parse(body);
  expect(playbook ? agentToolFaults(playbook, tools ?? []) : []).toEqual([]);
});
