import type { TxContexts } from '#calls/endings/tx-contexts.js';
import type { Clock } from '#kernel/time/clock.js';
import { Problem } from '#kernel/errors/errors.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import type { Work } from '#kernel/work/loop.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Store } from '#store/store.js';
import { batchLoadTransactions } from '#batches/intake/batch-load-store.js';
import { batchTxContext } from '#batches/record/batch-progress.js';
import type { PickedNumber } from './call-number.js';
import { dispatchTransactions, type DispatchPlan } from './dispatch-store.js';
import { syncTransactions } from './sync-calls.js';
import type { WaitingNumber } from './waiting-numbers.js';

/** The lease of a claimed batch, which is also the delay before the next attempt after a failure. */
const LEASE_MS = 30_000;
/** How many rounds of closing a client waits for: a thousand numbers. */
const MAX_CLOSING_ROUNDS = 10;

/** The dependencies of {@link BatchDispatcher}. */
export interface DispatcherContext {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Log;
  txContexts: TxContexts;
  /** The rules of the policy. */
  rules: PolicyRules;
  wakeDialler(dueAt: number): void;
  /** Runs before every claim; a failure stops the claim. */
  beforeDispatch(): Promise<void>;
}

/** The steps that work on numbers of a batch; see {@link DispatchPlan.todo}. */
type Task = Exclude<DispatchPlan['todo'], 'clear' | 'sync' | 'nothing'>;

/**
 * Runs the batches, as the work of a loop that `BatchService` starts: releases numbers (recipients) to the dialler, a
 * few per batch in turn, up to the batch's concurrency and within its calling window. Copies changes of a batch to its
 * calls, takes queued calls of paused batches back, closes the numbers of finished batches, and deletes batches whose
 * request was abandoned.
 */
export class BatchDispatcher implements Work<string> {
  readonly name = 'batch dispatcher';
  readonly concurrency = 4;
  readonly #parts: DispatcherContext;
  readonly #tasks: Readonly<
    Record<Task, (batchId: string, numbers: readonly WaitingNumber[]) => Promise<void>>
  > = {
    release: (batchId, numbers) => this.#release(batchId, numbers),
    recall: (batchId, numbers) => this.#recall(batchId, numbers),
    sweep: (batchId, numbers) => this.#sweep(batchId, numbers),
  };

  constructor(parts: DispatcherContext) {
    this.#parts = parts;
  }

  /** Claims batches whose next step is due. */
  async claim(limit: number): Promise<string[]> {
    const { store, clock, beforeDispatch } = this.#parts;
    await beforeDispatch();
    const now = clock.wallMs();
    return store.write(dispatchTransactions.claim, { now, leaseUntil: now + LEASE_MS, limit });
  }

  nextDueAt(): Promise<number | null> {
    return this.#parts.store.read(dispatchTransactions.nextDispatchAt, {});
  }

  /** Performs the next step of a batch. */
  async perform(batchId: string): Promise<void> {
    const { store, clock, rules } = this.#parts;
    const now = clock.wallMs();
    const { todo, numbers } = await store.read(dispatchTransactions.planStep, { batchId, now });
    if (todo === 'clear') await store.write(batchLoadTransactions.clear, { batchId, now });
    else if (todo === 'sync') await store.write(syncTransactions.sync, { batchId, at: now, rules });
    else if (todo !== 'nothing') await this.#runTask(todo, batchId, numbers);
  }

  /**
   * Closes the waiting numbers of a cancelled or deleted batch, so that the client sees the result at once. What
   * remains of a large batch, or after a failure, is closed later by the loop. Never rejects.
   */
  async closeOff(batchId: string): Promise<void> {
    const { store, clock, log } = this.#parts;
    try {
      for (let round = 0; round < MAX_CLOSING_ROUNDS; round += 1) {
        const { todo, numbers } = await store.read(dispatchTransactions.planStep, {
          batchId,
          now: clock.wallMs(),
        });
        // Only the first round recalls: calls that remain in the queue are mostly about to be dialled.
        const isClosing = todo === 'sweep' || (todo === 'recall' && round === 0);
        if (!isClosing) return;
        await this.#runTask(todo, batchId, numbers);
      }
    } catch (error) {
      log.warn({ err: error, batch_id: batchId }, 'the numbers of a batch are closed later');
    }
  }

  /**
   * Runs a task on some numbers in one transaction. After a failure, runs the task for each number alone and gives up
   * the numbers that fail.
   */
  async #runTask(task: Task, batchId: string, numbers: readonly WaitingNumber[]): Promise<void> {
    const runOn = this.#tasks[task];
    try {
      await runOn(batchId, numbers);
    } catch (error) {
      // A problem such as an unavailable store says nothing about these numbers.
      if (error instanceof Problem || numbers.length === 0) throw error;
      for (const number of numbers)
        await runOn(batchId, [number]).catch((cause: unknown) => this.#giveUp(batchId, number, cause));
    }
  }

  /** Releases due numbers to the dialler, and wakes it. */
  async #release(batchId: string, numbers: readonly WaitingNumber[]): Promise<void> {
    const { store, clock, rules, wakeDialler } = this.#parts;
    const now = clock.wallMs();
    const picks = numbers.map((number) => this.#pick(number));
    const context = batchTxContext(this.#parts.ids, now);
    const released = await store.write(dispatchTransactions.release, { batchId, picks, rules, context });
    if (released > 0) wakeDialler(now);
  }

  /** Takes numbers of a paused or finished batch out of the queue of the dialler. */
  async #recall(batchId: string, numbers: readonly WaitingNumber[]): Promise<void> {
    const { store, clock } = this.#parts;
    const positions = numbers.map(({ position }) => position);
    await store.write(dispatchTransactions.recall, { batchId, positions, at: clock.wallMs() });
  }

  /** Closes numbers of a cancelled or aborted batch. */
  async #sweep(batchId: string, numbers: readonly WaitingNumber[]): Promise<void> {
    const { store, clock, ids, txContexts } = this.#parts;
    const closings = numbers.map(({ position, lastCallId }) => ({
      position,
      context: txContexts.now(lastCallId),
    }));
    const context = batchTxContext(ids, clock.wallMs());
    await store.write(dispatchTransactions.sweep, { batchId, closings, context });
  }

  /**
   * Gives up a number for which its task fails even alone, as with an unreadable row or call: the number counts as
   * failed (as cancelled in a finished batch), and its call ends.
   */
  async #giveUp(
    batchId: string,
    { position, lastCallId: callId }: WaitingNumber,
    cause: unknown,
  ): Promise<void> {
    if (cause instanceof Problem) throw cause;
    const { store, clock, ids, txContexts, log } = this.#parts;
    log.error({ err: cause, batch_id: batchId, position }, 'an unreadable number of a batch was given up');
    const context = batchTxContext(ids, clock.wallMs());
    await store.write(dispatchTransactions.giveUp, { batchId, position, callId, context });
    await store
      .write(dispatchTransactions.endCall, { callId, context: txContexts.now(callId) })
      .catch((error: unknown) =>
        log.error({ err: error, call_id: callId }, 'the call of an unreadable number could not be ended'),
      );
  }

  /** A number to release, with new ids for its call and its attempt. */
  #pick({ position, lastCallId }: WaitingNumber): PickedNumber {
    const { ids, txContexts } = this.#parts;
    const [callId, dialId] = [ids.next('call'), ids.next('dial')];
    return { position, callId, dialId, context: txContexts.now(lastCallId) };
  }
}
