import { parentPort, type Worker } from 'node:worker_threads';
import { asError } from '#kernel/errors/as-error.js';
import type { Log } from '#kernel/log/log.js';
import { runInBackground, startThread } from './thread.js';

// Computations on worker threads: `ComputeThread` on the side of the caller, `answerQuestions` in the thread.

/** A question to the thread (the input of one computation); its answer carries the same number. */
interface NumberedQuestion<Question> {
  number: number;
  question: Question;
}

/**
 * An answer of the thread. A failure carries the error's class and stack, never its message, which may quote people.
 */
type NumberedAnswer = { number: number; answer: unknown } | { number: number; failure: string };

/** The promise of a question that is not answered yet. */
interface PendingQuestion {
  resolve(answer: never): void;
  reject(error: Error): void;
}

/**
 * Runs computations on a thread, because on the main thread they would delay the audio of live calls. The thread starts
 * with the first question; when it dies, pending questions are rejected and the next question starts another thread.
 */
export class ComputeThread<Question> {
  readonly #name: string;
  readonly #path: string;
  readonly #log: Log;
  readonly #start: typeof startThread;
  readonly #pending = new Map<number, PendingQuestion>();
  #thread: Worker | null = null;
  #lastNumber = 0;
  #isClosed = false;

  /**
   * @param thread.name for logs and errors
   * @param thread.path the thread's module, which calls {@link answerQuestions}: its compiled file inside `src/`
   */
  constructor(thread: { name: string; path: string }, parts: { log: Log; start?: typeof startThread }) {
    this.#name = thread.name;
    this.#path = thread.path;
    this.#log = parts.log;
    this.#start = parts.start ?? startThread;
  }

  /**
   * Runs a computation on the thread.
   * @param transfer buffers to move to the thread; they are empty afterwards
   * @throws Error when the computation failed, or the thread died or was closed before it answered
   */
  ask<Answer>(question: Question, transfer: readonly ArrayBuffer[] = []): Promise<Answer> {
    if (this.#isClosed) return Promise.reject(this.#closed());
    const number = (this.#lastNumber += 1);
    return new Promise<Answer>((resolve, reject) => {
      const thread = (this.#thread ??= this.#startThread());
      // Posts first: a question that cannot be cloned throws before it is registered.
      thread.postMessage({ number, question } satisfies NumberedQuestion<Question>, transfer);
      this.#pending.set(number, { resolve, reject });
      thread.ref();
    });
  }

  /** Rejects pending questions and stops the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const thread = this.#thread;
    this.#thread = null;
    this.#rejectAll(this.#closed());
    await thread?.terminate();
  }

  #startThread(): Worker {
    const thread = this.#start(this.#path, {});
    thread.on('message', (answer: NumberedAnswer) => this.#settle(answer));
    thread.on('error', (error) => this.#onThreadEnd(thread, error));
    thread.on('exit', () => this.#onThreadEnd(thread, null));
    return thread;
  }

  /** Settles the question that an answer of the thread belongs to. */
  #settle(numbered: NumberedAnswer): void {
    const question = this.#pending.get(numbered.number);
    this.#pending.delete(numbered.number);
    // An idle thread must not keep the process alive.
    if (this.#pending.size === 0) this.#thread?.unref();
    if ('answer' in numbered) question?.resolve(numbered.answer as never);
    else question?.reject(new Error(`the ${this.#name} failed: ${numbered.failure}`));
  }

  /** Handles the death of the thread: all pending questions are rejected. */
  #onThreadEnd(thread: Worker, cause: unknown): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    this.#log.warn({ err: cause, thread: this.#name, owed: this.#pending.size }, 'thread died');
    this.#rejectAll(new Error(`the thread of the ${this.#name} died`));
  }

  #rejectAll(error: Error): void {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const question of pending) question.reject(error);
  }

  #closed(): Error {
    return new Error(`the thread of the ${this.#name} is closed`);
  }
}

/** The thread's side: answers questions, at a lower priority than the thread that paces audio. */
export function answerQuestions(answerTo: (question: never) => unknown): void {
  const port = parentPort;
  if (port === null) throw new Error('this module must run in a worker thread');
  runInBackground();
  port.on('message', ({ number, question }: NumberedQuestion<never>) =>
    port.postMessage(numberedAnswer(number, () => answerTo(question))),
  );
}

/** Does the work of a question. A failure is reported by its name and the places in its stack, without its message. */
function numberedAnswer(number: number, work: () => unknown): NumberedAnswer {
  try {
    return { number, answer: work() };
  } catch (thrown) {
    const { name, stack = '' } = asError(thrown);
    const places = stack.split('\n').filter((line) => /^\s+at /.test(line));
    return { number, failure: [name, ...places].join('\n') };
  }
}
