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
/** The timeout of a look-up: asking the carrier about a call on which it has sent no final report. */
const LOOK_UP_TIMEOUT_MS = 5_000;
/** The statuses in a look-up that prove that the call was not answered. */
const UNANSWERED: ReadonlySet<CarrierStatus> = new Set([
  'busy',
  'no_answer',
  'timeout',
  'rejected',
  'invalid_number',
  'failed',
]);
/** The margin that is added to the silence limit: a long sentence of either side is no silence. */
const SILENCE_MARGIN_MS = 60_000;

interface WatchdogParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  carriers: CarrierPool;
  slots: Slots;
  sessions: LiveSessions;
  endings: CallEndings;
  host: Pick<CarrierHost, 'report'>;
  nodeId: string;
}

/**
 * Ends calls of this process that last too long, even if their audio path hangs. Every second it checks the rows of the
 * current calls: how long it has seen them unchanged, and, for a live session, the time since either side was heard.
 * `CallEngine` creates and starts it.
 */
export class Watchdog {
  readonly #parts: WatchdogParts;
  readonly #observed: ObservedCalls;
  /** The ends in progress, by call. */
  readonly #tasks = new KeyedTasks();
  readonly #writes = new Semaphore(WRITES_AT_ONCE);
  readonly #lookUps = new Semaphore(LOOK_UPS_AT_ONCE);
  /** The ids of the calls that held a slot in the last round but were no current calls of this process. */
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

  /** Resolves when the rounds have stopped and no end is in progress. */
  async stop(): Promise<void> {
    await this.#rounds.stop();
    await this.#tasks.settled();
  }

  /**
   * Ends every call of this process that a carrier has placed, and hangs up: the last step of a shutdown, after the
   * talks. Never fails.
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

  async #round(): Promise<void> {
    try {
      await this.#checkCalls();
      this.#failures.succeeded();
    } catch (error) {
      this.#observed.missRound();
      this.#failures.failed(error);
    }
  }

  async #checkCalls(): Promise<void> {
    const { store, nodeId } = this.#parts;
    const calls = await store.read(watchTransactions.underWay, { nodeId });
    this.#observed.observe(calls);
    for (const call of calls) this.#check(call);
    await this.#releaseStrays(calls);
  }

  #check(call: WatchedCall): void {
    const { sessions } = this.#parts;
    // The end was begun in the row only, for example by another process: the session here must end, too.
    if (call.status === 'ending') sessions.end(call.id, call.ended_reason ?? 'stream_error');
    const times = this.#observed.timesOf(call.id);
    const reason = overdue(call, times) ?? this.#overdueInTalk(call, times);
    if (reason) this.#runFor(call, () => this.#enforce(call, reason));
  }

  /** Detects a conversation that hangs. A working conversation enforces the silence limit itself. */
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

  /** Ends a call that has exceeded a limit: by its session if the audio is here, else by the row. */
  async #enforce(call: WatchedCall, reason: EndedReason): Promise<void> {
    const { sessions, endings, log } = this.#parts;
    if (reason === 'dial_timeout' && (await this.#lookUps.run(() => this.#wasUnanswered(call)))) return;
    log.info({ call_id: call.id, ended_reason: reason }, 'watchdog ends a call');
    if (call.status === 'active' && sessions.end(call.id, reason)) return;
    const { nodeId } = this.#parts;
    // The call may have been answered, or have ended, since it was read.
    const precondition = { statuses: [call.status], updatedAt: call.updated_at, nodeId };
    await this.#end(call, () => endings.endIf(call.id, precondition, reason));
  }

  /** Writes an end by `write`; if one was written, closes the call's socket and hangs up. */
  async #end({ id }: WatchedCall, write: () => Promise<CallRow | null>): Promise<void> {
    const ended = await this.#writes.run(write);
    if (!ended) return;
    this.#parts.sessions.abandon(id);
    await hangUp(ended, this.#parts);
  }

  /**
   * True if the carrier knows that the call was not answered and its report was lost; that report then ends the call.
   */
  async #wasUnanswered({ id, provider, provider_call_id: providerCallId }: WatchedCall): Promise<boolean> {
    const { carriers, clock, host, log } = this.#parts;
    const carrier = carriers.find(provider);
    if (carrier === null || providerCallId === null) return false;
    const found = await answerWithin(clock, LOOK_UP_TIMEOUT_MS, () =>
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
   * Frees the slots of calls that another process has ended, taken over or put back into the queue. A call must be
   * found in two rounds in a row, because it may be changing hands in one of them.
   */
  async #releaseStrays(calls: readonly WatchedCall[]): Promise<void> {
    const { store, slots, sessions, nodeId } = this.#parts;
    const ours = new Set(calls.map((call) => call.id));
    const strays = [...slots.held].filter((callId) => !ours.has(callId));
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
