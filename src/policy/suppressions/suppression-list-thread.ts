import { answerQuestions } from '#kernel/system/compute-thread.js';
import { readSuppressionList } from './suppression-list.js';

/* The thread on which large lists are read. It has nothing but what it is asked. */
answerQuestions((bytes: Uint8Array) => readSuppressionList(bytes));
