import { parentPort } from 'node:worker_threads';
import { asError } from '../../kernel/errors/as-error.js';
import { runInBackground } from '../../kernel/system/background.js';
import { readIntake, type IntakeAnswer, type IntakeTask } from '../intake/intake.js';
import { forecast, type ForecastTask, type Forecast } from '../preflight/preflight.js';

/** What the thread is asked, numbered by the asker. */
export type ThreadQuestion =
  { id: number; kind: 'intake'; task: IntakeTask } | { id: number; kind: 'forecast'; task: ForecastTask };

export type ThreadAnswer =
  | { id: number; result: IntakeAnswer | Forecast }
  | { id: number; failure: { message: string; stack: string | undefined } };

/*
 * The thread on which batches are read and foreseen. It has nothing but what it is asked, so it may die and be started
 * anew at any time.
 */

runInBackground();
const port = parentPort;
if (port === null) throw new Error('this module is the start of a thread');
port.on('message', (question: ThreadQuestion) => {
  port.postMessage(answerTo(question));
});

function answerTo(question: ThreadQuestion): ThreadAnswer {
  const { id } = question;
  try {
    const result = question.kind === 'intake' ? readIntake(question.task) : forecast(question.task);
    return { id, result };
  } catch (error) {
    const { message, stack } = asError(error);
    return { id, failure: { message, stack } };
  }
}
