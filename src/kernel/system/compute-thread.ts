import { parentPort, type Worker } from 'node:worker_threads';
import { asError } from '#kernel/errors/as-error.js';
import type { Log } from '#kernel/log/log.js';
import { runInBackground, startThread } from './thread.js';

/** A request to the thread; its answer carries the same number. */
interface NumberedQuestion<Question> {
  number: number;
  question: Question;
}

/** The failure carries the error's class and stack, never its message, which may quote personal data. */
type NumberedAnswer = { number: number; answer: unknown } | { number: number; failure: string };

interface Waiting {
  resolve(answer: never): void;
  reject(error: Error): void;
}

/**
 * Runs computations on a thread, because on the main thread they would delay the audio of live calls. The thread starts
 * with the first request; when it dies, pending requests are rejected and the next request starts another thread.
 */
export class ComputeThread<Question> {
  readonly #name: string;
  readonly #path: string;
  readonly #log: Log;
  readonly #start: typeof startThread;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | null = null;
  #lastNumber = 0;
  #isClosed = false;

  /**
   * @param thread.name for logs and errors
   * @param thread.path the module, which calls {@link answerQuestions}; see {@link startThread}
   */
  constructor(thread: { name: string; path: string }, parts: { log: Log; start?: typeof startThread }) {
    this.#name = thread.name;
    this.#path = thread.path;
    this.#log = parts.log;
    this.#start = parts.start ?? startThread;
  }

  /**
   * @param transfer buffers to move to the thread; they are empty afterwards
   * @throws Error when the computation failed, or the thread died or was closed before it answered
   */
  ask<Answer>(question: Question, transfer: readonly ArrayBuffer[] = []): Promise<Answer> {
    if (this.#isClosed) return Promise.reject(this.#closed());
    const number = (this.#lastNumber += 1);
    return new Promise<Answer>((resolve, reject) => {
      const thread = (this.#thread ??= this.#begin());
      // Posts first: a question that cannot be cloned throws before it is registered.
      thread.postMessage({ number, question } satisfies NumberedQuestion<Question>, transfer);
      this.#waiting.set(number, { resolve, reject });
      thread.ref();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const thread = this.#thread;
    this.#thread = null;
    this.#rejectAll(this.#closed());
    await thread?.terminate();
  }

  #begin(): Worker {
    const thread = this.#start(this.#path, {});
    thread.on('message', (answer: NumberedAnswer) => this.#settle(answer));
    thread.on('error', (error) => this.#lose(thread, error));
    thread.on('exit', () => this.#lose(thread, null));
    return thread;
  }

  #settle(numbered: NumberedAnswer): void {
    const waiting = this.#waiting.get(numbered.number);
    this.#waiting.delete(numbered.number);
    // An idle thread must not keep the process alive.
    if (this.#waiting.size === 0) this.#thread?.unref();
    if ('answer' in numbered) waiting?.resolve(numbered.answer as never);
    else waiting?.reject(new Error(`the ${this.#name} failed: ${numbered.failure}`));
  }

  #lose(thread: Worker, cause: unknown): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    this.#log.warn({ err: cause, thread: this.#name, owed: this.#waiting.size }, 'thread died');
    this.#rejectAll(new Error(`the thread of the ${this.#name} died`));
  }

  #rejectAll(error: Error): void {
    const owed = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waiting of owed) waiting.reject(error);
  }

  #closed(): Error {
    return new Error(`the thread of the ${this.#name} is closed`);
  }
}

/** The thread's side: answers requests at a lower priority than the thread that paces audio. */
export function answerQuestions(answerTo: (question: never) => unknown): void {
  const port = parentPort;
  if (port === null) throw new Error('this module must run in a worker thread');
  runInBackground();
  port.on('message', ({ number, question }: NumberedQuestion<never>) =>
    port.postMessage(numberedAnswer(number, () => answerTo(question))),
  );
}

function numberedAnswer(number: number, work: () => unknown): NumberedAnswer {
  try {
    return { number, answer: work() };
  } catch (thrown) {
    const { name, stack = '' } = asError(thrown);
    const places = stack.split('\n').filter((line) => /^\s+at /.test(line));
    return { number, failure: [name, ...places].join('\n') };
  }
}
