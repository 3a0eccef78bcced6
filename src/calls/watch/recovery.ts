import { join } from 'node:path';
import type { ModuleContext } from '#store/module-context.js';
import { KeyedTasks } from '#kernel/work/tasks.js';
import { Semaphore } from '#kernel/work/semaphore.js';
import type { RecordedFile } from '#media/recording/recording.js';
import type { CarrierHost, LookUp } from '#telephony/port/carrier.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import type { DialTimings } from '#calls/dialling/dial-timings.js';
import type { CallEndings } from '#calls/endings/call-endings.js';
import { answerWithin } from '#calls/lines/answer-within.js';
import { hangUp } from '#calls/lines/hang-up.js';
import type { Slots } from '#calls/lines/slots.js';
import type { CallRow } from '#calls/record/call.js';
import { MAX_RING_MS, STREAM_OPENING_TIMEOUT_MS } from './overdue.js';
import { watchTransactions, type Orphan } from './watch-store.js';

/** How many calls with a talk are ended at the same time: each may need its recording repaired first. */
const ENDS_AT_ONCE = 16;
/** How many look-ups at carriers run at the same time. */
const LOOK_UPS_AT_ONCE = 256;

/** The dependencies of {@link Recovery}. */
export interface RecoveryParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  carriers: CarrierPool;
  /** Applies a status that a look-up has found, like a report from the carrier. */
  host: Pick<CarrierHost, 'report'>;
  endings: CallEndings;
  slots: Slots;
  timings: DialTimings;
  /** The id of this process. */
  nodeId: string;
  recordingsDir: string;
  /** The id of the recordings folder of this process. */
  folderId: string;
  /** Completes a recording's file that a crash left unfinished. */
  repair(path: string): Promise<RecordedFile>;
}

/**
 * Recovers the calls of dead processes: ends them, or takes over those that can continue. `NodeMembership` starts it.
 * Each call has a task of its own: a carrier that does not answer delays neither other calls nor the start of the
 * process.
 */
export class Recovery {
  readonly #parts: RecoveryParts;
  readonly #tasks = new KeyedTasks();
  readonly #ends = new Semaphore(ENDS_AT_ONCE);
  readonly #lookUps = new Semaphore(LOOK_UPS_AT_ONCE);
  /** When each orphaned call was first found, by its id (monotonic milliseconds: wall clocks may jump). */
  #seenAtMs = new Map<string, number>();
  #isHalted = false;

  constructor(parts: RecoveryParts) {
    this.#parts = parts;
  }

  /**
   * Begins to recover all orphaned calls that are not being recovered already; resolves when all have been found.
   */
  async begin(): Promise<void> {
    const { store, clock, folderId } = this.#parts;
    const seenAtMs = new Map<string, number>();
    let last: Orphan | null = null;
    do {
      const page: Orphan[] = await store.read(watchTransactions.orphans, { after: last, folderId });
      for (const orphan of page) {
        const { id } = orphan.call;
        seenAtMs.set(id, this.#seenAtMs.get(id) ?? clock.monotonicMs());
        this.#tasks.begin(id, () => this.#recover(orphan));
      }
      last = page.at(-1) ?? null;
    } while (last !== null);
    this.#seenAtMs = seenAtMs;
  }

  /** Begins no further recovery. */
  halt(): void {
    this.#isHalted = true;
  }

  /** Resolves when no recovery is in progress. */
  settled(): Promise<void> {
    return this.#tasks.settled();
  }

  /** Recovers one call and logs the result. A call that is not recovered is found again at the next heartbeat. */
  async #recover(orphan: Orphan): Promise<void> {
    const { log } = this.#parts;
    const call_id = orphan.call.id;
    try {
      const result = await this.#recoverByStatus(orphan);
      if (result) log.warn({ call_id }, `call of a dead process was ${result}`);
    } catch (error) {
      log.error({ err: error, call_id }, 'call of a dead process was not recovered');
    }
  }

  /** Recovers one call in the way that its status requires. Null if the call is left to another part or process. */
  async #recoverByStatus(orphan: Orphan): Promise<'ended' | 'taken over' | null> {
    const { call, placedAs } = orphan;
    if (this.#isHalted) return null;
    // An inbound call whose audio has not begun: the token for its audio socket expires soon.
    if (call.status === 'initiated' && call.direction === 'inbound') return this.#end(call);
    // Still being dialled, without a stored outcome: the reconciler asks the carrier.
    if (call.status === 'initiated' || (call.status === 'connecting' && placedAs === null)) return null;
    // The phone may still ring, or the call's audio stream may still open in this process.
    const mayContinue = call.status === 'connecting' || call.status === 'connected';
    if (mayContinue && placedAs !== null) return this.#continueOrEnd(call, placedAs);
    return this.#ends.run(async () =>
      this.#isHalted ? null : this.#end(call, await this.#talkEndOf(orphan)),
    );
  }

  /**
   * Recovers a call that was ringing or just answered, by asking its carrier. A call that the carrier does not know, or
   * that is over after an answer, is ended. This process takes over any other call. Unless the phone still rings, it
   * then applies the status found as if the carrier had reported it: answered, so that the audio stream can open here,
   * or over without an answer.
   */
  async #continueOrEnd(call: CallRow, dialRef: string): Promise<'ended' | 'taken over' | null> {
    const { store, host, clock, slots, nodeId } = this.#parts;
    const found = await this.#lookUps.run(async () => (this.#isHalted ? null : this.#lookUp(call, dialRef)));
    // This process is stopping; another one recovers the call.
    if (found === null || this.#isHalted) return null;
    // The call was answered and ended while no process carried it: the callee heard nothing, so no talk may be
    // announced.
    if (!found.found || found.status === 'completed') return this.#end(call);
    if (!(await store.write(watchTransactions.adopt, { callId: call.id, from: call.node_id, nodeId })))
      return null;
    slots.take(call.id, call.direction);
    if (found.status === 'ringing') return 'taken over';
    await host.report({
      carrier: call.provider,
      dialRef,
      providerCallId: found.providerCallId,
      status: found.status,
      code: null,
      hungUpBy: null,
      at: clock.wallMs(),
    });
    return 'taken over';
  }

  /**
   * Asks the carrier about a call. Rejects if the carrier does not answer, so that the next heartbeat asks again. If it
   * still does not answer when the phone can no longer ring, or the audio stream can no longer open, the call counts as
   * not found. So does a call whose carrier is not configured.
   */
  async #lookUp(call: CallRow, dialRef: string): Promise<LookUp> {
    const { carriers, clock, timings } = this.#parts;
    const carrier = carriers.find(call.provider);
    if (carrier === null) return { found: false };
    return answerWithin(clock, timings.requestTimeoutMs, () =>
      carrier.lookUp(dialRef, call.provider_call_id),
    ).catch((error: unknown) => {
      const timeoutMs = call.status === 'connected' ? STREAM_OPENING_TIMEOUT_MS : MAX_RING_MS;
      const seenForMs = clock.monotonicMs() - (this.#seenAtMs.get(call.id) ?? clock.monotonicMs());
      if (clock.wallMs() - call.updated_at < timeoutMs && seenForMs < timeoutMs) throw error;
      return { found: false };
    });
  }

  /**
   * Ends a call, and hangs up its leg in a task of its own. Null when another process has taken the call over, or when
   * it has changed since it was read.
   */
  async #end(call: CallRow, overrides: { endedAt?: number } = {}): Promise<'ended' | null> {
    const precondition = { nodeId: call.node_id, updatedAt: call.updated_at };
    const ended = await this.#parts.endings.endIf(call.id, precondition, 'server_crash', overrides);
    if (!ended) return null;
    this.#tasks.begin(`hanging up ${call.id}`, () => hangUp(ended, this.#parts));
    return 'ended';
  }

  /**
   * When the talk of a call ended (epoch milliseconds) whose process died during the talk. The recording is the best
   * evidence: its repaired file, else its parts in object storage. Without a recording, the last change of the row
   * counts.
   */
  async #talkEndOf({ call, recording }: Orphan): Promise<{ endedAt: number }> {
    if (!recording) return { endedAt: call.updated_at };
    const { recordingsDir, repair } = this.#parts;
    const { fileName, createdAt, storedMs } = recording;
    const file = await repair(join(recordingsDir, fileName)).catch(() => null);
    if (file) return { endedAt: createdAt + file.durationMs };
    return { endedAt: Math.max(call.updated_at, createdAt + storedMs) };
  }
}
