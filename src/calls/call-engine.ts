import type { ModuleContext } from '#store/module-context.js';
import { Loop } from '#kernel/work/loop.js';
import type { RecordedFile } from '#media/recording/recording.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { CarrierHost } from '#telephony/port/carrier.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import type { AfterCall } from '#calls/after-call/after-call.js';
import type { CarrierPrices } from '#calls/after-call/carrier-prices.js';
import type { RecordingMoves } from '#calls/after-call/recording-moves.js';
import type { CallEndings } from '#calls/endings/call-endings.js';
import { DialExpiry } from '#calls/dialling/dial-expiry.js';
import { dialTransactions } from '#calls/dialling/dial-store.js';
import type { DialTimings } from '#calls/dialling/dial-timings.js';
import { Dialler } from '#calls/dialling/dialler.js';
import type { LiveSessions } from '#calls/live/sessions/live-sessions.js';
import type { LoadShedding } from '#calls/lines/load-shedding.js';
import type { TxContexts } from '#calls/endings/tx-contexts.js';
import type { CallLegCache } from '#calls/lines/call-leg-cache.js';
import type { ThisNode } from '#calls/watch/node-store.js';
import { NodeMembership } from '#calls/watch/node-membership.js';
import { CallRateLimiter } from '#calls/lines/call-rate-limiter.js';
import { Recovery } from '#calls/watch/recovery.js';
import { Reconciler } from '#calls/dialling/reconciler.js';
import type { Slots } from '#calls/lines/slots.js';
import { Watchdog } from '#calls/watch/watchdog.js';

/**
 * The dialler is stuck if a call stays due for longer than this although a slot and the rate limit leave room for it.
 */
const LATEST_DIAL_MS = 30_000;

/** The dependencies of {@link CallEngine}, and of the loops that it runs. */
export interface CallEngineParts extends Pick<
  ModuleContext,
  'store' | 'clock' | 'clockTrust' | 'log' | 'counters'
> {
  carriers: CarrierPool;
  host: CarrierHost;
  txContexts: TxContexts;
  slots: Slots;
  timings: DialTimings;
  legs: CallLegCache;
  loadShedding: LoadShedding;
  /** Null: the carrier's limit, shared among all processes. */
  callsPerSecond: number | null;
  rules: PolicyRules;
  providers: KnownProviders;
  /** The caller id that every workspace may use. */
  defaultFromNumber: string;
  /** Runs before due calls are claimed; when it fails, no call is claimed. */
  beforeDialling(): Promise<void>;
  sessions: LiveSessions;
  endings: CallEndings;
  afterCall: AfterCall;
  recordingMoves: RecordingMoves;
  carrierPrices: CarrierPrices;
  node: ThisNode;
  recordingsDir: string;
  /** Completes a recording's file; repairs a file that a crash left open. */
  repair(path: string): Promise<RecordedFile>;
}

/**
 * Starts and stops the background loops of calls: dialling, expiry, reconciliation, watchdog, recovery, and the durable
 * jobs (after-call jobs, moves of recordings, carriers' prices). `CallService` creates it and wakes its loops.
 */
export class CallEngine {
  readonly #parts: CallEngineParts;
  readonly #dialler: Dialler;
  readonly #diallerLoop: Loop<unknown>;
  readonly #expiry: Loop<unknown>;
  readonly #reconciler: Loop<unknown>;
  readonly #afterCall: Loop<unknown>;
  readonly #recordingMoves: Loop<unknown>;
  readonly #carrierPrices: Loop<unknown>;
  readonly #watchdog: Watchdog;
  readonly #membership: NodeMembership;
  #starting: Promise<void> = Promise.resolve();
  #stopping = false;
  /** False once dialling was stopped: a start that is still in progress must not begin to dial. */
  #mayDial = true;

  /** The loops do not run before {@link start}. */
  constructor(parts: CallEngineParts) {
    this.#parts = parts;
    const { clock, log, host, slots, afterCall, callsPerSecond, carriers } = parts;
    const { id: nodeId, folderId } = parts.node;
    const rateLimiter = new CallRateLimiter(callsPerSecond ?? carriers.outbound.traits.callsPerSecond, clock);
    const dialParts = { ...parts, nodeId, rateLimiter, attemptsInProgress: new Set<string>() };
    this.#dialler = new Dialler(dialParts);
    this.#diallerLoop = new Loop(this.#dialler, { clock, log });
    this.#expiry = new Loop(new DialExpiry(dialParts), { clock, log });
    const report: CarrierHost['report'] = (carrierReport) => host.report(carrierReport);
    this.#reconciler = new Loop(new Reconciler({ ...dialParts, report }), { clock, log });
    this.#afterCall = new Loop(afterCall, { clock, log });
    this.#recordingMoves = new Loop(parts.recordingMoves, { clock, log });
    this.#carrierPrices = new Loop(parts.carrierPrices, { clock, log });
    this.#watchdog = new Watchdog({ ...parts, nodeId });
    const recovery = new Recovery({ ...parts, nodeId, folderId });
    this.#membership = new NodeMembership({
      ...parts,
      recovery,
      // The carrier's own limit counts the calls of all processes; a configured limit is one process's own.
      onProcesses: (count) => {
        if (callsPerSecond === null) rateLimiter.shareAmong(count);
      },
      wakeReconciler: () => this.#reconciler.wake(),
    });
    slots.onFree(() => this.#diallerLoop.wake());
    parts.clockTrust.onSetBack(() => void this.#bringForward());
  }

  /** Begins to recover the calls of dead processes, then starts to dial. */
  start(): Promise<void> {
    this.#starting = this.#start();
    return this.#starting;
  }

  async #start(): Promise<void> {
    await this.#membership.start();
    if (this.#stopping) return;
    this.#watchdog.start();
    this.#afterCall.start();
    this.#recordingMoves.start();
    this.#carrierPrices.start();
    if (!this.#mayDial) return;
    for (const loop of [this.#diallerLoop, this.#expiry, this.#reconciler]) loop.start();
  }

  /** Wakes the dialler for a call that is due at `dueAt` (epoch milliseconds). */
  wakeDialler(dueAt: number): void {
    this.#diallerLoop.wake(dueAt);
  }

  /** Wakes the after-call loop; an ended call may have jobs. */
  wakeAfterCall(): void {
    this.#afterCall.wake();
  }

  /** Wakes the loop that uploads recordings to object storage and deletes them there. */
  wakeRecordingMoves(): void {
    this.#recordingMoves.wake();
  }

  /**
   * Checks that due calls are dialled, for the health check of the service.
   * @throws Error when the oldest due call has waited too long although nothing limited dialling
   */
  async check(): Promise<void> {
    const { store, clock } = this.#parts;
    const now = clock.wallMs();
    const dueAt = await store.read(dialTransactions.nextDueAt, { now });
    const isLate = dueAt !== null && now - dueAt > LATEST_DIAL_MS;
    if (isLate && this.#dialler.idleMs > LATEST_DIAL_MS)
      throw new Error('calls that are due are not dialled');
  }

  /**
   * Makes calls due now that were wanted at once while the clock was ahead. Since the clock was set back, their due
   * time lies in the future.
   */
  async #bringForward(): Promise<void> {
    const { store, clock, log } = this.#parts;
    try {
      await store.write(dialTransactions.bringForward, { at: clock.wallMs() });
      this.#diallerLoop.wake();
    } catch (error) {
      log.error({ err: error }, 'calls were not brought forward after the clock was set back');
    }
  }

  /** Stops dialling for good; resolves when the dial requests under way are settled. */
  async stopDialling(): Promise<void> {
    this.#mayDial = false;
    await Promise.all([this.#diallerLoop.stop(), this.#expiry.stop(), this.#reconciler.stop()]);
    this.#parts.loadShedding.turnOff();
  }

  /** Stops all loops. Live calls must have ended before. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#membership.halt();
    // The caller of `start` receives its error.
    await this.#starting.catch(() => {});
    await this.stopDialling();
    await this.#watchdog.stop();
    await this.#watchdog.hangUpAll('server_shutdown');
    const loops = [this.#afterCall, this.#recordingMoves, this.#carrierPrices];
    await Promise.all(loops.map((loop) => loop.stop()));
    // The carriers are closed last: membership still hangs up calls of dead processes.
    await this.#membership.stop();
    await this.#parts.carriers.close();
  }
}
