import type { MessagePort } from 'node:worker_threads';
import type { Increment } from '#metrics/counters.js';
import { packError, type Answers, type FromThread } from './thread-protocol.js';

/**
 * What a store thread sends to its `ThreadClient`: results, commits and counters of transactions, collected until
 * `flush` and sent in one message; warnings and notifications, sent at once.
 */
export class Outbox {
  readonly #port: MessagePort;
  /** The results that were not sent yet. */
  #answers = noAnswers();
  #isFlushPlanned = false;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  /** Adds the result of a transaction. */
  succeed(id: number, result: unknown): void {
    this.#answers.ids.push(id);
    this.#answers.results.push(result);
  }

  /** Adds the error of a transaction. */
  fail(id: number, error: unknown): void {
    this.#answers.failedIds.push(id);
    this.#answers.failures.push(packError(error));
  }

  /** Adds the duration of a commit and the counters of its transactions. */
  committed(durationMs: number, increments: readonly Increment[]): void {
    this.#answers.commitsMs.push(durationMs);
    this.#answers.increments.push(...increments);
  }

  /** Sends the collected results at the end of this turn of the event loop. */
  flushSoon(): void {
    if (this.#isFlushPlanned) return;
    this.#isFlushPlanned = true;
    setImmediate(() => {
      this.#isFlushPlanned = false;
      this.flush();
    });
  }

  /** Sends the collected results now. (Commits without a result are sent with the next result.) */
  flush(): void {
    const answers = this.#answers;
    if (answers.ids.length === 0 && answers.failedIds.length === 0) return;
    this.#answers = noAnswers();
    try {
      this.#send(answers);
    } catch {
      this.#sendOneByOne(answers);
    }
  }

  /** Sends a warning for the operator. */
  warn(message: string, reason: string): void {
    const warning: FromThread = { kind: 'warn', message, reason };
    this.#port.postMessage(warning);
  }

  /** Passes on a notification that the database has delivered to this thread. */
  notice(topic: string, id: string): void {
    const notice: FromThread = { kind: 'notice', topic, id };
    this.#port.postMessage(notice);
  }

  /** Sends each result in a message of its own: a result that cannot be cloned fails alone. */
  #sendOneByOne(answers: Answers): void {
    answers.ids.forEach((id, index) => {
      try {
        this.#send({ ...noAnswers(), ids: [id], results: [answers.results[index]] });
      } catch (error) {
        this.#send({ ...noAnswers(), failedIds: [id], failures: [packError(error)] });
      }
    });
    // The rest: failures, commits and counters.
    this.#send({ ...answers, ids: [], results: [] });
  }

  #send(answers: Answers): void {
    const message: FromThread = { kind: 'answer', answers };
    this.#port.postMessage(message);
  }
}

function noAnswers(): Answers {
  return { ids: [], results: [], failedIds: [], failures: [], increments: [], commitsMs: [] };
}
