import { parentPort } from 'node:worker_threads';
import { runInBackground } from '../../kernel/system/background.js';
import { analyseCall } from './analyse-call.js';
import type { AnalysisInput, CallAnalysis } from './analysis.js';

/** What the thread is asked; each question has one answer with its number. */
export interface AnalysisQuestion {
  number: number;
  input: AnalysisInput;
}

/** A failure never holds what was said. */
export type AnalysisAnswer = { number: number; analysis: CallAnalysis } | { number: number; failure: string };

runInBackground();
const port = parentPort!;
port.on('message', ({ number, input }: AnalysisQuestion) => port.postMessage(answer(number, input)));

function answer(number: number, input: AnalysisInput): AnalysisAnswer {
  try {
    return { number, analysis: analyseCall(input) };
  } catch (error) {
    return { number, failure: error instanceof Error ? error.name : 'unknown' };
  }
}
