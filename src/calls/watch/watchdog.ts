import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import { KeyedTasks } from '#kernel/work/tasks.js';
import { FailureLog } from '#kernel/log/failure-log.js';
import { Semaphore } from '#kernel/work/semaphore.js';
import type { Store } from '#store/store.js';
import type { CarrierHost, CarrierStatus } from '#telephony/port/carrier.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import type { CallEndings } from '#calls/endings/call-endings.js';
import { answerWithin } from '#calls/lines/carrier-answer.js';
import type { CallRow } from '#calls/record/call.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import { hangUp } from '#calls/lines/hang-up.js';
import type { LiveSessions } from '#calls/live/sessions/live-sessions.js';
import type { Slots } from '#calls/lines/slots.js';
import { overdue, STREAM_OPENING_TIMEOUT_MS } from './overdue.js';
import { ROUND_MS, ObservedCalls, type ObservedTimes } from './observed-calls.js';
import { watchTransactions, type WatchedCall } from './watch-store.js';

/** How many ends are written at the same time: many must not fill the queue of the store. */
const WRITES_AT_ONCE = 64;
/** How many calls a carrier is asked about at the same time. */
const LOOK_UPS_AT_ONCE = 256;
/** How long a carrier may take to say what became of a call that it has told nothing of. */
const LOOK_UP_TIMEOUT_MS = 5_000;
/** What a phone does that nobody picks up; whatever else a look-up finds is no reason of its own. */
const NOT_TAKEN: ReadonlySet<CarrierStatus> = new Set([
  'busy',
  'no_answer',
  'timeout',
  'rejected',
  'invalid_number',
  'failed',
]);
/** A long sentence of the agent, or a caller in mid-sentence, is no silence. */
const SILENCE_MARGIN_MS = 60_000;

interface WatchdogParts {
  store: Store;
  clock: Clock;
  log: Log;
  carriers: CarrierPool;
  slots: Slots;
  sessions: LiveSessions;
  endings: CallEndings;
  host: Pick<CarrierHost, 'report'>;
  nodeId: string;
}

/**
 * Ends the calls that went on too long, whatever the audio path is doing: it looks only at the rows and at how long it
 * has seen them so.
 */
export class Watchdog {
  readonly #parts: WatchdogParts;
  readonly #observed: ObservedCalls;
  /** The ends that are on their way, by call. */
  readonly #tasks = new KeyedTasks();
  readonly #writes = new Semaphore(WRITES_AT_ONCE);
  readonly #lookUps = new Semaphore(LOOK_UPS_AT_ONCE);
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

  /** Resolves when nothing is judged any more, and no end is on its way. */
  async stop(): Promise<void> {
    await this.#rounds.stop();
    await this.#tasks.settled();
  }

  /** Hangs up every phone of this process that was rung; call it when the talks are over. It never fails. */
  async hangUpAll(reason: EndedReason): Promise<void> {
    const { store, endings, log, nodeId } = this.#parts;
    const calls = await store.read(watchTransactions.underWay, { nodeId }).catch((error: unknown) => {
      log.error({ err: error }, 'the phones that ring are not known: none is hung up');
      return [];
    });
    for (const call of calls) {
      if (call.provider_call_id === null) continue;
      this.#take(call, () => this.#end(call, () => endings.endIf(call.id, { nodeId }, reason)));
    }
    await this.#tasks.settled();
  }

  async #round(): Promise<void> {
    try {
      await this.#look();
      this.#failures.worked();
    } catch (error) {
      this.#observed.missRound();
      this.#failures.failed(error);
    }
  }

  async #look(): Promise<void> {
    const { store, nodeId } = this.#parts;
    const calls = await store.read(watchTransactions.underWay, { nodeId });
    this.#observed.observe(calls);
    for (const call of calls) this.#judge(call);
    await this.#releaseStrays(calls);
  }

  #judge(call: WatchedCall): void {
    const { sessions } = this.#parts;
    // Another process was asked to end it, and the audio is here.
    if (call.status === 'ending') sessions.end(call.id, call.ended_reason ?? 'stream_error');
    const times = this.#observed.timesOf(call.id);
    const reason = overdue(call, times) ?? this.#overdueInTalk(call, times);
    if (reason) this.#take(call, () => this.#carryOut(call, reason));
  }

  /** The conversation minds the silence itself; this is for one that hangs. */
  #overdueInTalk(call: WatchedCall, { unchangedMs }: ObservedTimes): EndedReason | null {
    if (call.status !== 'active') return null;
    const session = this.#parts.sessions.get(call.id);
    if (!session) return unchangedMs > STREAM_OPENING_TIMEOUT_MS ? 'stream_error' : null;
    const limitMs = call.silence_timeout_seconds * 1000 + SILENCE_MARGIN_MS;
    return session.silentMs > limitMs ? 'silence_timeout' : null;
  }

  /**
   * Does what a verdict asks for beside the rounds, once at a time for each call: neither a carrier that takes its time
   * nor a call that cannot be ended keeps the others from being judged.
   */
  #take({ id }: WatchedCall, task: () => Promise<void>): void {
    const failed = (error: unknown) =>
      this.#parts.log.error({ err: error, call_id: id }, 'watchdog could not end a call');
    this.#tasks.begin(id, () => task().catch(failed));
  }

  async #carryOut(call: WatchedCall, reason: EndedReason): Promise<void> {
    const { sessions, endings, log } = this.#parts;
    if (reason === 'dial_timeout' && (await this.#lookUps.run(() => this.#wasNotTaken(call)))) return;
    log.info({ call_id: call.id, ended_reason: reason }, 'watchdog ends a call');
    if (call.status === 'active' && sessions.end(call.id, reason)) return;
    const { nodeId } = this.#parts;
    // It may have been answered, or have ended, since it was looked at.
    const precondition = { statuses: [call.status], updatedAt: call.updated_at, nodeId };
    await this.#end(call, () => endings.endIf(call.id, precondition, reason));
  }

  /** Writes an end, and hangs up where one was written. */
  async #end({ id }: WatchedCall, write: () => Promise<CallRow | null>): Promise<void> {
    const ended = await this.#writes.run(write);
    if (!ended) return;
    this.#parts.sessions.abandon(id);
    await hangUp(ended, this.#parts);
  }

  /** Whether the carrier knows that nobody took the call, and its word of that was lost: then that is its end. */
  async #wasNotTaken({ id, provider, provider_call_id: line }: WatchedCall): Promise<boolean> {
    const { carriers, clock, host, log } = this.#parts;
    const carrier = carriers.find(provider);
    if (carrier === null || line === null) return false;
    const found = await answerWithin(clock, LOOK_UP_TIMEOUT_MS, () => carrier.lookUp('', line)).catch(
      (error: unknown) => log.warn({ err: error, call_id: id }, 'carrier did not say what became of a call'),
    );
    if (!found?.found || !NOT_TAKEN.has(found.status)) return false;
    const told = { carrier: carrier.name, dialRef: null, providerCallId: line, status: found.status };
    await host.report({ ...told, code: null, hungUpBy: null, at: clock.wallMs() });
    return true;
  }

  /**
   * Calls that hold a slot here though another process has ended them, taken them over or put them back into the queue:
   * two rounds in a row, because a call is on its way from one hand to the other for a moment.
   */
  async #releaseStrays(calls: readonly WatchedCall[]): Promise<void> {
    const { store, slots, sessions, nodeId } = this.#parts;
    const ours = new Set(calls.map((call) => call.id));
    const absent = [...slots.held].filter((callId) => !ours.has(callId));
    const twice = absent.filter((callId) => this.#strays.has(callId));
    this.#strays = new Set(absent);
    if (twice.length === 0) return;
    for (const call of await store.read(watchTransactions.notOurs, { callIds: twice, nodeId })) {
      sessions.end(call.id, call.ended_reason ?? 'server_crash');
      slots.release(call.id);
    }
    for (const callId of await store.read(watchTransactions.waiting, { callIds: twice }))
      slots.release(callId);
  }
}
