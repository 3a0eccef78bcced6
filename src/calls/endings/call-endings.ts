import type { ModuleContext } from '#store/module-context.js';
import { agreedCallBack, type CallBacks } from './call-backs.js';
import type { CallRow } from '#calls/record/call.js';
import { endingTransactions, type EndPrecondition } from './ending-store.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import type { FinishDetails } from './finish-call.js';
import type { TxContexts } from './tx-contexts.js';
import type { Slots } from '#calls/lines/slots.js';

/** The statuses of calls that are being answered, or were answered, and have no audio yet. */
const AWAIT_STREAM: readonly CallRow['status'][] = ['initiated', 'connected'];

export interface CallEndingsParts extends Pick<ModuleContext, 'store' | 'clock'> {
  txContexts: TxContexts;
  slots: Slots;
  callBacks: CallBacks;
  /** Called with every call whose end this process has written: after-call work may be due. */
  onEnd: (call: CallRow) => void;
}

/** Writes the one end of a call, frees its slot, and wakes the requests that wait for the end. */
export class CallEndings {
  readonly #parts: CallEndingsParts;
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(parts: CallEndingsParts) {
    this.#parts = parts;
  }

  /** Begins the end of a call: its reason is final from now on. {@link end} writes the end itself. */
  async begin(callId: string, reason: EndedReason): Promise<void> {
    await this.#parts.store.write(endingTransactions.begin, {
      callId,
      reason,
      context: this.#parts.txContexts.now(callId),
    });
  }

  /**
   * Stores that the carrier has connected the caller with `to` (E.164). Every later end of the talk makes the call
   * `transferred`.
   */
  async handedOver(callId: string, to: string): Promise<void> {
    const { store, txContexts } = this.#parts;
    await store.write(endingTransactions.handedOver, { callId, to, context: txContexts.now(callId) });
  }

  /**
   * Writes the end of a call. Returns the ended call, or null when there is none; a call that is already over stays as
   * it is.
   */
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
   * Ends a call if a precondition still holds when its end is written: the decision to end it rests on an earlier read.
   * Null when the precondition fails or the call is over: then nothing changes.
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

  /** Ends a call whose audio stream will not come; see {@link endIf}. */
  endUnopened(callId: string): Promise<CallRow | null> {
    return this.endIf(callId, { statuses: AWAIT_STREAM }, 'stream_not_opened');
  }

  /**
   * Ends a call whose audio is not in this process. Another process may have the audio, or be about to, so an active
   * call only enters `ending`; the process with its audio, or the watchdog, writes the end. Returns the call when its
   * end is written.
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

  /**
   * Wakes the requests that wait for the end of a call, also for ends that were written elsewhere. Null: no end was
   * written.
   */
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

  /** Frees the slot of a call whose end was written, and wakes the requests that wait for it. */
  #written(call: CallRow | null): CallRow | null {
    if (call) this.#parts.slots.release(call.id);
    this.tell(call);
    return call;
  }
}
