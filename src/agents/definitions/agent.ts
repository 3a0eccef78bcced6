import type { CountryCode } from 'libphonenumber-js';
import { z } from 'zod';
import type { Playbook } from '#playbook/definition/playbook.js';
import { variablesOf } from '#dialogue/variables.js';
import { variablesSetBy, textsOf } from '#playbook/definition/playbook-texts.js';
import { flagColumn, jsonColumn } from '#store/statements/columns.js';
import { turnTaking } from '#dialogue/turn-taking.js';
import { agentFallbacks, agentModelSettings } from '#dialogue/llm/agent-model.js';
import { voiceSettings } from '#speech/voice-settings.js';
import { voicemailHandling } from '#dialogue/voicemail-handling.js';
import { lookupColumns, lookupResponseFields } from './lookup.js';
import { toInstant } from '#kernel/time/clock.js';
import { FreeForm } from '#kernel/input/free-form.js';
import { instantOut } from '#kernel/input/fields.js';

/*
 * An agent: its row in the table `agents`, and the resource that the API shows. The schemas of requests are in
 * `agent-input.ts`.
 */

/** An inactive agent answers no inbound calls: its backup or the default agent does. */
export const AGENT_STATUSES = ['active', 'inactive'] as const;

/** The treatment of calls without data that the agent's texts need: a warning, or a refusal. */
export const MISSING_VARIABLES = ['warn', 'refuse'] as const;

/** Tools as they are stored, not validated: code that uses them reads them by `validStoredTools`. */
const tools = z.array(FreeForm);
const instant = z.int();

/** An agent as its row holds it; instants are epoch milliseconds. */
export const AgentRow = z.object({
  id: z.string(),
  workspace: z.string(),
  name: z.string(),
  initial_message: z.string(),
  ai_provider: z.string(),
  voice_provider: z.string(),
  transcription_provider: z.string().nullable(),
  system_prompt: z.string().nullable(),
  model: z.string().nullable(),
  model_settings: jsonColumn(agentModelSettings),
  fallbacks: jsonColumn(agentFallbacks),
  turn_taking: jsonColumn(turnTaking),
  voice: z.string().nullable(),
  voice_settings: jsonColumn(voiceSettings),
  language: z.string(),
  languages: jsonColumn(z.array(z.string())),
  tools: jsonColumn(tools),
  // Validated when it was saved; validating it for every row of a list would cost more than the query.
  playbook: jsonColumn(z.custom<Playbook>()).nullable(),
  status: z.enum(AGENT_STATUSES),
  is_default: flagColumn,
  /** The agent that answers inbound calls while this one is inactive, or a provider that it needs is not configured. */
  backup_agent_id: z.string().nullable(),
  metadata: jsonColumn(FreeForm),
  voicemail: jsonColumn(voicemailHandling),
  missing_variables: z.enum(MISSING_VARIABLES),
  /** The country of numbers in national format, such as `DE`; null for that of the service. */
  region: z.custom<CountryCode>().nullable(),
  ...lookupColumns,
  created_at: instant,
  updated_at: instant,
  deleted_at: instant.nullable(),
});
export type AgentRow = z.output<typeof AgentRow>;

/** The columns of an agent that are copied into its calls. */
const AgentLabel = AgentRow.pick({ id: true, name: true, language: true });
export type AgentLabel = z.output<typeof AgentLabel>;

/** The columns of an agent that are read to create a call: its label, its providers and its model. */
export const AgentSummary = AgentLabel.extend(
  AgentRow.pick({ ai_provider: true, model: true, voice_provider: true, transcription_provider: true }).shape,
);
export type AgentSummary = z.output<typeof AgentSummary>;

/** An agent with the phone numbers that it answers. */
export interface AgentRecord {
  agent: AgentRow;
  phoneNumbers: string[];
}

/** A warning about an agent; see `agent-warnings.ts`. */
const warning = z
  .object({
    code: z
      .enum([
        'provider_not_configured',
        'tools_not_used',
        'talk_without_model',
        'tool_not_carried_over',
        'secret_not_known',
        'system_prompt_not_used',
        'voice_not_known',
        'language_not_known',
        'language_not_changed',
        'language_without_phrases',
        'single_braces',
        'variable_not_known',
        'field_not_known',
        'warm_transfer_not_possible',
      ])
      .meta({ description: 'What it is about, for programs.' }),
    field: z.string().optional().meta({ description: 'The unknown field, for `field_not_known`.' }),
    message: z
      .string()
      .meta({ description: 'A sentence for people: what is wrong, and what happens instead.' }),
  })
  .meta({
    id: 'AgentWarning',
    description: 'Something about an agent that is kept but will not work as asked.',
    examples: [
      {
        code: 'provider_not_configured',
        message: "ai_provider 'openai' is not configured here; calls use 'builtin'.",
      },
    ],
  });
export type AgentWarning = z.output<typeof warning>;

/** The agent in the examples of the API's document. */
const EXAMPLE = {
  id: 'agent_01kakb8x6te1tr7m3qf0c9w2aa',
  agent_id: 'agent_01kakb8x6te1tr7m3qf0c9w2aa',
  object: 'agent' as const,
  name: 'Receptionist',
  initial_message: 'Hello {{name}}, this is the clinic.',
  ai_provider: 'builtin',
  voice_provider: 'builtin',
  system_prompt: null,
  model: null,
  model_settings: {},
  fallbacks: {},
  turn_taking: {},
  voice: null,
  voice_settings: {},
  language: 'en-US',
  languages: [],
  transcription_provider: null,
  tools: [],
  playbook: null,
  variables: ['name'],
  status: 'active' as const,
  is_default: false,
  backup_agent_id: null,
  phone_numbers: ['+14155550100'],
  voicemail: { action: 'hang_up' as const },
  missing_variables: 'warn' as const,
  region: null,
  lookup_url: null,
  lookup_secret: null,
  metadata: {},
  warnings: [],
  created_at: '2026-11-21T00:00:00.000Z',
  updated_at: '2026-11-21T00:00:00.000Z',
};

/**
 * The playbook as it was saved, without checks: a rule of a later release must not hide an agent from the people who
 * can repair it.
 */
const shownPlaybook = z.unknown().meta({ $ref: '#/components/schemas/Playbook' }) as z.ZodType<Playbook>;

/** An agent as the API shows it (openapi.json, `Agent`). */
export const agentResource = z
  .object({
    id: z.string().meta({ description: 'The id of the agent.' }),
    agent_id: z.string().meta({ description: 'The same as `id`.' }),
    object: z.literal('agent'),
    name: z.string().meta({ description: 'The name of the agent.' }),
    initial_message: z.string().meta({ description: 'The opening message; may hold `{{name}}` variables.' }),
    ai_provider: z
      .string()
      .meta({ description: 'The provider that decides what the agent says; see `GET /api/providers`.' }),
    voice_provider: z.string().meta({ description: 'The provider of the voice.' }),
    system_prompt: z.string().nullable().meta({ description: 'Instructions for a language model.' }),
    model: z.string().nullable().meta({ description: 'The model of `ai_provider`; null for its default.' }),
    model_settings: agentModelSettings.meta({ description: 'How the model answers.' }),
    fallbacks: agentFallbacks.meta({ description: 'What takes the place of a provider that fails.' }),
    turn_taking: turnTaking.meta({ description: 'How it takes turns with a caller.' }),
    voice: z
      .string()
      .nullable()
      .meta({ description: 'The voice of `voice_provider`; null for its default.' }),
    voice_settings: voiceSettings.meta({ description: 'How the voice sounds.' }),
    language: z.string().meta({ description: 'BCP 47 tag.' }),
    languages: z
      .array(z.string())
      .meta({ description: 'Languages that the talk changes to where the caller speaks them.' }),
    transcription_provider: z.string().nullable().meta({
      description: 'The provider of speech recognition, unless the call names another; null for the default.',
    }),
    tools: tools.meta({ description: 'The tools of a language model, in our own shape.' }),
    playbook: shownPlaybook.nullable(),
    variables: z
      .array(z.string())
      .meta({ description: 'The variables that the texts use; calls fill them from `customer_data`.' }),
    status: z.enum(AGENT_STATUSES).meta({ description: 'An inactive agent answers no incoming calls.' }),
    is_default: z.boolean().meta({ description: 'Whether it is used where no agent is named.' }),
    backup_agent_id: z
      .string()
      .nullable()
      .meta({ description: 'Answers incoming calls while this agent is inactive.' }),
    phone_numbers: z.array(z.string()).meta({ description: 'The numbers that it answers.' }),
    voicemail: voicemailHandling,
    missing_variables: z.enum(MISSING_VARIABLES).meta({
      description: 'What is done with calls that lack data which the texts need.',
    }),
    region: z
      .string()
      .nullable()
      .meta({ description: 'Country of its numbers without a country code; null for `DEFAULT_REGION`.' }),
    ...lookupResponseFields,
    metadata: FreeForm.meta({ description: 'Your own data, in any form.' }),
    warnings: z.array(warning).meta({ description: 'Parts of the configuration that will not work.' }),
    created_at: instantOut.meta({ description: 'When it was created (UTC).' }),
    updated_at: instantOut.meta({ description: 'When it was last changed (UTC).' }),
  })
  .meta({
    id: 'Agent',
    description: 'An agent: what it says, and the providers behind it.',
    examples: [EXAMPLE],
  });
export type AgentResource = z.output<typeof agentResource>;

/**
 * An agent as the API shows it.
 * @param newSecret a secret created for this request: it is shown once, if it has become the lookup secret of the
 *   agent; any other secret stays hidden
 */
export function toAgentResource(
  { agent, phoneNumbers }: AgentRecord,
  { warnings, newSecret = null }: { warnings: readonly AgentWarning[]; newSecret?: string | null },
): AgentResource {
  const { workspace: _workspace, deleted_at: _deletedAt, created_at, updated_at, ...shown } = agent;
  const setByPlaybook = variablesSetBy(agent.playbook);
  const { voicemail } = agent;
  const messages = voicemail.action === 'leave_message' ? [voicemail.message] : [];
  const variables = variablesOf([agent.initial_message, ...messages, ...textsOf(agent.playbook)]);
  return {
    ...shown,
    agent_id: agent.id,
    object: 'agent',
    variables: variables.filter((name) => !setByPlaybook.has(name)),
    phone_numbers: phoneNumbers,
    lookup_secret: agent.lookup_secret === newSecret ? newSecret : null,
    warnings: [...warnings],
    created_at: toInstant(created_at),
    updated_at: toInstant(updated_at),
  };
}
