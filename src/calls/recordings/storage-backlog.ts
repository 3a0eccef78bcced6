import type { ModuleContext } from '#store/module-context.js';
import { FailureLog } from '#kernel/log/failure-log.js';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import { recordingTransactions } from './recording-store.js';

const LOOK_EVERY_MS = 5_000;

interface StorageBacklogParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  folderId: string;
  /** How much of the disk may wait; null for no bound. */
  mostWaitingBytes: number | null;
}

/**
 * How much of the disk waits to be taken to object storage. From its bound on, new calls are not recorded, so that the
 * disk has room for what was begun: those recordings go on, and all that waits is kept.
 */
export class StorageBacklog {
  readonly #parts: StorageBacklogParts;
  readonly #task: PeriodicTask;
  readonly #failures: FailureLog;
  #fullSince: number | null = null;

  constructor(parts: StorageBacklogParts) {
    this.#parts = parts;
    this.#task = new PeriodicTask(parts.clock, { everyMs: LOOK_EVERY_MS, run: () => this.#look() });
    const messages = { failed: 'what waits for object storage is not known', recovered: 'it is known again' };
    this.#failures = new FailureLog(messages, parts);
  }

  /** Since when it has been at its bound (epoch milliseconds); null while there is room. */
  get fullSince(): number | null {
    return this.#fullSince;
  }

  /** Looks for the first time before it resolves: a process that starts anew knows of what waits. */
  async start(): Promise<void> {
    if (this.#parts.mostWaitingBytes === null) return;
    await this.#look();
    this.#task.start();
  }

  stop(): Promise<void> {
    return this.#task.stop();
  }

  async #look(): Promise<void> {
    const { store, folderId } = this.#parts;
    await store.read(recordingTransactions.waitingBytes, { folderId }).then(
      (bytes) => {
        this.#failures.worked();
        this.#judge(bytes);
      },
      (error: unknown) => this.#failures.failed(error),
    );
  }

  #judge(waitingBytes: number): void {
    const { clock, log, mostWaitingBytes } = this.#parts;
    const isFull = waitingBytes >= (mostWaitingBytes ?? Infinity);
    if (isFull === (this.#fullSince !== null)) return;
    this.#fullSince = isFull ? clock.wallMs() : null;
    const facts = { waiting_bytes: waitingBytes, limit_bytes: mostWaitingBytes };
    if (isFull) log.error(facts, 'too many recordings wait for object storage: new calls are not recorded');
    else log.info(facts, 'there is room for recordings again');
  }
}
