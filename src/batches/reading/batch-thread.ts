import { answerQuestions } from '#kernel/system/compute-thread.js';
import { readIntake, type IntakeTask } from '#batches/intake/intake.js';
import { forecast, type ForecastTask } from '#batches/preflight/preflight.js';

/** A request to the batch thread. */
export type BatchQuestion = { kind: 'intake'; task: IntakeTask } | { kind: 'forecast'; task: ForecastTask };

/* Entry of the thread of `BatchReader`. It is stateless, so it can be restarted at any time. */
answerQuestions((question: BatchQuestion) =>
  question.kind === 'intake' ? readIntake(question.task) : forecast(question.task),
);
