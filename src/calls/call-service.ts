import type { Clock } from '#kernel/time/clock.js';
import { withTimeout } from '#kernel/time/with-timeout.js';
import type { Store } from '#store/store.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import type { RemoteCarrierHost } from '#telephony/port/remote-host.js';
import { AfterCall } from '#calls/after-call/after-call.js';
import { CarrierPrices, type CallPrice } from '#calls/after-call/carrier-prices.js';
import { costTransactions } from '#calls/costs/cost-store.js';
import { backlogTransactions, type CallsBacklog } from './backlog-store.js';
import type { CallServiceParts } from './call-service-parts.js';
import { AgentTrials } from '#agents/definitions/agent-trials.js';
import { openCarrierSide } from './carrier-side.js';
import { CallEngine } from './call-engine.js';
import { CallViews } from './call-views.js';
import { Calls } from './calls.js';
import { dialTimings } from '#calls/dialling/dial-timings.js';
import type { CallEndings } from '#calls/endings/call-endings.js';
import { SuppressionEnforcer } from '#calls/endings/suppression-enforcer.js';
import type { TxContexts } from '#calls/endings/tx-contexts.js';
import type { InboundCalls } from '#calls/inbound/inbound-calls.js';
import type { Slots } from '#calls/lines/slots.js';
import type { CallSteering } from '#calls/live/actions/call-steering.js';
import type { ActionExchange } from '#calls/live/actions/action-exchange.js';
import { LiveFeed } from '#calls/live/sessions/live-feed.js';
import type { LiveSessions } from '#calls/live/sessions/live-sessions.js';
import { NO_PRICES } from '#calls/costs/prices.js';
import { WarmTransfers } from '#calls/live/transfers/warm-transfers.js';
import { AudioStreams } from '#calls/live/streams/audio-streams.js';
import { hasOwner, type CallRow } from '#calls/record/call.js';
import { openRecordingSide } from './recording-side.js';
import type { Recordings } from '#calls/recordings/recordings.js';
import type { StorageBacklog } from '#calls/recordings/storage-backlog.js';
import { CallStats } from '#calls/statistics/call-stats.js';

/** The limit at shutdown for live talks to say goodbye and to close their recordings. */
const TALKS_TIMEOUT_MS = 8_000;

/**
 * The calls module: its operations, and the engine that dials, watches and ends calls. The composition root
 * (`src/app`) creates one per process; other modules and the HTTP routes use its members.
 */
export class CallService {
  readonly calls: Calls;
  readonly views: CallViews;
  readonly stats: CallStats;
  readonly recordings: Recordings;
  readonly storageBacklog: StorageBacklog;
  /** The actions of operators on live calls. */
  readonly steering: CallSteering;
  /** Opens live calls for the audio sockets of carriers and clients. */
  readonly streams: AudioStreams;
  /** Unsaved agents that an audio socket may name for a trial call. */
  readonly trials: AgentTrials;
  readonly suppressionEnforcer: SuppressionEnforcer;
  readonly carriers: CarrierPool;
  /** The receiver of the carriers' reports. */
  readonly carrierHost: RemoteCarrierHost;
  /** The events of the live calls of this process. */
  readonly feed = new LiveFeed();
  /** The calls whose audio is in this process. */
  readonly sessions: LiveSessions;
  /** The current time and links for transactions of other modules that create or end calls. */
  readonly txContexts: TxContexts;
  readonly #parts: { store: Store; clock: Clock; nodeId: string };
  readonly #slots: Slots;
  readonly #engine: CallEngine;
  readonly #endings: CallEndings;
  readonly #exchange: ActionExchange;
  readonly #inbound: InboundCalls;
  readonly #transfers: WarmTransfers;
  readonly #onCallEnd: ((call: CallRow) => void)[] = [];
  readonly #beforeDialling: (() => Promise<void>)[] = [];
  /** Stores a carrier's price; replaced by {@link setPriceKeeper}. */
  #keepPrice = (price: CallPrice): Promise<void> =>
    this.#parts.store.write(costTransactions.carrierPriced, price);

  constructor(parts: CallServiceParts) {
    const { store, clock, links, settings } = parts;
    const { recordingsDir } = settings;
    const { id: nodeId, folderId } = parts.node;
    const linksOf = (callId: string) => links.of(callId);
    const keepPrice = (price: CallPrice) => this.#keepPrice(price);
    const carrierSide = openCarrierSide(parts, { end: (call) => this.#onEnd(call), price: keepPrice });
    const { carriers, txContexts, slots, sessions, endings } = carrierSide;
    this.#exchange = carrierSide.exchange;
    this.steering = carrierSide.steering;
    this.#parts = { store, clock, nodeId };
    this.#slots = slots;
    this.#endings = endings;
    this.#inbound = carrierSide.inbound;
    this.txContexts = txContexts;
    this.sessions = sessions;
    this.carriers = carriers;
    this.carrierHost = carrierSide.host;

    const shared = { ...parts, ...carrierSide, recordingsDir, folderId, nodeId };
    const wakeMoves = () => this.#engine.wakeRecordingMoves();
    const wakeAfterCall = () => this.#engine.wakeAfterCall();
    const recordingSide = openRecordingSide(parts, { sessions, wakeMoves, wakeAfterCall });
    const { recordingMoves, partUploads, storageBacklog } = recordingSide;
    this.recordings = recordingSide.recordings;
    this.storageBacklog = storageBacklog;
    this.#engine = new CallEngine({
      ...shared,
      beforeDialling: () => this.#checkBeforeDialling(),
      afterCall: new AfterCall({
        ...shared,
        links: linksOf,
        hasObjectStorage: parts.objectStorage !== null,
        onUploadDue: wakeMoves,
      }),
      recordingMoves,
      carrierPrices: new CarrierPrices({ ...parts, carriers, folderId, keep: keepPrice }),
      timings: dialTimings(settings.dialDeadlineMs),
      callsPerSecond: settings.callsPerSecond,
      defaultFromNumber: settings.defaultFromNumber,
    });
    const wakeDialler = (dueAt: number) => this.wakeDialler(dueAt);
    this.calls = new Calls({ ...shared, wakeDialler, wakeAfterCall });
    this.suppressionEnforcer = new SuppressionEnforcer({ ...parts, txContexts, endings });
    this.views = new CallViews({ store, clock, links: linksOf });
    this.stats = new CallStats({ store, clock });
    this.#transfers = new WarmTransfers({ ...shared, wakeDialler });
    this.trials = new AgentTrials(clock);
    this.streams = new AudioStreams({
      ...shared,
      ...settings,
      prices: parts.prices ?? NO_PRICES,
      feed: this.feed,
      suppressionEnforcer: this.suppressionEnforcer,
      transfers: this.#transfers,
      storageBacklog,
      partUploads,
      trials: this.trials,
    });
  }

  /**
   * Registers a listener for the ends of batch and schedule calls that this process writes. Ends written by other
   * processes, or by one that died, are found by the column `unsettled`.
   */
  onCallEnd(listener: (call: CallRow) => void): void {
    this.#onCallEnd.push(listener);
  }

  /**
   * Replaces the function that stores a carrier's price. The batches module does: it stores the price and adds it to
   * the batch's cost in one transaction.
   */
  setPriceKeeper(keep: (price: CallPrice) => Promise<void>): void {
    this.#keepPrice = keep;
  }

  /** Registers a check that runs before due calls are claimed for dialling. If it fails, no call is claimed. */
  beforeDialling(check: () => Promise<void>): void {
    this.#beforeDialling.push(check);
  }

  async #checkBeforeDialling(): Promise<void> {
    for (const check of this.#beforeDialling) await check();
  }

  /** Announces the end of a call that another module's transaction has written. */
  announceEnd(call: CallRow): void {
    this.#endings.announce(call);
  }

  /** Wakes the dialler for a call that another module has queued; `dueAt` in epoch milliseconds. */
  wakeDialler(dueAt: number): void {
    this.#engine.wakeDialler(dueAt);
  }

  /** Begins to recover the calls of dead processes, then starts to dial. */
  async start(): Promise<void> {
    this.#exchange.start();
    await this.storageBacklog.start();
    await this.#engine.start();
  }

  /** Checks that due calls are dialled; rejects when they are not. */
  checkDialler(): Promise<void> {
    return this.#engine.check();
  }

  /** The dial queue, the after-call jobs, and the calls of this process. */
  backlog(): Promise<CallsBacklog> {
    const { store, clock, nodeId } = this.#parts;
    return store.read(backlogTransactions.read, { nodeId, now: clock.wallMs() });
  }

  /** Accepts no new calls and stops dialling; resolves when no call holds a slot, at the latest after `timeoutMs`. */
  async drain(timeoutMs: number): Promise<void> {
    this.streams.drain();
    this.#inbound.drain();
    await this.#engine.stopDialling();
    const { clock } = this.#parts;
    await withTimeout(this.#slots.idle(), { clock, limitMs: timeoutMs, onTimeout: () => {} });
  }

  /** Ends live calls and stops everything. May be called twice. */
  async stop(): Promise<void> {
    await this.drain(0);
    const { clock } = this.#parts;
    const limitMs = TALKS_TIMEOUT_MS;
    // Limited, so that a talk that hangs does not delay the hang-up of the other calls by the engine.
    await withTimeout(this.sessions.endAll('server_shutdown'), { clock, limitMs, onTimeout: () => {} });
    await this.#exchange.stop();
    await Promise.all([this.#engine.stop(), this.storageBacklog.stop(), this.recordings.close()]);
  }

  /** Handles an end that this process has written: wakes the loops and modules that continue from it. */
  #onEnd(call: CallRow): void {
    // `metrics` are null for a call without a talk, which has no jobs, and for some calls whose process has died: the
    // loop finds their jobs without being woken.
    if (call.metrics !== null) this.#engine.wakeAfterCall();
    // The call to the other person of a warm transfer has ended.
    if (call.parent_call_id !== null) this.#transfers.ended(call);
    if (hasOwner(call)) for (const listener of this.#onCallEnd) listener(call);
  }
}
