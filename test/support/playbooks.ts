import type { AgentBrief, DialogueManager } from '#dialogue/dialogue-manager.js';
import type { Playbook } from '#playbook/definition/playbook.js';
import { createPlaybookDialogue, type PlaybookDialogueOptions } from '#playbook/playbook-dialogue.js';

/** An agent with its playbook; null for the generic one. */
export interface PlaybookBrief extends AgentBrief {
  playbook: Playbook | null;
}

/** An agent with defaults. */
export function briefOf(brief: Partial<PlaybookBrief> = {}): PlaybookBrief {
  return {
    agentName: 'Receptionist',
    initialMessage: 'Hello {{name}}, this is the clinic.',
    systemPrompt: null,
    language: 'en-US',
    playbook: null,
    variables: {},
    ...brief,
  };
}

/** Opens dialogues of agents with playbooks. */
export function createPlaybooks(options: PlaybookDialogueOptions = {}): {
  open(brief: PlaybookBrief): DialogueManager;
} {
  const openPlaybook = createPlaybookDialogue(options);
  return { open: ({ playbook, ...brief }) => openPlaybook(brief, playbook) };
}
