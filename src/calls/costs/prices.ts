import { z } from 'zod';

// The prices that the operator pays to carriers and providers, as the file of the setting `PRICES_FILE` lists them. The
// costs of calls are computed from them. Hearing is speech recognition, thinking is language models, speaking is
// voices.

const dollars = z.number().min(0);

/**
 * The prices of each part of a call by unit, in US dollars. A part whose provider is not in the table has an unknown
 * cost, except for built-in providers. Cached input tokens without a price of their own cost as much as other ones.
 */
const legPrices = {
  carrier: z.strictObject({
    /** Per minute of an answered call. */
    per_minute: dollars,
    /** The billing increment in seconds. */
    billed_by_seconds: z.int().min(1).default(60),
  }),
  hearing: z.strictObject({ per_minute: dollars }),
  thinking: z.strictObject({
    per_million_input_tokens: dollars,
    per_million_cached_input_tokens: dollars.optional(),
    per_million_output_tokens: dollars,
  }),
  speaking: z
    .strictObject({ per_million_characters: dollars.optional(), per_minute: dollars.optional() })
    .refine((price) => Object.keys(price).length > 0, 'names no price'),
};

/**
 * The schema of the price table: by part of a call, and within it by `provider/model`, or by `provider` for all of its
 * models.
 */
export const priceTable = z.strictObject({
  carrier: z.record(z.string(), legPrices.carrier).default({}),
  hearing: z.record(z.string(), legPrices.hearing).default({}),
  thinking: z.record(z.string(), legPrices.thinking).default({}),
  speaking: z.record(z.string(), legPrices.speaking).default({}),
});
export type PriceTable = z.output<typeof priceTable>;

/** The price table without `PRICES_FILE`. */
export const NO_PRICES: PriceTable = { carrier: {}, hearing: {}, thinking: {}, speaking: {} };

/** Providers and carriers that are part of this service. Calls of `websocket` come over the audio socket. */
const BUILT_IN_PROVIDERS = new Set(['builtin', 'sandbox', 'websocket']);

/** True if a provider or carrier is part of this service, so that its use costs nothing. */
export function isBuiltInProvider(provider: string): boolean {
  return BUILT_IN_PROVIDERS.has(provider);
}

/** The price of a provider's model, or else of the provider; undefined if the table has neither. */
export function priceOf<Price>(
  prices: Readonly<Record<string, Price>>,
  { provider, model }: { provider: string; model: string | null },
): Price | undefined {
  return (model === null ? undefined : prices[`${provider}/${model}`]) ?? prices[provider];
}
