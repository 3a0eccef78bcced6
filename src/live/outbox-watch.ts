import type { ModuleContext } from '#store/module-context.js';
import { FailureLog } from '#kernel/log/failure-log.js';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import { eventLogTransactions, type LoggedEvent } from '#events/event-log-store.js';

/** Interval of reading the outbox while there are clients: one read for all of them. */
const EVERY_MS = 200;
/** Longest delay between an event's instant and its commit: other transactions may be written first. */
const LATEST_COMMIT_MS = 5_000;

export interface OutboxWatchParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  onEvent(event: LoggedEvent): void;
}

/**
 * Reads the events that all processes write into the outbox, while there are clients. Events are not committed in the
 * order of their instants, so each read goes back a little and skips known events.
 */
export class OutboxWatch {
  readonly #parts: OutboxWatchParts;
  readonly #failures: FailureLog;
  #known = new Map<string, number>();
  #task: PeriodicTask | null = null;
  #primed: Promise<void> = Promise.resolve();

  constructor(parts: OutboxWatchParts) {
    this.#parts = parts;
    const messages = { failed: 'the outbox was not read for pages', recovered: 'the outbox is read again' };
    this.#failures = new FailureLog(messages, parts);
  }

  /** Resolves when every event committed from then on will be reported. */
  get ready(): Promise<void> {
    return this.#primed;
  }

  start(): void {
    const task = new PeriodicTask(this.#parts.clock, { everyMs: EVERY_MS, run: () => this.#look() });
    this.#task = task;
    this.#primed = this.#prime().then(() => task.start());
  }

  async stop(): Promise<void> {
    const task = this.#task;
    this.#task = null;
    this.#known.clear();
    await this.#primed;
    await task?.stop();
  }

  /** Marks earlier events as known: pages get the state before them from the lists. */
  async #prime(): Promise<void> {
    const { store, clock } = this.#parts;
    const now = clock.wallMs();
    try {
      const ids = await store.read(eventLogTransactions.idsSince, { since: now - LATEST_COMMIT_MS });
      for (const id of ids) this.#known.set(id, now);
    } catch (error) {
      this.#failures.failed(error);
    }
  }

  async #look(): Promise<void> {
    const { store, clock, onEvent } = this.#parts;
    const since = clock.wallMs() - LATEST_COMMIT_MS;
    for (const [id, at] of this.#known) if (at < since) this.#known.delete(id);
    try {
      const known = [...this.#known.keys()];
      for (const event of await store.read(eventLogTransactions.unknownSince, { since, known })) {
        // Known for as long as a read may return the event again.
        this.#known.set(event.id, Math.max(event.created_at, clock.wallMs()));
        onEvent(event);
      }
      this.#failures.worked();
    } catch (error) {
      this.#failures.failed(error);
    }
  }
}
