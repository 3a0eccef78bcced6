import type { Worker } from 'node:worker_threads';
import { systemClock, type Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { startThread as startKernelThread } from '#kernel/system/thread.js';
import { SpeechError } from '#speech/speech-error.js';
import type { Duty, FromThread, Command, RequestKind, Requests } from './protocol.js';
import { HangDetector } from './hang-detector.js';

/** The options and dependencies of a {@link SpeechWorker}. */
export interface SpeechWorkerParts {
  duty: Duty;
  /** The provider's name in errors. */
  provider: string;
  log: Log;
  /** For detecting a thread that hangs; default the system clock. */
  clock?: Clock | undefined;
  /** Starts a thread; default `startThread` of the kernel. Tests replace it. */
  startThread?: typeof startKernelThread;
}

/** The callbacks of a pending request. */
interface Pending {
  resolve(answer: unknown): void;
  reject(error: SpeechError): void;
}

/**
 * The main thread's side of one speech thread: sends messages and matches answers with requests. The thread starts with
 * the first message. When it dies or hangs, its pending requests are rejected as retryable, and the next message starts
 * another thread. Used by the built-in recogniser and voice.
 */
export class SpeechWorker {
  readonly #parts: SpeechWorkerParts;
  readonly #pending = new Map<number, Pending>();
  readonly #partialListeners = new Map<number, (text: string) => void>();
  readonly #hangDetector: HangDetector;
  #thread: Worker | null = null;
  /** The last number given to a request or session. */
  #lastNumber = 0;
  #generation = 0;
  /** True from the loss of a thread (it died or hung) until the next thread sends a message. */
  #isLost = false;
  #closed = false;

  constructor(parts: SpeechWorkerParts) {
    this.#parts = parts;
    this.#hangDetector = new HangDetector(parts.clock ?? systemClock, () => this.#replaceHangingThread());
  }

  /**
   * True if the thread answers, as far as is known. False if a request is pending and the thread has sent nothing for
   * 10 s, and from the loss of a thread to the first message of the next one.
   */
  get isHealthy(): boolean {
    return !this.#isLost && !this.#hangDetector.isSilent;
  }

  /** Grows with every thread of this worker: a session opened in an older generation is gone. */
  get generation(): number {
    return this.#generation;
  }

  /** The number of pending requests. */
  get pending(): number {
    return this.#pending.size;
  }

  /** An unused number for a session. */
  nextNumber(): number {
    return ++this.#lastNumber;
  }

  /** Sets the listener for the interim words of a session; undefined removes it. */
  onPartial(session: number, listener: ((text: string) => void) | undefined): void {
    if (listener) this.#partialListeners.set(session, listener);
    else this.#partialListeners.delete(session);
  }

  /** Sends a request; resolves with its answer. @throws SpeechError if the thread fails, dies or hangs */
  request<Kind extends RequestKind>(
    kind: Kind,
    input: Requests[Kind]['input'],
  ): Promise<Requests[Kind]['answer']> {
    if (this.#closed) return Promise.reject(this.#error('speech is closed', false));
    return new Promise((resolve, reject) => {
      const request = this.nextNumber();
      this.#pending.set(request, { resolve, reject });
      this.#ensureThread().postMessage({ kind, request, ...input });
      this.#hangDetector.begin();
    });
  }

  /** Sends a message without an answer. The buffer of pushed samples moves to the thread. */
  send(command: Command): void {
    if (this.#closed) return;
    const transfer = command.kind === 'push' ? [command.samples.buffer as ArrayBuffer] : [];
    this.#ensureThread().postMessage(command, transfer);
  }

  /** Starts the thread if there is none, so that its generation is known before a session is opened in it. */
  ensureStarted(): void {
    if (!this.#closed) this.#ensureThread();
  }

  /** Ends the thread and rejects its pending requests; further requests are rejected too. */
  async close(): Promise<void> {
    this.#closed = true;
    const thread = this.#thread;
    this.#thread = null;
    this.#hangDetector.end();
    this.#rejectAll(this.#error('speech is closed', false));
    this.#partialListeners.clear();
    await thread?.terminate();
  }

  /** The running thread; starts one if there is none. */
  #ensureThread(): Worker {
    if (this.#thread) return this.#thread;
    const start = this.#parts.startThread ?? startKernelThread;
    const thread = start('providers/builtin/threads/speech-thread.js', {
      workerData: { duty: this.#parts.duty },
    });
    this.#thread = thread;
    this.#generation += 1;
    thread.on('message', (message: FromThread) => this.#thread === thread && this.#receive(message));
    thread.on('error', (error) => this.#onThreadLost(thread, 'died', error));
    thread.on('exit', () => this.#onThreadLost(thread, 'died'));
    return thread;
  }

  /** Handles a message of the thread: interim words, or the answer to a request. */
  #receive(message: FromThread): void {
    this.#isLost = false;
    this.#hangDetector.onMessage();
    if (message.kind === 'partial') {
      this.#partialListeners.get(message.session)?.(message.text);
      return;
    }
    const pending = this.#pending.get(message.request);
    this.#pending.delete(message.request);
    if (message.kind === 'done') pending?.resolve(message.answer);
    else pending?.reject(this.#error(message.message, true));
    if (this.#pending.size === 0) this.#hangDetector.end();
  }

  /** Ends a thread that hangs. */
  #replaceHangingThread(): void {
    const thread = this.#thread;
    if (!thread) return;
    this.#onThreadLost(thread, 'hangs');
    void thread.terminate();
  }

  /** Forgets a thread that died or hangs, and rejects its pending requests. */
  #onThreadLost(thread: Worker, how: 'died' | 'hangs', cause: unknown = null): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    this.#isLost = true;
    this.#hangDetector.reset();
    this.#parts.log.warn(
      { duty: this.#parts.duty, owed: this.#pending.size, err: cause },
      `speech thread ${how}`,
    );
    this.#rejectAll(this.#error(`the speech thread ${how}`, true, cause));
  }

  #rejectAll(error: SpeechError): void {
    const rejected = [...this.#pending.values()];
    this.#pending.clear();
    for (const pending of rejected) pending.reject(error);
  }

  #error(message: string, retryable: boolean, cause?: unknown): SpeechError {
    return new SpeechError(message, { provider: this.#parts.provider, retryable, cause: cause ?? undefined });
  }
}
