import { Problem } from '#kernel/errors/errors.js';
import { fieldOf } from '#kernel/input/issue-message.js';
import { validStoredTools } from '#dialogue/tools/tool-definition.js';
import { agentToolFaults } from '#playbook/definition/agent-tool-checks.js';
import type { AgentRow } from './agent.js';

/**
 * Refuses an agent whose playbook uses tools that the agent does not have, before it is saved.
 * @throws Problem `validation_error` with one detail for each such step
 */
export function requireAgentTools({ playbook, tools }: AgentRow): void {
  const faults = playbook ? agentToolFaults(playbook, validStoredTools(tools)) : [];
  if (faults.length === 0) return;
  const details = faults.map(({ path, message }) => ({
    field: fieldOf(['playbook', ...path]),
    code: 'invalid_value',
    message,
  }));
  const sentence = details.map(({ field, message }) => `${field} ${message}`).join('; ');
  throw new Problem('validation_error', `${sentence}.`, { details });
}
