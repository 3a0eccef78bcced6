import { z } from 'zod';

const MOST_FALLBACKS = 5;

/** How the model of an agent answers. */
export const agentModelSettings = z.strictObject({
  temperature: z.number().min(0).max(2).nullish(),
  max_output_tokens: z.int().min(1).max(8_192).nullish(),
  reasoning_effort: z.string().trim().min(1).max(32).nullish(),
  max_context_tokens: z.int().min(1_000).max(1_000_000).nullish(),
  /** For `custom`: the server that decides each turn. */
  url: z.string().max(2_000).nullish(),
  headers: z.record(z.string().min(1).max(100), z.string().max(2_000)).nullish(),
});
export type AgentModelSettings = z.output<typeof agentModelSettings>;

/** A model by its provider; null for the provider's usual one. */
const namedModel = z.strictObject({
  provider: z.string().trim().min(1).max(64),
  model: z.string().trim().min(1).max(200).nullable().default(null),
});
export type NamedModel = z.output<typeof namedModel>;

/** What takes the place of a provider that fails, in order. */
export const agentFallbacks = z.strictObject({ ai: z.array(namedModel).max(MOST_FALLBACKS).optional() });
