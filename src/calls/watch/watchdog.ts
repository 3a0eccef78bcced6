import type { ModuleContext } from '#store/module-context.js';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import { KeyedTasks } from '#kernel/work/tasks.js';
import { FailureLog } from '#kernel/log/failure-log.js';
import { Semaphore } from '#kernel/work/semaphore.js';
import type { CarrierHost, CarrierStatus } from '#telephony/port/carrier.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import type { CallEndings } from '#calls/endings/call-endings.js';
import { answerWithin } from '#calls/lines/answer-within.js';
import type { CallRow } from '#calls/record/call.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import { hangUp } from '#calls/lines/hang-up.js';
import type { LiveSessions } from '#calls/live/sessions/live-sessions.js';
import type { Slots } from '#calls/lines/slots.js';
import { overdue, STREAM_OPENING_TIMEOUT_MS } from './overdue.js';
import { ROUND_MS, ObservedCalls, type ObservedTimes } from './observed-calls.js';
import { watchTransactions, type WatchedCall } from './watch-store.js';

/** How many ends are written at the same time, so that they do not fill the queue of the store. */
const WRITES_AT_ONCE = 64;
/** How many look-ups at carriers run at the same time. */
const LOOK_UPS_AT_ONCE = 256;
/** The timeout of a look-up, which asks the carrier about a call that has rung for too long. */
const LOOK_UP_TIMEOUT_MS = 5_000;
/** The statuses in a look-up that prove that the call is over and was not answered. */
const UNANSWERED: ReadonlySet<CarrierStatus> = new Set([
  'busy',
  'no_answer',
  'timeout',
  'rejected',
  'invalid_number',
  'failed',
]);
/**
 * Added to the silence limit of a call. The conversation enforces the limit itself; the watchdog acts only if that
 * fails.
 */
const SILENCE_MARGIN_MS = 60_000;

/** The dependencies of {@link Watchdog}. */
interface WatchdogParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  carriers: CarrierPool;
  slots: Slots;
  sessions: LiveSessions;
  endings: CallEndings;
  host: Pick<CarrierHost, 'report'>;
  nodeId: string;
}

/**
 * Ends calls of this process that exceed a time limit, even if their audio path hangs. Every second it reads the rows
 * of the current calls and checks how long each has been in its status, since when it has been answered, and, for an
 * active call, whether a live session exists and when either side was last active. Each round also frees the slots of
 * calls that this process no longer carries. At a shutdown, the watchdog hangs up the calls that are left. Created and
 * run by `CallEngine`.
 */
export class Watchdog {
  readonly #parts: WatchdogParts;
  readonly #observed: ObservedCalls;
  /** The tasks that end calls, at most one per call. */
  readonly #tasks = new KeyedTasks();
  readonly #writes = new Semaphore(WRITES_AT_ONCE);
  readonly #lookUps = new Semaphore(LOOK_UPS_AT_ONCE);
  /** The ids of the calls that held a slot in the previous round without being current calls of this process. */
  #strays = new Set<string>();
  readonly #rounds: PeriodicTask;
  readonly #failures: FailureLog;

  constructor(parts: WatchdogParts) {
    this.#parts = parts;
    this.#observed = new ObservedCalls(parts.clock);
    this.#rounds = new PeriodicTask(parts.clock, { everyMs: ROUND_MS, run: () => this.#round() });
    this.#failures = new FailureLog(
      { failed: 'watchdog round failed', recovered: 'watchdog rounds work again' },
      parts,
    );
  }

  start(): void {
    this.#rounds.start();
  }

  /** Stops the rounds, and waits for the tasks that end calls. */
  async stop(): Promise<void> {
    await this.#rounds.stop();
    await this.#tasks.settled();
  }

  /**
   * Ends and hangs up every current call of this process that has a carrier's id, for the shutdown: live talks have
   * been ended before, so most of these calls still ring. Never rejects.
   */
  async hangUpAll(reason: EndedReason): Promise<void> {
    const { store, endings, log, nodeId } = this.#parts;
    const calls = await store.read(watchTransactions.underWay, { nodeId }).catch((error: unknown) => {
      log.error({ err: error }, 'the phones that ring are not known: none is hung up');
      return [];
    });
    for (const call of calls) {
      if (call.provider_call_id === null) continue;
      this.#runFor(call, () => this.#end(call, () => endings.endIf(call.id, { nodeId }, reason)));
    }
    await this.#tasks.settled();
  }

  /** Runs one round. A failed round is logged, and the next one follows as usual. */
  async #round(): Promise<void> {
    try {
      await this.#checkCalls();
      this.#failures.succeeded();
    } catch (error) {
      this.#observed.recordMissedRound();
      this.#failures.failed(error);
    }
  }

  /** Checks all current calls of this process, and frees stray slots. */
  async #checkCalls(): Promise<void> {
    const { store, nodeId } = this.#parts;
    const calls = await store.read(watchTransactions.underWay, { nodeId });
    this.#observed.observe(calls);
    for (const call of calls) this.#check(call);
    await this.#releaseStrays(calls);
  }

  /** Ends a call that exceeds a limit, in a task of its own. */
  #check(call: WatchedCall): void {
    const { sessions } = this.#parts;
    // Another process may have begun the end in the row only: the session here must end, too.
    if (call.status === 'ending') sessions.end(call.id, call.ended_reason ?? 'stream_error');
    const times = this.#observed.timesOf(call.id);
    const reason = overdue(call, times) ?? this.#overdueInTalk(call, times);
    if (reason) this.#runFor(call, () => this.#enforce(call, reason));
  }

  /** The reason to end an active call without a session here, or with a conversation that hangs; null for others. */
  #overdueInTalk(call: WatchedCall, { unchangedMs }: ObservedTimes): EndedReason | null {
    if (call.status !== 'active') return null;
    const session = this.#parts.sessions.get(call.id);
    if (!session) return unchangedMs > STREAM_OPENING_TIMEOUT_MS ? 'stream_error' : null;
    const limitMs = call.silence_timeout_seconds * 1000 + SILENCE_MARGIN_MS;
    return session.silentMs > limitMs ? 'silence_timeout' : null;
  }

  /**
   * Runs a task outside the rounds, one at a time per call: neither a slow carrier nor a call that cannot be ended
   * delays the other calls.
   */
  #runFor({ id }: WatchedCall, task: () => Promise<void>): void {
    const logFailure = (error: unknown) =>
      this.#parts.log.error({ err: error, call_id: id }, 'watchdog could not end a call');
    this.#tasks.begin(id, () => task().catch(logFailure));
  }

  /**
   * Ends a call that has exceeded a limit: an active call by its session here, if any; every other call by its row. If
   * the carrier knows how an unanswered call ended, its status ends the call instead.
   */
  async #enforce(call: WatchedCall, reason: EndedReason): Promise<void> {
    const { sessions, endings, log } = this.#parts;
    if (reason === 'dial_timeout' && (await this.#lookUps.run(() => this.#reportIfUnanswered(call)))) return;
    log.info({ call_id: call.id, ended_reason: reason }, 'watchdog ends a call');
    if (call.status === 'active' && sessions.end(call.id, reason)) return;
    const { nodeId } = this.#parts;
    // The call may have been answered, or have ended, since it was read.
    const precondition = { statuses: [call.status], updatedAt: call.updated_at, nodeId };
    await this.#end(call, () => endings.endIf(call.id, precondition, reason));
  }

  /** Writes an end by `write`. If the end was written, closes the call's audio socket and hangs up its leg. */
  async #end({ id }: WatchedCall, write: () => Promise<CallRow | null>): Promise<void> {
    const ended = await this.#writes.run(write);
    if (!ended) return;
    this.#parts.sessions.abandon(id);
    await hangUp(ended, this.#parts);
  }

  /**
   * Asks the carrier about a call that has rung for too long. If the call is over and was not answered, the carrier's
   * report was lost: the status found is applied as a report, which ends the call. False if the call is not known to be
   * over unanswered.
   */
  async #reportIfUnanswered({
    id,
    provider,
    provider_call_id: providerCallId,
  }: WatchedCall): Promise<boolean> {
    const { carriers, clock, host, log } = this.#parts;
    const carrier = carriers.find(provider);
    if (carrier === null || providerCallId === null) return false;
    const found = await answerWithin(clock, LOOK_UP_TIMEOUT_MS, () =>
      // Without a dial reference: the carrier's id finds the call.
      carrier.lookUp('', providerCallId),
    ).catch((error: unknown) =>
      log.warn({ err: error, call_id: id }, 'carrier did not say what became of a call'),
    );
    if (!found?.found || !UNANSWERED.has(found.status)) return false;
    const report = {
      carrier: carrier.name,
      dialRef: null,
      providerCallId,
      status: found.status,
    };
    await host.report({ ...report, code: null, hungUpBy: null, at: clock.wallMs() });
    return true;
  }

  /**
   * Frees the slots of calls that this process no longer carries: another process has ended them, taken them over, or
   * put them back into the dial queue. Acts on calls that two rounds in a row have found: for a moment, a call may also
   * hold a slot here because its dialling is just beginning or its end is just being written.
   */
  async #releaseStrays(calls: readonly WatchedCall[]): Promise<void> {
    const { store, slots, sessions, nodeId } = this.#parts;
    const ourCallIds = new Set(calls.map((call) => call.id));
    const strays = [...slots.held].filter((callId) => !ourCallIds.has(callId));
    const confirmed = strays.filter((callId) => this.#strays.has(callId));
    this.#strays = new Set(strays);
    if (confirmed.length === 0) return;
    for (const call of await store.read(watchTransactions.notOurs, { callIds: confirmed, nodeId })) {
      sessions.end(call.id, call.ended_reason ?? 'server_crash');
      slots.release(call.id);
    }
    for (const callId of await store.read(watchTransactions.waiting, { callIds: confirmed }))
      slots.release(callId);
  }
}
