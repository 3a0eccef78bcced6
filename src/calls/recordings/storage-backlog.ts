import type { ModuleContext } from '#store/module-context.js';
import { FailureLog } from '#kernel/log/failure-log.js';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import { recordingTransactions } from './recording-store.js';

/** How often the backlog is measured. */
const MEASURE_EVERY_MS = 5_000;

/** The dependencies of {@link StorageBacklog}. */
interface StorageBacklogParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  /** The id of the recordings folder of this process. */
  folderId: string;
  /** The limit of bytes that wait for their upload; null for no limit. */
  mostWaitingBytes: number | null;
}

/**
 * Measures how many bytes of recordings wait on the disk for their upload to object storage. From the limit on, new
 * calls are not recorded, so that the disk has room for the recordings that were begun; nothing that waits is deleted.
 * `AudioStreams` asks it for each new call, and the health report shows it. Without a limit nothing is measured.
 */
export class StorageBacklog {
  readonly #parts: StorageBacklogParts;
  readonly #task: PeriodicTask;
  readonly #failures: FailureLog;
  #fullSince: number | null = null;

  constructor(parts: StorageBacklogParts) {
    this.#parts = parts;
    this.#task = new PeriodicTask(parts.clock, { everyMs: MEASURE_EVERY_MS, run: () => this.#measure() });
    const messages = { failed: 'what waits for object storage is not known', recovered: 'it is known again' };
    this.#failures = new FailureLog(messages, parts);
  }

  /** Since when the backlog has been at or above its limit (epoch milliseconds); null while there is room. */
  get fullSince(): number | null {
    return this.#fullSince;
  }

  /** Measures once before it resolves, so that the limit holds for the first call after a restart. */
  async start(): Promise<void> {
    if (this.#parts.mostWaitingBytes === null) return;
    await this.#measure();
    this.#task.start();
  }

  stop(): Promise<void> {
    return this.#task.stop();
  }

  /** Reads the backlog. If that fails, the last known state stays. */
  async #measure(): Promise<void> {
    const { store, folderId } = this.#parts;
    await store.read(recordingTransactions.waitingBytes, { folderId }).then(
      (bytes) => {
        this.#failures.succeeded();
        this.#apply(bytes);
      },
      (error: unknown) => this.#failures.failed(error),
    );
  }

  /** Changes between full and not full, and logs each change. */
  #apply(waitingBytes: number): void {
    const { clock, log, mostWaitingBytes } = this.#parts;
    const isFull = waitingBytes >= (mostWaitingBytes ?? Infinity);
    if (isFull === (this.#fullSince !== null)) return;
    this.#fullSince = isFull ? clock.wallMs() : null;
    const facts = { waiting_bytes: waitingBytes, limit_bytes: mostWaitingBytes };
    if (isFull) log.error(facts, 'too many recordings wait for object storage: new calls are not recorded');
    else log.info(facts, 'there is room for recordings again');
  }
}
