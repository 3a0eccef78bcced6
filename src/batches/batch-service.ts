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
import type { OnSuppressed } from '#policy/suppressions/suppressions.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { ScheduleHandles } from '#schedules/schedule-handles.js';
import type { Store } from '#store/store.js';
import { BatchReader } from '#batches/reading/batch-reader.js';
import { Batches } from '#batches/changes/batches.js';
import { DowntimeGap } from '#batches/dispatch/downtime-gap.js';
import { BatchDispatcher } from '#batches/dispatch/batch-dispatcher.js';
import { replanBatches } from '#batches/dispatch/replan.js';
import { Preflights } from '#batches/preflight/preflights.js';
import { NextCallWorker } from '#batches/scheduled-calls/single-calls/next-call-worker.js';
import { furtherCallTransactions } from '#batches/scheduled-calls/single-calls/further-call-store.js';
import { replanLocalTimes } from '#batches/scheduled-calls/single-calls/local-times.js';
import { ScheduledCalls } from '#batches/scheduled-calls/scheduled-calls.js';
import { batchEndOwner } from '#batches/settling/batch-ends.js';
import { settleTransactions } from '#batches/settling/settle-store.js';
import { batchTxContext } from '#batches/record/batch-progress.js';

/** What batches need of the module `calls`. */
export interface CallsForBatches {
  readonly txContexts: TxContexts;
  readonly calls: {
    readonly defaults: CallDefaults;
    disconnect(principal: Principal, id: string): Promise<unknown>;
  };
  wakeDialler(dueAt: number): void;
  tellEnd(call: CallRow): void;
  readonly suppressionEnforcer: { onSuppressed(listener: OnSuppressed): void };
  beforeDialling(check: () => Promise<void>): void;
  onCallEnd(listener: (call: CallRow) => void): void;
  keepPricesBy(keep: (price: CallPrice) => Promise<void>): void;
}

export interface BatchServiceContext {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Log;
  callService: CallsForBatches;
  /** Schedules, which share the paths of scheduled calls. */
  schedules: ScheduleHandles;
  settings: {
    defaultTimezone: string;
    planningHorizonDays: number;
    rules: PolicyRules;
    /** Null if only the carrier's own rate limit applies. */
    callsPerSecond: number | null;
    maxConcurrentCalls: number;
  };
}

/** Composition of the module: commands on batches, and the loops that run them. */
export class BatchService {
  readonly batches: Batches;
  readonly reader: BatchReader;
  readonly scheduledCalls: ScheduledCalls;
  readonly preflights: Preflights;
  readonly #parts: Pick<BatchServiceContext, 'store' | 'clock' | 'log'> & { rules: PolicyRules };
  readonly #downtime: DowntimeGap;
  readonly #dispatcher: Loop<string>;
  readonly #ends: CallEndDelivery;
  readonly #furtherCaller: Loop<string>;

  constructor(parts: BatchServiceContext) {
    const { store, clock, ids, log, callService, settings } = parts;
    const { txContexts } = callService;
    const { rules } = settings;
    this.#parts = { store, clock, log, rules };
    this.reader = new BatchReader({ log });
    const wakeDialler = (dueAt: number) => callService.wakeDialler(dueAt);
    const feeding = { store, clock, ids, log, txContexts, rules, wakeDialler };
    this.#downtime = new DowntimeGap(feeding);
    const beforeDispatch = () => this.#downtime.checkIfStale();
    callService.beforeDialling(beforeDispatch);
    const dispatcher = new BatchDispatcher({ ...feeding, beforeDispatch });
    this.#dispatcher = new Loop(dispatcher, { clock, log });
    const closeOff = (batchId: string) => dispatcher.closeOff(batchId);
    const wakeDispatcher = (at?: number) => this.#dispatcher.wake(at);
    const owner = batchEndOwner({ store, clock, ids, wakeDispatcher });
    this.#ends = new CallEndDelivery(owner, { store, clock, log });
    callService.onCallEnd((call) => this.#ends.callEnded(call));
    callService.keepPricesBy((price) =>
      store.write(settleTransactions.priced, { ...price, context: batchTxContext(ids, clock.wallMs()) }),
    );
    callService.suppressionEnforcer.onSuppressed((numbers) =>
      store.write(furtherCallTransactions.callOff, numbers),
    );
    const furtherCaller = new NextCallWorker({ store, clock, ids, log, txContexts, rules, wakeDialler });
    this.#furtherCaller = new Loop(furtherCaller, { clock, log });
    const { calls } = callService;
    const { defaults } = calls;
    const wakes = { wakeDispatcher, wakeDialler, closeOff };
    const tellEnd = (call: CallRow) => callService.tellEnd(call);
    const shared = { store, clock, ids, log, txContexts, calls, ...wakes, tellEnd, settings };
    this.preflights = new Preflights({ store, clock, reader: this.reader, settings });
    this.scheduledCalls = new ScheduledCalls({ ...shared, schedules: parts.schedules });
    this.batches = new Batches({ ...shared, defaults });
  }

  /**
   * Runs before anything is dialled: replans batches and calls after a change of time-zone data, and pauses batches
   * that were due during a downtime.
   */
  async catchUp(): Promise<void> {
    const { log } = this.#parts;
    const count = await replanBatches(this.#parts);
    if (count > 0) log.info({ count }, 'batches were replanned with new time-zone data');
    const calls = await replanLocalTimes(this.#parts);
    if (calls > 0) log.info({ count: calls }, 'calls were replanned with new time-zone data');
    await this.#downtime.look();
  }

  start(): void {
    this.#downtime.start();
    this.#dispatcher.start();
    this.#ends.start();
    this.#furtherCaller.start();
  }

  /** Stops releasing numbers; transactions in progress complete. May be called twice. */
  async stop(): Promise<void> {
    const loops = [this.#dispatcher, this.#ends, this.#furtherCaller].map((loop) => loop.stop());
    await Promise.all([this.#downtime.stop(), ...loops, this.reader.close()]);
  }
}
