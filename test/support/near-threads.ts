import { EventEmitter, once } from 'node:events';
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import type { StoreThreads } from '#store/open-store.js';
import { serveDatabase } from '#store/threads/serve-database.js';
import type { FromThread, ToThread } from '#store/threads/thread-protocol.js';

/**
 * What looks like a thread of the store, and works in the thread of the test: it need not load the service once more,
 * which takes longer than most tests. Units are those that the test has imported.
 */
class NearThread extends EventEmitter {
  readonly #port: MessagePort;
  readonly #gone: Promise<unknown>;
  /** Units without an answer. */
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
    // What was answered before the far end closes arrives before its end is seen here.
    port1.on('close', () => this.emit('exit'));
    serveDatabase(port2, Promise.resolve()).catch((error: unknown) => {
      this.emit('error', error);
      port2.close();
    });
  }

  postMessage(message: ToThread): void {
    if (message.kind === 'ask') this.owed += message.questions.ids.length;
    this.#port.postMessage(message);
  }

  async terminate(): Promise<void> {
    this.#port.close();
    await this.#gone;
  }
}

/** Both threads of a store, near. */
export interface NearThreads extends StoreThreads {
  /** Units without an answer. */
  owed(): number;
}

/** Both threads of a store, near: give them to `openStore`. */
export function startNearThreads(): NearThreads {
  const [writer, reader] = [new NearThread(), new NearThread()];
  return {
    writer: writer as unknown as Worker,
    reader: reader as unknown as Worker,
    owed: () => writer.owed + reader.owed,
  };
}
