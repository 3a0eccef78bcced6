import { UNKNOWN_INTENT, type AnalysisInput, type CallAnalysis } from './analysis.js';
import { MACHINE_PICKED_UP, NOTHING_SAID } from './summary.js';

/** The analysis of a call without a talk, which needs no analyst. */
export function analysisOfSilence(answeredBy: AnalysisInput['answeredBy']): CallAnalysis {
  return {
    summary: answeredBy === 'machine' ? MACHINE_PICKED_UP : NOTHING_SAID,
    sentiment: 'neutral',
    intent: UNKNOWN_INTENT,
    actionable_items: [],
    keywords: [],
    confidence_score: 0,
    resolution_achieved: null,
  };
}
