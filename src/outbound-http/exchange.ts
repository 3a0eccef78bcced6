import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { outcomeOfError } from './failures.js';
import { outcomeOfStatus } from './outcome.js';
import type { PostResult } from './post.js';

/** How much of an answer is read. */
const READ_BYTES = 16 * 1024;
const FIRST_FINAL_STATUS = 200;

/**
 * One request and what comes back, as undici tells it step by step: most answers are a word, and a stream for each of
 * them would cost more than the request itself.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #keptBytes: number;
  readonly #onEnd: (result: PostResult) => void;
  readonly #chunks: Buffer[] = [];
  #sizeBytes = 0;
  #statusCode = 0;
  #headers: IncomingHttpHeaders = {};
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;

  /**
   * @param keptBytes how much of an answer's body is handed on
   * @param onEnd is told once how it ended
   */
  constructor(keptBytes: number, onEnd: (result: PostResult) => void) {
    this.#keptBytes = keptBytes;
    this.#onEnd = onEnd;
  }

  /** Ends it at once: what was not sent yet is not sent any more. Harmless when it is over. */
  callOff(outcome: 'timeout' | 'stopped'): void {
    this.#end({ outcome, statusCode: null, responseBody: null, retryAfter: null });
    this.#drop();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) this.#drop();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (statusCode < FIRST_FINAL_STATUS) return;
    this.#statusCode = statusCode;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#sizeBytes += chunk.length;
    if (this.#sizeBytes < READ_BYTES) return;
    this.onResponseEnd();
    // With the connection goes what more the receiver had to say.
    this.#drop();
  }

  onResponseEnd(): void {
    const retryAfter = this.#headers['retry-after'];
    this.#end({
      outcome: outcomeOfStatus(this.#statusCode),
      statusCode: this.#statusCode,
      responseBody: this.#text(),
      retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end({ outcome: outcomeOfError(error), statusCode: null, responseBody: null, retryAfter: null });
  }

  /** As much as is kept, as a text that every database takes; null when nothing came. */
  #text(): string | null {
    if (this.#sizeBytes === 0) return null;
    const { 'content-encoding': encoding = 'identity' } = this.#headers;
    if (encoding !== 'identity') return `(${this.#sizeBytes} bytes, compressed)`;
    const beginning = Buffer.concat(this.#chunks).subarray(0, this.#keptBytes);
    return beginning.toString().replaceAll('\0', '�');
  }

  #end(result: PostResult): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd(result);
  }

  #drop(): void {
    this.#controller?.abort(new Error('the exchange is over'));
  }
}
