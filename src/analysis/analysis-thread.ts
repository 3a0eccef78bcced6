import { answerQuestions } from '#kernel/system/compute-thread.js';
import { analyseCall } from './analyse-call.js';
import type { AnalysisInput } from './analysis.js';

/* Thread that analyses calls. Stateless. */
answerQuestions((input: AnalysisInput) => analyseCall(input));
