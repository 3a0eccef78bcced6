import type { Worker } from 'node:worker_threads';
import { Problem } from '#kernel/errors/errors.js';
import { nameOfTransaction, type Transaction } from '#store/transaction.js';
import {
  unpackError,
  type Answers,
  type FromThread,
  type Requests,
  type ThreadFacts,
  type ThreadTask,
  type ToThread,
} from './thread-protocol.js';
import { Waitlist } from './waitlist.js';

/** This many collected requests are sent at once, before the turn of the event loop ends: the thread starts early. */
const MAX_COLLECTED = 8;

/** The limit and the callbacks of a {@link ThreadClient}. */
export interface ThreadClientOptions {
  /** How many transactions may be without an answer before further ones are refused. */
  queueLimit: number;
  onWarning(message: string, reason: string): void;
  /** Called with each notification that the thread receives. */
  onNotice(topic: string, id: string): void;
  /** Called with the commits of each message of answers, before their callers are answered. */
  onCommitted(answers: Pick<Answers, 'commitsMs' | 'increments'>): void;
  /** Called once when the thread ends unexpectedly, before the waiting transactions are rejected. */
  onLost(error: Error): void;
}

/**
 * The main thread's side of a store thread. Requests of one turn of the event loop travel in few messages, and the
 * results of one commit in a single message, which costs the main thread a few microseconds for each transaction. The
 * store has one for the writer and one for the reader.
 */
export class ThreadClient {
  readonly #worker: Worker;
  readonly #options: ThreadClientOptions;
  readonly #waiting = new Waitlist();
  readonly #exited: Promise<void>;
  /** Requests of the current turn of the event loop, which were not sent yet. */
  #outgoing = noRequests();
  #closing = false;
  #lost = false;

  /** @param worker a thread that is ready */
  constructor(worker: Worker, options: ThreadClientOptions) {
    this.#worker = worker;
    this.#options = options;
    worker.on('message', (message: FromThread) => this.#receive(message));
    worker.on('error', (error) => this.#onLost(error));
    this.#exited = new Promise((resolve) => {
      worker.on('exit', () => {
        if (!this.#closing || this.#waiting.size > 0) this.#onLost(new Error('the store thread ended'));
        resolve();
      });
    });
  }

  /** Transactions without an answer. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Requests a transaction. Rejects with its error, with a `Problem` if it is refused or the thread is lost, or with
   * the error of arguments that cannot be cloned.
   */
  run<Args, Result>(transaction: Transaction<Args, Result>, args: Args): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const name = nameOfTransaction(transaction);
      const refusal = this.#refusal();
      if (refusal) return reject(refusal);
      const id = this.#waiting.add({ resolve, reject });
      if (this.#outgoing.ids.length === 0) setImmediate(() => this.#flush());
      this.#outgoing.ids.push(id);
      this.#outgoing.transactions.push(name);
      this.#outgoing.args.push(args);
      if (this.#outgoing.ids.length === MAX_COLLECTED) this.#flush();
    });
  }

  /** Refuses further transactions; those that were requested go on. */
  stopTaking(): void {
    this.#closing = true;
  }

  /** Lets the thread finish the requested transactions; resolves when the thread has ended. */
  async close(): Promise<void> {
    this.stopTaking();
    this.#flush();
    this.#post({ kind: 'close' });
    await this.#exited;
  }

  /** Rejects waiting and further transactions, and ends the thread. For when another thread of the store is lost. */
  async abandon(): Promise<void> {
    this.#rejectAll();
    await this.#worker.terminate();
  }

  /** Why a transaction is refused now; null if it is accepted. */
  #refusal(): Problem | null {
    if (this.#lost) return lostProblem();
    if (this.#closing) return new Problem('unavailable', 'The service is shutting down.');
    if (this.#waiting.size < this.#options.queueLimit) return null;
    return new Problem('unavailable', 'The database is overloaded.', { retryAfterSeconds: 1 });
  }

  /** Sends the collected requests. */
  #flush(): void {
    const requests = this.#outgoing;
    if (requests.ids.length === 0) return;
    this.#outgoing = noRequests();
    try {
      this.#post({ kind: 'run', requests });
    } catch {
      this.#flushOneByOne(requests);
    }
  }

  /** Sends each request in a message of its own: one whose arguments cannot be cloned fails alone. */
  #flushOneByOne({ ids, transactions, args }: Requests): void {
    ids.forEach((id, index) => {
      try {
        this.#post({
          kind: 'run',
          requests: { ids: [id], transactions: [transactions[index]!], args: [args[index]] },
        });
      } catch (error) {
        this.#waiting.take(id)?.reject(error as Error);
      }
    });
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromThread): void {
    if (message.kind === 'warn') this.#options.onWarning(message.message, message.reason);
    if (message.kind === 'notice') this.#options.onNotice(message.topic, message.id);
    if (message.kind === 'answer') this.#settle(message.answers);
  }

  /** Resolves or rejects the requests that the thread has answered. */
  #settle({ ids, results, failedIds, failures, ...committed }: Answers): void {
    this.#options.onCommitted(committed);
    for (let i = 0; i < ids.length; i += 1) this.#waiting.take(ids[i]!)?.resolve(results[i]);
    for (let i = 0; i < failedIds.length; i += 1)
      this.#waiting.take(failedIds[i]!)?.reject(unpackError(failures[i]!));
  }

  #onLost(error: Error): void {
    if (this.#lost) return;
    this.#options.onLost(error);
    this.#rejectAll();
  }

  #rejectAll(): void {
    this.#lost = true;
    for (const pending of this.#waiting.takeAll()) pending.reject(lostProblem());
  }
}

/**
 * Lets a thread open its database once `mayOpen` resolves. Resolves when the thread serves; a thread that ends before
 * is detected by {@link lossOf}.
 */
export function openThread(
  worker: Worker,
  task: ThreadTask,
  { mayOpen, onWarning }: { mayOpen: Promise<unknown>; onWarning: ThreadClientOptions['onWarning'] },
): Promise<ThreadFacts> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: FromThread) => {
      if (message.kind === 'warn') onWarning(message.message, message.reason);
      if (message.kind !== 'ready') return;
      // From now on a `ThreadClient` receives the messages.
      worker.off('message', onMessage);
      resolve(message.facts);
    };
    worker.on('message', onMessage);
    const open: ToThread = { kind: 'open', task };
    mayOpen.then(() => worker.postMessage(open), reject);
  });
}

/**
 * Rejects when a thread ends, with the error that ended it, if any; for the time before a `ThreadClient` listens to the
 * thread.
 */
export function lossOf(worker: Worker): Promise<never> {
  return new Promise((_resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the store thread ended before it was ready')));
  });
}

function lostProblem(): Problem {
  return new Problem('unavailable', 'The database cannot be used.', { retryAfterSeconds: 5 });
}

function noRequests(): Requests {
  return { ids: [], transactions: [], args: [] };
}
