import { answerQuestions } from '#kernel/system/compute-thread.js';
import { readSuppressionList } from './suppression-list.js';

/* The entry point of the thread that parses imports of suppressions; `SuppressionListReader` starts it. */
answerQuestions((bytes: Uint8Array) => readSuppressionList(bytes));
