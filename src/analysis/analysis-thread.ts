import { answerQuestions } from '#kernel/system/compute-thread.js';
import { analyseCall } from './analyse-call.js';
import type { AnalysisInput } from './analysis.js';

/* The thread on which calls are analysed. It has nothing but what it is asked. */
answerQuestions((input: AnalysisInput) => analyseCall(input));
