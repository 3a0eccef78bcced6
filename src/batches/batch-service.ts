import type { Principal } from '#access/keys/principal.js';
import type { CallPrice } from '#calls/after-call/carrier-prices.js';
import type { CallDefaults } from '#calls/requests/draft-call.js';
import type { CallRow } from '#calls/record/call.js';
import type { TxContexts } from '#calls/endings/tx-contexts.js';
import { CallEndDelivery } from '#calls/end-delivery/call-end-delivery.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import { Loop } from '#kernel/work/loop.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { ScheduleHandles } from '#schedules/schedule-handles.js';
import type { Store } from '#store/store.js';
import { BatchReader } from '#batches/reading/batch-reader.js';
import { Batches } from '#batches/changes/batches.js';
import { DowntimeGap } from '#batches/dispatch/downtime-gap.js';
import { BatchDispatcher } from '#batches/dispatch/batch-dispatcher.js';
import { Preflights } from '#batches/preflight/preflights.js';
import { replanLocalTimes } from '#batches/local-times.js';
import { ScheduledCalls } from '#batches/scheduled-calls/scheduled-calls.js';
import { batchEndOwner } from '#batches/settling/batch-ends.js';
import { settleTransactions } from '#batches/settling/settle-store.js';
import { batchTxContext } from '#batches/record/batch-progress.js';

/** The port by which batches use the calls module; `CallService` implements it and documents its members. */
export interface CallsForBatches {
  readonly txContexts: TxContexts;
  readonly calls: {
    readonly defaults: CallDefaults;
    disconnect(principal: Principal, id: string): Promise<unknown>;
  };
  wakeDialler(dueAt: number): void;
  beforeDialling(check: () => Promise<void>): void;
  onCallEnd(listener: (call: CallRow) => void): void;
  setPriceKeeper(keep: (price: CallPrice) => Promise<void>): void;
}

/** The dependencies of {@link BatchService}. */
export interface BatchServiceContext {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Log;
  callService: CallsForBatches;
  /** Schedules: their ids are also accepted under `/batch/scheduled-calls/{call_id}`. */
  schedules: ScheduleHandles;
  settings: {
    defaultTimezone: string;
    planningHorizonDays: number;
    rules: PolicyRules;
    /** The most calls that are started per second: by the setting `CALLS_PER_SECOND`, or by the carrier. */
    callsPerSecond: number;
    maxConcurrentCalls: number;
  };
}

/**
 * The batches module: commands on batches and scheduled calls, and the loops that run batches and settle the ends of
 * their calls. The composition root (`src/app`) creates one service per process.
 */
export class BatchService {
  readonly batches: Batches;
  /** Parses the bodies of batch requests, on a thread of its own. */
  readonly reader: BatchReader;
  readonly scheduledCalls: ScheduledCalls;
  readonly preflights: Preflights;
  readonly #parts: Pick<BatchServiceContext, 'store' | 'clock' | 'log'> & { rules: PolicyRules };
  readonly #downtime: DowntimeGap;
  readonly #dispatcher: Loop<string>;
  readonly #ends: CallEndDelivery;

  constructor(parts: BatchServiceContext) {
    const { store, clock, ids, log, callService, settings } = parts;
    const { txContexts } = callService;
    const { rules } = settings;
    this.#parts = { store, clock, log, rules };
    this.reader = new BatchReader({ log });
    const wakeDialler = (dueAt: number) => callService.wakeDialler(dueAt);
    const dispatching = { store, clock, ids, log, txContexts, rules, wakeDialler };
    this.#downtime = new DowntimeGap(dispatching);
    const beforeDispatch = () => this.#downtime.checkIfStale();
    callService.beforeDialling(beforeDispatch);
    const dispatcher = new BatchDispatcher({ ...dispatching, beforeDispatch });
    this.#dispatcher = new Loop(dispatcher, { clock, log });
    const closeOff = (batchId: string) => dispatcher.closeOff(batchId);
    const wakeDispatcher = (at?: number) => this.#dispatcher.wake(at);
    // Settles the ends of the calls of batches.
    const owner = batchEndOwner({ store, clock, ids, wakeDispatcher });
    this.#ends = new CallEndDelivery(owner, { store, clock, log });
    callService.onCallEnd((call) => this.#ends.callEnded(call));
    // The prices of all calls are stored here: a price may change the cost of a batch, and the batch is locked first.
    callService.setPriceKeeper((price) =>
      store.write(settleTransactions.priced, { ...price, context: batchTxContext(ids, clock.wallMs()) }),
    );
    const { calls } = callService;
    const { defaults } = calls;
    const wakes = { wakeDispatcher, wakeDialler, closeOff };
    const shared = { store, clock, ids, log, txContexts, calls, ...wakes, settings };
    this.preflights = new Preflights({ store, clock, reader: this.reader, settings });
    this.scheduledCalls = new ScheduledCalls({ ...shared, schedules: parts.schedules });
    this.batches = new Batches({ ...shared, defaults });
  }

  /**
   * Runs before anything is dialled: replans batches and calls after a change of time-zone data, and pauses batches
   * that were due during a long downtime.
   */
  async catchUp(): Promise<void> {
    const count = await replanLocalTimes(this.#parts);
    if (count > 0)
      this.#parts.log.info({ count }, 'calls and batches were replanned with new time-zone data');
    await this.#downtime.check();
  }

  start(): void {
    this.#downtime.start();
    this.#dispatcher.start();
    this.#ends.start();
  }

  /**
   * Stops the loops, so that no further number (recipient) is released to the dialler. Transactions in progress
   * complete. May be called twice.
   */
  async stop(): Promise<void> {
    const loops = [this.#dispatcher, this.#ends].map((loop) => loop.stop());
    await Promise.all([this.#downtime.stop(), ...loops, this.reader.close()]);
  }
}
