import type { ModuleContext } from '#store/module-context.js';
import { batchCountTransactions } from '#batches/batch-counts.js';
import type { LiveEvent } from '#calls/live/sessions/live-call.js';
import type { LiveCallFacts, LiveFeed } from '#calls/live/sessions/live-feed.js';
import type { LoggedEvent } from '#events/event-log-store.js';
import { Problem } from '#kernel/errors/errors.js';
import type { DeliveryReport } from '#webhooks/deliveries/delivery-attempter.js';
import { BatchProgress } from './batch-progress.js';
import { LiveHub, type LiveClient, type LiveFilter } from './live-hub.js';
import { callStateOf, addressOfCall, messageOfLiveEvent } from './live-messages.js';
import { OutboxWatch } from './outbox-watch.js';

/** The dependencies of {@link LiveService}. */
export interface LiveServiceParts extends Pick<ModuleContext, 'store' | 'clock' | 'ids' | 'log'> {
  feed: LiveFeed;
}

/** The most clients: far more than people with an open console. It stops a client that opens streams without end. */
const MOST_CLIENTS = 500;

/**
 * The live stream of this process, for pages of the console and API clients. States of calls and batches come from the
 * outbox, which all processes write. Words, steps, tools, modes, transfers and webhook deliveries are those of this
 * process only.
 */
export class LiveService {
  readonly #hub: LiveHub;
  readonly #outbox: OutboxWatch;
  readonly #progress: BatchProgress;
  readonly #leaveFeed: () => void;
  /** Resolves when the reading of the outbox that was stopped last is over. */
  #outboxStopped: Promise<void> = Promise.resolve();

  constructor({ store, clock, ids, log, feed }: LiveServiceParts) {
    this.#outbox = new OutboxWatch({ store, clock, log, onEvent: (event) => this.#onOutboxEvent(event) });
    this.#hub = new LiveHub({
      clock,
      process: ids.next('node'),
      onWatched: (isWatched) => {
        if (isWatched) this.#outbox.start();
        else this.#outboxStopped = this.#outbox.stop();
      },
    });
    this.#progress = new BatchProgress({
      clock,
      read: (workspace, id) => store.read(batchCountTransactions.read, { workspace, id }),
      onProgress: (workspace, data) =>
        this.#hub.publish({
          name: 'batch.progress',
          workspace,
          callId: null,
          batchId: data.batch_id,
          data: { ...data },
        }),
      onFailure: (error) => log.debug({ err: error }, 'the progress of a batch was not read'),
    });
    this.#leaveFeed = feed.subscribe((_callId, event, call) => this.#onLiveEvent(event, call));
  }

  /**
   * Adds a client, which gets every event committed after this resolves. Returns a function that removes it.
   * @throws Problem `unavailable` if too many clients are connected
   */
  async join(filter: LiveFilter, client: LiveClient, lastId: string | null): Promise<() => void> {
    if (this.#hub.clients >= MOST_CLIENTS)
      throw new Problem('unavailable', 'Too many live streams are open.', { retryAfterSeconds: 10 });
    const leave = this.#hub.join(filter, client, lastId);
    await this.#outbox.ready;
    return leave;
  }

  /** Publishes the end of an attempt to deliver an event to a webhook. */
  onDelivery({ workspace, ...data }: DeliveryReport): void {
    this.#hub.publish({ name: 'delivery', workspace, callId: null, batchId: null, data });
  }

  /** Ends all streams. */
  async stop(): Promise<void> {
    this.#leaveFeed();
    this.#hub.close();
    await this.#outboxStopped;
  }

  /** Publishes an event of the outbox: a state of a call, or progress of a batch. */
  #onOutboxEvent(event: LoggedEvent): void {
    const { workspace, type } = event;
    if (!this.#hub.isWatched(workspace)) return;
    if (type.startsWith('batch.')) {
      this.#progress.changed(workspace, String(event.body.data['batch_id']));
      return;
    }
    const data = callStateOf(event);
    if (!data) return;
    this.#hub.publish({ name: 'call.state', data, ...addressOfCall(data.call_id, workspace, data.batch_id) });
    if (data.batch_id !== null) this.#progress.changed(workspace, data.batch_id);
  }

  /** Publishes an event of a live call of this process: words, steps, tools, who speaks, and transfers. */
  #onLiveEvent(event: LiveEvent, call: LiveCallFacts): void {
    if (!this.#hub.isWatched(call.workspace)) return;
    const message = messageOfLiveEvent(event, call);
    if (message) this.#hub.publish(message);
  }
}
