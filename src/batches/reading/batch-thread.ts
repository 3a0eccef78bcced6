import { answerQuestions } from '#kernel/system/compute-thread.js';
import { readIntake, type IntakeTask } from '#batches/intake/intake.js';
import { forecast, type ForecastTask } from '#batches/preflight/preflight.js';

/** What the thread is asked. */
export type BatchQuestion = { kind: 'intake'; task: IntakeTask } | { kind: 'forecast'; task: ForecastTask };

/*
 * The thread on which batches are read and foreseen. It has nothing but what it is asked, so it may die and be started
 * anew at any time.
 */
answerQuestions((question: BatchQuestion) =>
  question.kind === 'intake' ? readIntake(question.task) : forecast(question.task),
);
