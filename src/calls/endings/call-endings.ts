import type { ModuleContext } from '#store/module-context.js';
import { agreedCallBack, type CallBacks } from './call-backs.js';
import type { CallRow } from '#calls/record/call.js';
import { endingTransactions, type EndPrecondition } from './ending-store.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import type { FinishDetails } from './finish-call.js';
import type { TxContexts } from './tx-contexts.js';
import type { Slots } from '#calls/lines/slots.js';

/** The statuses of calls that wait for their audio stream: `initiated` for inbound, `connected` for outbound calls. */
const AWAIT_STREAM: readonly CallRow['status'][] = ['initiated', 'connected'];

/** The dependencies of {@link CallEndings}. */
export interface CallEndingsParts extends Pick<ModuleContext, 'store' | 'clock'> {
  txContexts: TxContexts;
  slots: Slots;
  callBacks: CallBacks;
  /**
   * Called with every call that is over after this process has ended it or tried to: after-call work may be due. May be
   * called again for the same call.
   */
  onEnd: (call: CallRow) => void;
}

/**
 * Writes the one end of a call, frees its slot, and announces the end to the after-call work and to the requests that
 * wait for it. Modules that write an end in their own transaction then call `announce`, and free the slot themselves if
 * the call had one.
 */
export class CallEndings {
  readonly #parts: CallEndingsParts;
  /** The functions that resolve the waits for an end, by call id. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(parts: CallEndingsParts) {
    this.#parts = parts;
  }

  /**
   * Moves an active call to `ending` with its final reason; other calls stay as they are. {@link end} writes the end
   * itself.
   */
  async begin(callId: string, reason: EndedReason): Promise<void> {
    await this.#parts.store.write(endingTransactions.begin, {
      callId,
      reason,
      context: this.#parts.txContexts.now(callId),
    });
  }

  /**
   * Stores that the carrier has connected the caller with `to` (E.164), or is inferred to have. However the talk ends
   * later, the call ends as `transferred`.
   */
  async storeHandover(callId: string, to: string): Promise<void> {
    const { store, txContexts } = this.#parts;
    await store.write(endingTransactions.storeHandover, { callId, to, context: txContexts.now(callId) });
  }

  /**
   * Writes the end of a call, and plans the call-back that was agreed on in its talk. Returns the ended call, or null
   * if the call does not exist; a call that is already over stays as it is.
   * @param overrides details of the end other than the reason, such as the result of the talk
   */
  async end(
    callId: string,
    reason: EndedReason,
    overrides?: Partial<FinishDetails>,
  ): Promise<CallRow | null> {
    const { store, txContexts, slots, callBacks } = this.#parts;
    const args = { callId, details: txContexts.finish(callId, reason, overrides) };
    const agreed = agreedCallBack(overrides?.talk);
    const call = agreed
      ? await callBacks.finish(args, agreed)
      : await store.write(endingTransactions.finish, args);
    slots.release(callId);
    this.announce(call);
    return call;
  }

  /**
   * Ends a call because of facts that were read before (`precondition`), if they still hold when the end is written.
   * Null when they do not, or the call is over: then nothing changes.
   */
  async endIf(
    callId: string,
    precondition: EndPrecondition,
    reason: EndedReason,
    overrides?: Partial<FinishDetails>,
  ): Promise<CallRow | null> {
    const { store, txContexts } = this.#parts;
    const details = txContexts.finish(callId, reason, overrides);
    return this.#afterEnd(await store.write(endingTransactions.finishIf, { callId, precondition, details }));
  }

  /** Ends a call whose audio stream will not open; null if the stream has opened after all, or the call is over. */
  endUnopened(callId: string): Promise<CallRow | null> {
    return this.endIf(callId, { statuses: AWAIT_STREAM }, 'stream_not_opened');
  }

  /**
   * Ends a call whose audio is not in this process. An active call only enters `ending`: another process has its audio,
   * and that process or its watchdog writes the end. Returns the call if it is over; null for a call that was active,
   * or does not exist.
   */
  async endWithoutAudio(
    callId: string,
    reason: EndedReason,
    overrides?: Partial<FinishDetails>,
  ): Promise<CallRow | null> {
    const { store, txContexts } = this.#parts;
    const details = txContexts.finish(callId, reason, overrides);
    return this.#afterEnd(await store.write(endingTransactions.finishWithoutAudio, { callId, details }));
  }

  /**
   * Announces an end that was written, here or by another module's transaction, to the after-call work and to the
   * requests that wait for it. Null, where no end was written, does nothing.
   */
  announce(call: CallRow | null): void {
    if (!call) return;
    this.#parts.onEnd(call);
    for (const wake of this.#waiting.get(call.id) ?? []) wake();
  }

  /** Resolves when the call's end is written in this process, at the latest after `timeoutMs`. */
  waitForEnd(callId: string, timeoutMs: number): Promise<void> {
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

  /**
   * Frees the slot of a call whose end was written, and announces the end. Null, if no end was written, does nothing.
   */
  #afterEnd(call: CallRow | null): CallRow | null {
    if (call) this.#parts.slots.release(call.id);
    this.announce(call);
    return call;
  }
}
