import { answerQuestions } from '#kernel/system/compute-thread.js';
import { readSuppressionList } from './suppression-list.js';

/* Entry of the thread that parses imports of suppressions. */
answerQuestions((bytes: Uint8Array) => readSuppressionList(bytes));
