import type { Worker } from 'node:worker_threads';
import type { Log } from '../../kernel/log/log.js';
import { startThread } from '../../kernel/system/thread.js';
import type { AnalysisInput, Analyst, CallAnalysis } from './analysis.js';
import type { AnalysisAnswer, AnalysisQuestion } from './analysis-thread.js';

interface Waiting {
  resolve(analysis: CallAnalysis): void;
  reject(error: Error): void;
}

/**
 * Analysis by rules on a thread of its own. The thread starts with the first call to analyse; when it dies, what it
 * owed is rejected and the next analysis starts another one.
 */
export function createAnalyst(parts: { log: Log; start?: typeof startThread }): Analyst {
  return new ThreadAnalyst(parts.log, parts.start ?? startThread);
}

class ThreadAnalyst implements Analyst {
  readonly name = 'builtin';
  readonly #log: Log;
  readonly #start: typeof startThread;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | null = null;
  #lastNumber = 0;
  #closed = false;

  constructor(log: Log, start: typeof startThread) {
    this.#log = log;
    this.#start = start;
  }

  analyse(input: AnalysisInput): Promise<CallAnalysis> {
    if (this.#closed) return Promise.reject(new Error('the analyst is closed'));
    const number = ++this.#lastNumber;
    return new Promise((resolve, reject) => {
      const question: AnalysisQuestion = { number, input };
      // Posting first: what cannot be cloned throws here and leaves nothing behind.
      (this.#thread ??= this.#startThread()).postMessage(question);
      this.#waiting.set(number, { resolve, reject });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const thread = this.#thread;
    this.#thread = null;
    this.#rejectAll(new Error('the analyst is closed'));
    await thread?.terminate();
  }

  #startThread(): Worker {
    const thread = this.#start('speech/analysis/analysis-thread.js', {});
    thread.on('message', (answer: AnalysisAnswer) => this.#settle(answer));
    thread.on('error', (error) => this.#lose(thread, error));
    thread.on('exit', () => this.#lose(thread, null));
    return thread;
  }

  #settle(answer: AnalysisAnswer): void {
    const waiting = this.#waiting.get(answer.number);
    this.#waiting.delete(answer.number);
    if ('analysis' in answer) waiting?.resolve(answer.analysis);
    else waiting?.reject(new Error(`the analysis failed: ${answer.failure}`));
  }

  #lose(thread: Worker, cause: unknown): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    this.#log.warn({ err: cause, owed: this.#waiting.size }, 'analysis thread died');
    this.#rejectAll(new Error('the analysis thread died'));
  }

  #rejectAll(error: Error): void {
    const owed = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waiting of owed) waiting.reject(error);
  }
}
