import type { ModuleContext } from '#store/module-context.js';
import { FailureLog } from '#kernel/log/failure-log.js';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import { eventLogTransactions, type LoggedEvent } from '#events/event-log-store.js';

/** Interval of reading the outbox while the live stream has clients: one read serves all of them. */
const INTERVAL_MS = 200;
/** Longest delay between the instant of an event and its commit: an event may be committed after a later one. */
const LATEST_COMMIT_MS = 5_000;

/** The dependencies of {@link OutboxWatch}. */
export interface OutboxWatchParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  onEvent(event: LoggedEvent): void;
}

/**
 * Reads the state events that all processes write into the outbox, while this process has live clients. Events are not
 * committed in the order of their instants, so each read goes back a little and skips known events. Used by
 * `LiveService`.
 */
export class OutboxWatch {
  readonly #parts: OutboxWatchParts;
  readonly #failures: FailureLog;
  /**
   * Ids of the events that were reported or are from before the start, each with an instant (epoch milliseconds). An id
   * is dropped `LATEST_COMMIT_MS` after its instant: no read returns the event again.
   */
  #knownEvents = new Map<string, number>();
  #task: PeriodicTask | null = null;
  /** Resolves when the events from before the start are known. */
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

  /** Starts reading. */
  start(): void {
    const task = new PeriodicTask(this.#parts.clock, {
      everyMs: INTERVAL_MS,
      run: () => this.#readNewEvents(),
    });
    this.#task = task;
    this.#primed = this.#prime().then(() => task.start());
  }

  /** Stops reading; resolves when a read in progress is over. */
  async stop(): Promise<void> {
    const task = this.#task;
    this.#task = null;
    this.#knownEvents.clear();
    await this.#primed;
    await task?.stop();
  }

  /** Marks earlier events as known: pages have loaded the state before from the API. */
  async #prime(): Promise<void> {
    const { store, clock } = this.#parts;
    const now = clock.wallMs();
    try {
      const ids = await store.read(eventLogTransactions.idsSince, { since: now - LATEST_COMMIT_MS });
      for (const id of ids) this.#knownEvents.set(id, now);
    } catch (error) {
      this.#failures.failed(error);
    }
  }

  /** Reports the events that were committed since the last read. */
  async #readNewEvents(): Promise<void> {
    const { store, clock, onEvent } = this.#parts;
    const since = clock.wallMs() - LATEST_COMMIT_MS;
    for (const [id, at] of this.#knownEvents) if (at < since) this.#knownEvents.delete(id);
    try {
      const known = [...this.#knownEvents.keys()];
      for (const event of await store.read(eventLogTransactions.unknownSince, { since, known })) {
        // Known for as long as a read may return the event again.
        this.#knownEvents.set(event.id, Math.max(event.created_at, clock.wallMs()));
        onEvent(event);
      }
      this.#failures.succeeded();
    } catch (error) {
      this.#failures.failed(error);
    }
  }
}
