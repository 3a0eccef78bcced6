import type { CallCost, CallUsage, ModelUse, SpeakingUse } from '#calls/record/call-cost.js';
import { isBuiltInProvider, priceOf, type PriceTable } from './prices.js';

// Computes what a call costs from its usage and the operator's prices, for the transactions on costs
// (`costTransactions`). A cost is in US dollars, and null where its price or usage is unknown.

const MILLION = 1_000_000;
const MINUTE_SECONDS = 60;
/** The steps of rounding per dollar: costs are rounded to a millionth of a dollar. */
const STEPS_PER_DOLLAR = 1_000_000;

/** The parts of a cost. Hearing is speech recognition, thinking is language models, speaking is voices. */
const LEGS = ['carrier', 'hearing', 'thinking', 'speaking'] as const;
type Leg = (typeof LEGS)[number];

/**
 * The cost of a call by the operator's prices.
 * @param carrierPrice the carrier's own price in US dollars; null while the carrier has not reported one
 */
export function costOf(usage: CallUsage, prices: PriceTable, carrierPrice: number | null = null): CallCost {
  return ofLegs({
    carrier: carrierPrice ?? carrierCost(usage.carrier, prices),
    hearing: sumOf(usage.hearing, (use) => perMinute(use, priceOf(prices.hearing, use)?.per_minute)),
    thinking: sumOf(usage.thinking, (use) => thinkingCost(use, prices)),
    speaking: sumOf(usage.speaking, (use) => speakingCost(use, prices)),
  });
}

/** The cost of a call with its carrier's own price in US dollars, which the carrier has reported later. */
export function withCarrierPrice(cost: CallCost, carrierPrice: number): CallCost {
  const { hearing_usd: hearing, thinking_usd: thinking, speaking_usd: speaking } = cost;
  return ofLegs({ carrier: carrierPrice, hearing, thinking, speaking });
}

/** Builds a cost from its parts. The total is null while one of them is unknown. */
function ofLegs(costs: Record<Leg, number | null>): CallCost {
  const legCosts = LEGS.map((leg) => costs[leg]);
  const isComplete = !legCosts.includes(null);
  const total = legCosts.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
  return {
    total_usd: isComplete ? rounded(total) : null,
    carrier_usd: rounded(costs.carrier),
    hearing_usd: rounded(costs.hearing),
    thinking_usd: rounded(costs.thinking),
    speaking_usd: rounded(costs.speaking),
    is_complete: isComplete,
  };
}

/** The sum of the known parts of a cost, in US dollars. */
export function knownUsd({ carrier_usd, hearing_usd, thinking_usd, speaking_usd }: CallCost): number {
  return rounded((carrier_usd ?? 0) + (hearing_usd ?? 0) + (thinking_usd ?? 0) + (speaking_usd ?? 0));
}

/** Every begun billing increment counts: with increments of 60 s, 61 s cost two minutes. */
function carrierCost({ provider, seconds }: CallUsage['carrier'], { carrier }: PriceTable): number | null {
  if (isBuiltInProvider(provider)) return 0;
  const price = priceOf(carrier, { provider, model: null });
  if (price === undefined) return null;
  const increments = Math.ceil(seconds / price.billed_by_seconds);
  return (increments * price.billed_by_seconds * price.per_minute) / MINUTE_SECONDS;
}

/** The input tokens include the cached ones, which may have a price of their own. */
function thinkingCost(use: ModelUse, { thinking }: PriceTable): number | null {
  const price = priceOf(thinking, use);
  const { input_tokens: input, output_tokens: output } = use;
  if (price === undefined || input === null || output === null) return null;
  const cached = use.cached_input_tokens ?? 0;
  const cachedPrice = price.per_million_cached_input_tokens ?? price.per_million_input_tokens;
  const dollars =
    (input - cached) * price.per_million_input_tokens +
    cached * cachedPrice +
    output * price.per_million_output_tokens;
  return dollars / MILLION;
}

/** A voice is charged by characters if its price names them, else by minutes of speech. */
function speakingCost(use: SpeakingUse, { speaking }: PriceTable): number | null {
  if (isBuiltInProvider(use.provider) || use.characters === 0) return 0;
  const price = priceOf(speaking, use);
  const byCharacter = price?.per_million_characters;
  if (byCharacter !== undefined)
    return use.characters === null ? null : (use.characters * byCharacter) / MILLION;
  return perMinute(use, price?.per_minute);
}

/** The cost of seconds of audio at a price per minute. */
function perMinute(
  { provider, sound_seconds: seconds }: { provider: string; sound_seconds: number | null },
  price: number | undefined,
): number | null {
  if (isBuiltInProvider(provider)) return 0;
  return price === undefined || seconds === null ? null : (seconds * price) / MINUTE_SECONDS;
}

/** The sum over all uses: zero without any, null when one of them has an unknown cost. */
function sumOf<Use>(uses: readonly Use[], costOfUse: (use: Use) => number | null): number | null {
  return uses.reduce<number | null>((sum, use) => {
    const cost = costOfUse(use);
    return sum === null || cost === null ? null : sum + cost;
  }, 0);
}

/** Rounds to a millionth of a dollar. */
function rounded(dollars: number): number;
function rounded(dollars: number | null): number | null;
function rounded(dollars: number | null): number | null {
  return dollars === null ? null : Math.round(dollars * STEPS_PER_DOLLAR) / STEPS_PER_DOLLAR;
}
