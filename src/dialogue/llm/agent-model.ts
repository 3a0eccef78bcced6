import { z } from 'zod';
import { templatedHeaders } from '#dialogue/tools/tool-definition.js';

/** Most fallbacks of one kind, such as language models. */
const MOST_FALLBACKS = 5;

/** Schema of an agent's `model_settings` in the API. `agents/definitions` uses it to read and to show agents. */
export const agentModelSettings = z.object({
  temperature: z
    .number()
    .min(0)
    .max(2)
    .nullish()
    .meta({ description: 'How freely it chooses its words, 0 to 2.' }),
  max_output_tokens: z
    .int()
    .min(1)
    .max(8_192)
    .nullish()
    .meta({ description: 'The most tokens of one answer.' }),
  reasoning_effort: z
    .string()
    .trim()
    .min(1)
    .max(32)
    .nullish()
    .meta({ description: 'Such as `none` or `low`, for models that reason.' }),
  max_context_tokens: z
    .int()
    .min(1_000)
    .max(1_000_000)
    .nullish()
    .meta({ description: 'The most tokens that it is given; older turns are left out. Default 16,000.' }),
  url: z
    .string()
    .max(2_000)
    .nullish()
    .meta({ description: 'For `custom`: the server that decides each turn.' }),
  headers: templatedHeaders
    .nullish()
    .meta({ description: 'For `custom`: sent with every request. Values may hold `{{secret.name}}`.' }),
});
export type AgentModelSettings = z.output<typeof agentModelSettings>;

/** A language model in a list of fallbacks. */
const namedModel = z.object({
  provider: z.string().trim().min(1).max(64).meta({ description: 'A name from `GET /api/providers`.' }),
  model: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .nullable()
    .default(null)
    .meta({ description: 'Its model; null for its default.' }),
});
export type NamedModel = z.output<typeof namedModel>;

/** A voice in a list of fallbacks. */
const namedVoice = z.object({
  provider: z.string().trim().min(1).max(64).meta({ description: 'A name from `GET /api/providers`.' }),
  voice: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .nullable()
    .default(null)
    .meta({ description: 'Its voice; null for its default.' }),
});
export type NamedVoice = z.output<typeof namedVoice>;

/** A recogniser in a list of fallbacks. */
const namedRecogniser = z.object({
  provider: z.string().trim().min(1).max(64).meta({ description: 'A name from `GET /api/providers`.' }),
});
export type NamedRecogniser = z.output<typeof namedRecogniser>;

/** Schema of an agent's `fallbacks` in the API: the providers that replace a failing one, in order. */
export const agentFallbacks = z.object({
  ai: z.array(namedModel).max(MOST_FALLBACKS).optional().meta({ description: 'Language models, in order.' }),
  voice: z
    .array(namedVoice)
    .max(MOST_FALLBACKS)
    .optional()
    .meta({ description: 'Voices, in order; the built-in one stands behind them all.' }),
  transcription: z
    .array(namedRecogniser)
    .max(MOST_FALLBACKS)
    .optional()
    .meta({ description: 'Recognisers, in order; the built-in one stands behind them all.' }),
});
