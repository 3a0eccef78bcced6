import { EventEmitter, once } from 'node:events';
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import type { StoreThreads } from '#store/open-store.js';
import { serveDatabase } from '#store/threads/serve-database.js';
import type { FromThread, ToThread } from '#store/threads/thread-protocol.js';

/**
 * A store thread that runs in the test's own thread. Loading the service in another thread would take longer than
 * most tests. It knows the transactions that the test has imported.
 */
class NearThread extends EventEmitter {
  readonly #port: MessagePort;
  readonly #gone: Promise<unknown>;
  /** Transactions without an answer. */
  owed = 0;

  constructor() {
    super();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#gone = once(port1, 'close');
    port1.on('message', (message: FromThread) => {
      if (message.kind === 'answer')
        this.owed -= message.answers.ids.length + message.answers.failedIds.length;
      this.emit('message', message);
    });
    // Answers that were sent before the far end closed arrive before this event.
    port1.on('close', () => this.emit('exit'));
    serveDatabase(port2, Promise.resolve()).catch((error: unknown) => {
      this.emit('error', error);
      port2.close();
    });
  }

  postMessage(message: ToThread): void {
    if (message.kind === 'run') this.owed += message.requests.ids.length;
    this.#port.postMessage(message);
  }

  async terminate(): Promise<void> {
    this.#port.close();
    await this.#gone;
  }
}

/** Writer and reader of a store in the test's thread. */
export interface NearThreads extends StoreThreads {
  /** Transactions without an answer. */
  owed(): number;
}

/** Threads for `openStore` that run in the test's thread. */
export function startNearThreads(): NearThreads {
  const [writer, reader] = [new NearThread(), new NearThread()];
  return {
    writer: writer as unknown as Worker,
    reader: reader as unknown as Worker,
    owed: () => writer.owed + reader.owed,
  };
}
