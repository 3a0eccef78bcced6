import type { Worker } from 'node:worker_threads';
import type { Log } from '../../kernel/log/log.js';
import { startThread } from '../../kernel/system/thread.js';
import type { IntakeAnswer, IntakeTask } from '../intake/intake.js';
import type { ThreadAnswer, ThreadQuestion } from './batch-thread.js';
import type { ForecastTask, Forecast } from '../preflight/preflight.js';

interface Waiting {
  resolve(result: never): void;
  reject(error: Error): void;
}

type WithoutId<Question> = Question extends unknown ? Omit<Question, 'id'> : never;

/**
 * Reads large bodies, and plays batches through, on a thread of its own: either would hold up the audio of live calls
 * for too long. The thread starts with the first batch; when it dies, what it owed is rejected and the next batch
 * starts another one.
 */
export class BatchReader {
  readonly #log: Log;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | null = null;
  #lastId = 0;

  constructor(parts: { log: Log }) {
    this.#log = parts.log;
  }

  /** @param task its body changes hands and is empty afterwards */
  read(task: IntakeTask): Promise<IntakeAnswer> {
    // A body that is a window on a larger buffer, or on one of Node's pool, cannot be handed over: it is copied.
    const { body } = task;
    const whole = body.byteLength === body.buffer.byteLength && body.buffer instanceof ArrayBuffer;
    const own = whole ? body : new Uint8Array(body);
    return this.#ask({ kind: 'intake', task: { ...task, body: own } }, [own.buffer as ArrayBuffer]);
  }

  forecast(task: ForecastTask): Promise<Forecast> {
    return this.#ask({ kind: 'forecast', task }, []);
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    await thread?.terminate();
  }

  #ask<Result>(question: WithoutId<ThreadQuestion>, transfer: ArrayBuffer[]): Promise<Result> {
    this.#thread ??= this.#start();
    const id = (this.#lastId += 1);
    const thread = this.#thread;
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      thread.postMessage({ id, ...question }, transfer);
    });
  }

  #start(): Worker {
    const thread = startThread('batches/reading/batch-thread.js', {});
    thread.on('message', (answer: ThreadAnswer) => this.#settle(answer));
    thread.on('error', (error) => this.#log.error({ err: error }, 'the thread that reads batches failed'));
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = null;
      for (const { reject } of this.#waiting.values())
        reject(new Error('the thread that reads batches ended'));
      this.#waiting.clear();
    });
    // An idle thread must not keep the process alive.
    thread.unref();
    return thread;
  }

  #settle(answer: ThreadAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    if (!waiting) return;
    this.#waiting.delete(answer.id);
    if ('failure' in answer) {
      const error = new Error(answer.failure.message);
      if (answer.failure.stack !== undefined) error.stack = answer.failure.stack;
      waiting.reject(error);
    } else {
      waiting.resolve(answer.result as never);
    }
  }
}
