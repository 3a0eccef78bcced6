/** Gemini's thinking option: a level from version 3 on, a budget of tokens in version 2.5. */
export type GeminiThinking =
  { thinkingLevel: 'minimal' | 'low' | 'medium' | 'high' } | { thinkingBudget: number };

/** The most tokens of reasoning for each effort, for models of version 2.5. */
const BUDGETS: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 0,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
};
/** The least budget of Gemini 2.5 Pro, which always reasons. */
const LEAST_PRO_BUDGET = 128;

/**
 * Gemini's option for the agent's reasoning effort; null for a model that does not reason or is unknown. Without an
 * effort it is the least that the model supports, because the person on the phone waits. An effort that Gemini does not
 * have (such as `xhigh`) becomes `low` in version 2.5, and the lowest level in later versions. Used by the provider
 * `google`.
 */
export function geminiThinkingFor(model: string, effort: string | null): GeminiThinking | null {
  const version = /^gemini-(\d+)(?:\.(\d+))?/.exec(model);
  if (version === null) return null;
  const wanted = effort ?? 'none';
  if (Number(version[1]) >= 3) return { thinkingLevel: levelOf(wanted, model.includes('flash')) };
  // Versions before 2.5 do not reason.
  if (version[1] !== '2' || version[2] !== '5') return null;
  const budget = BUDGETS[wanted] ?? BUDGETS['low'] ?? 0;
  return { thinkingBudget: model.includes('pro') ? Math.max(budget, LEAST_PRO_BUDGET) : budget };
}

/** The level for an effort. Flash models have `minimal`; `low` is the least of the others. */
function levelOf(effort: string, isFlash: boolean): 'minimal' | 'low' | 'medium' | 'high' {
  if (effort === 'medium' || effort === 'high') return effort;
  return isFlash && effort !== 'low' ? 'minimal' : 'low';
}
