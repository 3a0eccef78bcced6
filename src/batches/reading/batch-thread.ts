import { answerQuestions } from '#kernel/system/compute-thread.js';
import { readIntake, type IntakeTask } from '#batches/intake/intake.js';
import { forecast, type ForecastTask } from '#batches/preflight/preflight.js';

/** Questions of the batch thread. */
export type BatchQuestion = { kind: 'intake'; task: IntakeTask } | { kind: 'forecast'; task: ForecastTask };

/* Thread that parses and forecasts batches. Stateless, so it can be restarted at any time. */
answerQuestions((question: BatchQuestion) =>
  question.kind === 'intake' ? readIntake(question.task) : forecast(question.task),
);
