import { join } from 'node:path';
import type { ModuleContext } from '#store/module-context.js';
import { KeyedTasks } from '#kernel/work/tasks.js';
import { Semaphore } from '#kernel/work/semaphore.js';
import type { RecordedFile } from '#media/recording/recording.js';
import type { CarrierHost, LookUp } from '#telephony/port/carrier.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import type { DialTimings } from '#calls/dialling/dial-timings.js';
import type { CallEndings } from '#calls/endings/call-endings.js';
import { answerWithin } from '#calls/lines/carrier-answer.js';
import { hangUp } from '#calls/lines/hang-up.js';
import type { Slots } from '#calls/lines/slots.js';
import type { CallRow } from '#calls/record/call.js';
import { LONGEST_RING_MS, STREAM_OPENING_TIMEOUT_MS } from './overdue.js';
import { watchTransactions, type Orphan } from './watch-store.js';

/** How many ends are written at the same time; each may repair a recording first. */
const ENDS_AT_ONCE = 16;
/** How many look-ups at carriers run at the same time. */
const LOOK_UPS_AT_ONCE = 256;

export interface RecoveryParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  carriers: CarrierPool;
  host: Pick<CarrierHost, 'report'>;
  endings: CallEndings;
  slots: Slots;
  timings: DialTimings;
  nodeId: string;
  recordingsDir: string;
  /** Of that folder. */
  folderId: string;
  repair(path: string): Promise<RecordedFile>;
}

/**
 * Ends the calls of dead processes, or takes over those that can continue. Each call has a task of its own: a carrier
 * that does not answer delays neither other calls nor the start of the process.
 */
export class Recovery {
  readonly #parts: RecoveryParts;
  readonly #tasks = new KeyedTasks();
  readonly #ends = new Semaphore(ENDS_AT_ONCE);
  readonly #lookUps = new Semaphore(LOOK_UPS_AT_ONCE);
  /** When each orphan was first found, by the monotonic clock: wall clocks may jump. */
  #seenAtMs = new Map<string, number>();
  #isHalted = false;

  constructor(parts: RecoveryParts) {
    this.#parts = parts;
  }

  /** Begins to recover all orphaned calls; resolves when all have been found. */
  async begin(): Promise<void> {
    const { store, clock, folderId } = this.#parts;
    const seen = new Map<string, number>();
    let last: Orphan | null = null;
    do {
      const page: Orphan[] = await store.read(watchTransactions.orphans, { after: last, folderId });
      for (const orphan of page) {
        const { id } = orphan.call;
        seen.set(id, this.#seenAtMs.get(id) ?? clock.monotonicMs());
        this.#tasks.begin(id, () => this.#recover(orphan));
      }
      last = page.at(-1) ?? null;
    } while (last !== null);
    this.#seenAtMs = seen;
  }

  /** Begins no further recovery. */
  halt(): void {
    this.#isHalted = true;
  }

  /** Resolves when no recovery is in progress. */
  settled(): Promise<void> {
    return this.#tasks.settled();
  }

  async #recover(orphan: Orphan): Promise<void> {
    const { log } = this.#parts;
    const call_id = orphan.call.id;
    try {
      const became = await this.#settle(orphan);
      if (became) log.warn({ call_id }, `call of a dead process was ${became}`);
    } catch (error) {
      log.error({ err: error, call_id }, 'call of a dead process was not recovered');
    }
  }

  /** What was done with a call; null for nothing: a call that is still being dialled is left to the reconciler. */
  async #settle(orphan: Orphan): Promise<'ended' | 'taken over' | null> {
    const { call, placedAs } = orphan;
    if (this.#isHalted) return null;
    // An inbound call without audio: the token for its socket died with its process, or expires soon.
    if (call.status === 'initiated' && call.direction === 'inbound') return this.#end(call);
    // Still being dialled, without a stored outcome: the reconciler asks the carrier.
    if (call.status === 'initiated' || (call.status === 'connecting' && placedAs === null)) return null;
    const maySpeakYet = call.status === 'connecting' || call.status === 'connected';
    if (maySpeakYet && placedAs !== null) return this.#askCarrier(call, placedAs);
    return this.#ends.run(async () => (this.#isHalted ? null : this.#end(call, await this.#endOf(orphan))));
  }

  /**
   * Recovers a call that was ringing or just answered. If it still is, this process takes it over, and its audio may
   * come here; otherwise the carrier reports how it ended.
   */
  async #askCarrier(call: CallRow, dialRef: string): Promise<'ended' | 'taken over' | null> {
    const { store, host, clock, slots, nodeId } = this.#parts;
    const found = await this.#lookUps.run(async () => (this.#isHalted ? null : this.#lookUp(call, dialRef)));
    // This process is stopping; the next one recovers the call.
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
   * Asks the carrier about a call. A carrier that does not answer is asked again, as long as the phone may ring or the
   * audio may come.
   */
  async #lookUp(call: CallRow, dialRef: string): Promise<LookUp> {
    const { carriers, clock, timings } = this.#parts;
    const carrier = carriers.find(call.provider);
    if (carrier === null) return { found: false };
    return answerWithin(clock, timings.requestTimeoutMs, () =>
      carrier.lookUp(dialRef, call.provider_call_id),
    ).catch((error: unknown) => {
      const timeoutMs = call.status === 'connected' ? STREAM_OPENING_TIMEOUT_MS : LONGEST_RING_MS;
      const seenForMs = clock.monotonicMs() - (this.#seenAtMs.get(call.id) ?? clock.monotonicMs());
      if (clock.wallMs() - call.updated_at < timeoutMs && seenForMs < timeoutMs) throw error;
      return { found: false };
    });
  }

  /** Ends a call; null when another process has it by now, or when it has changed since it was read. */
  async #end(call: CallRow, when: { endedAt?: number } = {}): Promise<'ended' | null> {
    const precondition = { nodeId: call.node_id, updatedAt: call.updated_at };
    const ended = await this.#parts.endings.endIf(call.id, precondition, 'server_crash', when);
    if (!ended) return null;
    this.#tasks.begin(`hanging up ${call.id}`, () => hangUp(ended, this.#parts));
    return 'ended';
  }

  /** When the call ended: the recording shows best how long the talk lasted. */
  async #endOf({ call, recording }: Orphan): Promise<{ endedAt: number }> {
    if (!recording) return { endedAt: call.updated_at };
    const { recordingsDir, repair } = this.#parts;
    const { fileName, createdAt, storedMs } = recording;
    const file = await repair(join(recordingsDir, fileName)).catch(() => null);
    if (file) return { endedAt: createdAt + file.durationMs };
    return { endedAt: Math.max(call.updated_at, createdAt + storedMs) };
  }
}
