import type { Clock } from '#kernel/time/clock.js';
import type { Store } from '#store/store.js';
import { agreedCallBack, type CallBacks } from './call-backs.js';
import type { CallRow } from '#calls/record/call.js';
import { endingTransactions, type EndPrecondition } from './ending-store.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import type { FinishDetails } from './finish-call.js';
import type { TxContexts } from './tx-contexts.js';
import type { Slots } from '#calls/lines/slots.js';

/** Where calls stand that somebody answers, or has answered, and that have no sound yet. */
const AWAIT_STREAM: readonly CallRow['status'][] = ['initiated', 'connected'];

export interface CallEndingsParts {
  store: Store;
  clock: Clock;
  txContexts: TxContexts;
  slots: Slots;
  callBacks: CallBacks;
  /** Told of every end that was written here: there may be after-call work now. */
  onEnd: (call: CallRow) => void;
}

/** Writes the one end of a call, frees what it held, and wakes whoever waits for it. */
export class CallEndings {
  readonly #parts: CallEndingsParts;
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(parts: CallEndingsParts) {
    this.#parts = parts;
  }

  /** The call begins to end: from now on its reason stands. The end itself is written by {@link end}. */
  async begin(callId: string, reason: EndedReason): Promise<void> {
    await this.#parts.store.write(endingTransactions.begin, {
      callId,
      reason,
      context: this.#parts.txContexts.now(callId),
    });
  }

  /** The carrier has connected the caller with `to` (E.164): whatever ends the talk now, the call is transferred. */
  async handedOver(callId: string, to: string): Promise<void> {
    const { store, txContexts } = this.#parts;
    await store.write(endingTransactions.handedOver, { callId, to, context: txContexts.now(callId) });
  }

  /** The call is over. Returns it as it is then, or null when there is none; an ended call stays as it is. */
  async end(callId: string, reason: EndedReason, more?: Partial<FinishDetails>): Promise<CallRow | null> {
    const { store, txContexts, slots, callBacks } = this.#parts;
    const args = { callId, details: txContexts.finish(callId, reason, more) };
    const agreed = agreedCallBack(more?.talk);
    const call = agreed
      ? await callBacks.finish(args, agreed)
      : await store.write(endingTransactions.finish, args);
    slots.release(callId);
    this.tell(call);
    return call;
  }

  /**
   * Ends a call of which something must still be true when its end is written: whoever has judged it has looked a while
   * ago. Null when it is not, or the call is over: then nothing is done.
   */
  async endIf(
    callId: string,
    precondition: EndPrecondition,
    reason: EndedReason,
    more?: Partial<FinishDetails>,
  ): Promise<CallRow | null> {
    const { store, txContexts } = this.#parts;
    const details = txContexts.finish(callId, reason, more);
    return this.#written(await store.write(endingTransactions.finishIf, { callId, precondition, details }));
  }

  /** Ends a call that waits for a stream that will not come; as {@link endIf}. */
  endUnopened(callId: string): Promise<CallRow | null> {
    return this.endIf(callId, { statuses: AWAIT_STREAM }, 'stream_not_opened');
  }

  /**
   * Ends a call whose audio is not here. Another process may have it, or be about to: a call that is active only begins
   * to end, and whoever has its audio (or the watchdog) ends it. Returns the call when its end is written.
   */
  async endWithoutAudio(
    callId: string,
    reason: EndedReason,
    more?: Partial<FinishDetails>,
  ): Promise<CallRow | null> {
    const { store, txContexts } = this.#parts;
    const details = txContexts.finish(callId, reason, more);
    return this.#written(await store.write(endingTransactions.finishWithoutAudio, { callId, details }));
  }

  /** Wakes whoever waits for the end of a call; for ends that were written elsewhere. Null: none was. */
  tell(call: CallRow | null): void {
    if (!call) return;
    this.#parts.onEnd(call);
    for (const wake of this.#waiting.get(call.id) ?? []) wake();
  }

  /** Resolves when the call's end is written in this process, at the latest after `timeoutMs`. */
  wait(callId: string, timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(callId) ?? new Set();
      this.#waiting.set(callId, waiting);
      const done = () => {
        cancel();
        waiting.delete(done);
        if (waiting.size === 0) this.#waiting.delete(callId);
        resolve();
      };
      const cancel = this.#parts.clock.after(timeoutMs, done);
      waiting.add(done);
    });
  }

  /** The end of a call, if it was written: its slot is free, and whoever waits is told. */
  #written(call: CallRow | null): CallRow | null {
    if (call) this.#parts.slots.release(call.id);
    this.tell(call);
    return call;
  }
}
