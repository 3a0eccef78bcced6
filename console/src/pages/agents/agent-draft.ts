// What the editor holds while an agent is written: texts as they stand in the fields, JSON where the interface has
// objects. Read from an agent, and written as the body that saves it.
import type { Agent } from '../../api/contract.js';
import type { Schemas } from '../../api/openapi.js';

export interface AgentDraft {
  name: string;
  status: 'active' | 'inactive';
  isDefault: boolean;
  /** `playbook` or `model`: which of the two decides what is said. */
  talksBy: 'playbook' | 'model';
  initialMessage: string;
  systemPrompt: string;
  aiProvider: string;
  model: string;
  temperature: string;
  voiceProvider: string;
  voice: string;
  language: string;
  transcriptionProvider: string;
  playbook: string;
  tools: string;
  lookupUrl: string;
  backupAgentId: string;
}

const FIRST_PLAYBOOK = {
  start: 'greet',
  steps: {
    greet: { kind: 'say', text: '{{initial_message}}', next: 'ask' },
    ask: {
      kind: 'ask',
      text: 'Does the appointment still suit you?',
      expect: { kind: 'yes_no' },
      answers: { yes: 'kept', no: 'freed' },
      retry: ['Sorry, does it still suit you, yes or no?'],
      otherwise: 'freed',
    },
    kept: { kind: 'end', text: 'Thank you, see you then. Goodbye.', resolution_achieved: true },
    freed: { kind: 'end', text: 'Thank you, we will be in touch. Goodbye.' },
  },
};

export const NEW_DRAFT: AgentDraft = {
  name: '',
  status: 'active',
  isDefault: false,
  talksBy: 'playbook',
  initialMessage: 'Hello {{name|there}}, this is {{agent_name}}.',
  systemPrompt: '',
  aiProvider: '',
  model: '',
  temperature: '',
  voiceProvider: '',
  voice: '',
  language: '',
  transcriptionProvider: '',
  playbook: write(FIRST_PLAYBOOK),
  tools: '[]',
  lookupUrl: '',
  backupAgentId: '',
};

export function draftOf(agent: Agent): AgentDraft {
  return {
    name: agent.name,
    status: agent.status,
    isDefault: agent.is_default,
    talksBy: agent.playbook ? 'playbook' : 'model',
    initialMessage: agent.initial_message,
    systemPrompt: agent.system_prompt ?? '',
    aiProvider: agent.ai_provider,
    model: agent.model ?? '',
    temperature: agent.model_settings.temperature?.toString() ?? '',
    voiceProvider: agent.voice_provider,
    voice: agent.voice ?? '',
    language: agent.language,
    transcriptionProvider: agent.transcription_provider ?? '',
    playbook: write(agent.playbook ?? FIRST_PLAYBOOK),
    tools: write(agent.tools),
    lookupUrl: agent.lookup_url ?? '',
    backupAgentId: agent.backup_agent_id ?? '',
  };
}

/** The body that saves a draft. @throws Error that names the field that is not JSON */
export function bodyOf(draft: AgentDraft, before?: Agent): Schemas['AgentCreate'] {
  const isPlaybook = draft.talksBy === 'playbook';
  const temperature = draft.temperature.trim() === '' ? null : Number(draft.temperature);
  return {
    name: draft.name.trim(),
    status: draft.status,
    is_default: draft.isDefault,
    initial_message: draft.initialMessage,
    system_prompt: draft.systemPrompt === '' ? null : draft.systemPrompt,
    ...(draft.aiProvider === '' ? {} : { ai_provider: draft.aiProvider }),
    ...(draft.voiceProvider === '' ? {} : { voice_provider: draft.voiceProvider }),
    ...(draft.transcriptionProvider === '' ? {} : { transcription_provider: draft.transcriptionProvider }),
    ...(draft.language === '' ? {} : { language: draft.language }),
    model: draft.model === '' ? null : draft.model,
    voice: draft.voice === '' ? null : draft.voice,
    model_settings: { ...before?.model_settings, temperature },
    playbook: isPlaybook ? (read(draft.playbook, 'playbook') as Schemas['Playbook']) : null,
    tools: read(draft.tools, 'list of tools') as Record<string, unknown>[],
    lookup_url: draft.lookupUrl === '' ? null : draft.lookupUrl,
    backup_agent_id: draft.backupAgentId === '' ? null : draft.backupAgentId,
  };
}

/** The playbook of a draft; null while it is not JSON, or no playbook at all. */
export function playbookOf(text: string): Schemas['Playbook'] | null {
  try {
    const playbook = JSON.parse(text) as Schemas['Playbook'] | null;
    return playbook !== null && typeof playbook.steps === 'object' ? playbook : null;
  } catch {
    return null;
  }
}

export function toolsOf(text: string): Record<string, unknown>[] | null {
  try {
    const tools = JSON.parse(text) as unknown;
    return Array.isArray(tools) ? (tools as Record<string, unknown>[]) : null;
  } catch {
    return null;
  }
}

export function write(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function read(text: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(
      `The ${what} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
}
