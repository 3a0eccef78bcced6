import { turnTaking } from '#dialogue/turn-taking.js';
import { z } from 'zod';
import { playbookSchema } from '#playbook/definition/playbook.js';
import { agentFallbacks, agentModelSettings } from '#dialogue/llm/agent-model.js';
import { agentTools } from '#dialogue/tools/tool-definition.js';
import { hasBrokenVariable } from '#dialogue/variables.js';
import { voiceSettings } from '#speech/voice-settings.js';
import { voicemailHandling } from '#dialogue/voicemail-handling.js';
import { lookupUrlField } from './lookup.js';
import { AGENT_STATUSES, MISSING_VARIABLES } from './agent.js';
import { regionField } from '#kernel/input/fields.js';
import { FreeForm } from '#kernel/input/free-form.js';

/* Schemas (zod) of requests that create, change or try an agent. The routes of agents check bodies with them. */

const MAX_METADATA_CHARACTERS = 64 * 1024;

const name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .meta({ description: 'The name of the agent.', examples: ['Receptionist'] });

const initialMessage = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .refine((text) => !hasBrokenVariable(text), 'holds braces that make no variable such as {{name}}')
  .meta({
    description:
      "The agent's opening message. `{{name}}` is replaced by the value of that variable, `{{name|there}}` by " +
      '`there` when the value is not known.',
    examples: ['Hello {{name}}, this is the clinic.'],
  });

/**
 * A provider name is free text: a provider that is not configured causes a warning, and calls use the built-in provider
 * or are refused, as the service is set up.
 */
const provider = z.string().trim().min(1).max(64);

const language = z
  .string()
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/, 'is not a BCP 47 tag such as en-US')
  .meta({ description: 'BCP 47 tag. Default `en-US`.', examples: ['en-US'] });

const MAX_LANGUAGES = 10;

const shortText = z.string().trim().min(1).max(200);

/** The fields of an agent that every request may omit: all but the name, which a new agent must have. */
const fields = {
  initial_message: initialMessage.nullish(),
  ai_provider: provider.nullish().meta({
    description:
      'The provider that decides what the agent says: a name from `GET /api/providers`. Default ' +
      '`builtin`.',
    examples: ['builtin'],
  }),
  voice_provider: provider.nullish().meta({
    description: 'The provider of the voice: a name from `GET /api/providers`. Default `builtin`.',
    examples: ['builtin'],
  }),
  transcription_provider: provider.nullish().meta({
    description: 'The provider of speech recognition, unless the call names another.',
    examples: ['builtin'],
  }),
  system_prompt: z
    .string()
    .max(32_000)
    .nullish()
    .meta({
      description: 'Instructions for a language model. The built-in AI follows `playbook` instead.',
      examples: ['You are the friendly receptionist of a clinic.'],
    }),
  model: shortText
    .nullish()
    .meta({ description: 'The model of `ai_provider`; its default if omitted.', examples: ['gpt-5-mini'] }),
  voice: shortText
    .nullish()
    .meta({ description: 'The voice of `voice_provider`; its default if omitted.', examples: ['slt'] }),
  voice_settings: voiceSettings.nullish().meta({
    description: 'How the voice sounds; what is left out is left to the provider.',
    examples: [{ speed: 1.1 }],
  }),
  language: language.nullish(),
  languages: z
    .array(language)
    .max(MAX_LANGUAGES)
    .nullish()
    .meta({
      description:
        'Languages of callers, such as `["en", "es"]`: the talk changes to one of them where the recogniser tells that ' +
        'the caller speaks it. It begins in `language`; where that is left out, in the first of these.',
      examples: [['en', 'es']],
    }),
  model_settings: agentModelSettings.nullish().meta({
    description: 'How the model answers; what is left out is left to the provider.',
    examples: [{ temperature: 0.3, max_output_tokens: 300 }],
  }),
  fallbacks: agentFallbacks.nullish().meta({
    description: 'Models, voices and recognisers that take the place of one that fails, in order.',
    examples: [{ ai: [{ provider: 'anthropic', model: 'claude-haiku-4-5' }] }],
  }),
  turn_taking: turnTaking.nullish().meta({
    description: 'How the agent takes turns with a caller.',
    examples: [{ prepare_replies: false }],
  }),
  tools: agentTools.nullish().meta({
    description:
      'Tools of a language model: requests to servers of yours, and built-in tools that are set up or switched off. ' +
      'The shapes of Vapi and Retell are understood, too. See docs/agents.md.',
    examples: [[]],
  }),
  playbook: playbookSchema.nullish(),
  status: z
    .enum(AGENT_STATUSES)
    .nullish()
    .meta({ description: 'An inactive agent answers no incoming calls.', examples: ['active'] }),
  is_default: z
    .boolean()
    .nullish()
    .meta({
      description: 'Makes it the default agent, in place of the previous one.',
      examples: [false],
    }),
  backup_agent_id: z
    .string()
    .min(1)
    .max(100)
    .nullish()
    .meta({
      description: 'The agent that answers incoming calls while this one is inactive.',
      examples: ['agent_01kakb8x6te1tr7m3qf0c9w2ab'],
    }),
  voicemail: voicemailHandling.nullish(),
  missing_variables: z
    .enum(MISSING_VARIABLES)
    .nullish()
    .meta({
      description:
        'What is done with calls that lack data which the texts speak: `warn` accepts them with a warning, `refuse` ' +
        'does not. Variables with words of their own, `{{name|there}}`, are never missing. Default `warn`.',
      examples: ['warn'],
    }),
  region: regionField.nullish().meta({
    description:
      'Country of numbers without a country code, in requests that name this agent and in what its callers say ' +
      '(ISO 3166); `DEFAULT_REGION`, if omitted.',
    examples: ['GB'],
  }),
  lookup_url: lookupUrlField,
  metadata: FreeForm.refine((data) => JSON.stringify(data).length <= MAX_METADATA_CHARACTERS, {
    message: `must not be longer than ${MAX_METADATA_CHARACTERS} characters of JSON`,
  })
    .nullish()
    .meta({ description: 'Your own data, in any form, returned unchanged.', examples: [{ team: 'north' }] }),
};

/** The body of `POST /api/agents`. A field with `null` counts as left out. */
export const agentCreate = z.object({ name, ...fields }).meta({
  id: 'AgentCreate',
  description: 'A new agent. Without a playbook it says its opening message and takes a note.',
  examples: [{ name: 'Receptionist', initial_message: 'Hello {{name}}, this is the clinic.' }],
});
export type AgentCreate = z.output<typeof agentCreate>;

/**
 * The body of `PUT` and `PATCH /api/agents/{id}`: any of the fields. `null` empties a field that may be empty, and
 * changes nothing in the others.
 */
export const agentUpdate = z.object({ name: name.nullish(), ...fields }).meta({
  id: 'AgentUpdate',
  description: 'The fields to change; others stay as they are.',
  examples: [{ voice: 'rms', playbook: null }],
});
export type AgentUpdate = z.output<typeof agentUpdate>;

/** The body of `POST /api/agents/trials`: an unsaved agent, or unsaved changes of a saved one. */
export const agentTrialInput = agentUpdate
  .extend({
    agent_id: z
      .string()
      .min(1)
      .max(100)
      .nullish()
      .meta({
        description: 'The saved agent that is being changed: fields that are left out are as it has them.',
        examples: ['agent_01kakb8x6te1tr7m3qf0c9w2aa'],
      }),
  })
  .meta({
    id: 'AgentTrialCreate',
    description: 'An agent that is not saved, or changes of a saved one that are not.',
    examples: [{ name: 'Receptionist', initial_message: 'Hello {{name}}, this is the clinic.' }],
  });
export type AgentTrialInput = z.output<typeof agentTrialInput>;
