import { answerQuestions } from '#kernel/system/compute-thread.js';
import { analyseCall } from './analyse-call.js';
import type { AnalysisInput } from './analysis.js';

/*
 * The entry point of the analysis thread, which `createAnalyst` starts. Each input is a finished call; no state is
 * kept.
 */
answerQuestions((input: AnalysisInput) => analyseCall(input));
