import { fieldTexts } from '#playbook/steps/step-texts.js';
import type { AgentRow } from './agent.js';

/** A text of an agent that may hold variables. */
export interface AgentText {
  /** The path of its field in the API: `playbook.steps.greet.text`. */
  field: string;
  text: string;
}

/**
 * The texts of an agent that calls may say and that may hold variables such as `{{name}}`: opening message, voicemail
 * message, and the texts of the playbook; not the system prompt. `agent-warnings.ts` looks for mistakes in them.
 */
export function textsOfAgent({ initial_message, voicemail, playbook }: AgentRow): AgentText[] {
  const message = voicemail.action === 'leave_message' ? voicemail.message : '';
  return [
    { field: 'initial_message', text: initial_message },
    { field: 'voicemail.message', text: message },
    ...Object.entries(playbook?.steps ?? {}).flatMap(([name, step]) =>
      fieldTexts(step).map(({ path, text }) => ({
        field: ['playbook.steps', name, ...path].join('.'),
        text,
      })),
    ),
    ...Object.entries(playbook?.wording ?? {}).flatMap(([name, text]) =>
      typeof text === 'string' ? [{ field: `playbook.wording.${name}`, text }] : [],
    ),
  ];
}
