/** How Gemini is told how much to think: by level from 3 on, by tokens before. */
export type GeminiThinking =
  { thinkingLevel: 'minimal' | 'low' | 'medium' | 'high' } | { thinkingBudget: number };

const BUDGETS: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 0,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
};
/** Pro models of 2.5 cannot do without. */
const LEAST_PRO_BUDGET = 128;

/** What to ask for; null for a model that does not think, or of which nothing is known. */
export function thinkingOf(model: string, effort: string | null): GeminiThinking | null {
  const version = /^gemini-(\d+)(?:\.(\d+))?/.exec(model);
  if (version === null) return null;
  const wanted = effort ?? 'none';
  if (Number(version[1]) >= 3) return { thinkingLevel: levelOf(wanted, model.includes('flash')) };
  if (version[1] !== '2' || version[2] !== '5') return null;
  const budget = BUDGETS[wanted] ?? BUDGETS['low'] ?? 0;
  return { thinkingBudget: model.includes('pro') ? Math.max(budget, LEAST_PRO_BUDGET) : budget };
}

function levelOf(effort: string, isFlash: boolean): 'minimal' | 'low' | 'medium' | 'high' {
  if (effort === 'medium' || effort === 'high') return effort;
  return isFlash && effort !== 'low' ? 'minimal' : 'low';
}
