import type { Principal } from '#access/keys/principal.js';
import { batchTxContext } from '#batches/record/batch-progress.js';
import type {
  HandleContext,
  FollowUp,
  HandleChange,
} from '#batches/scheduled-calls/handles/handle-change.js';
import { queuedCallTransactions } from '#batches/scheduled-calls/single-calls/queued-call-store.js';
import { recipientChangeTransactions } from '#batches/scheduled-calls/recipients/recipient-change-store.js';
import { latestOf, type ScheduledCall } from '#batches/scheduled-calls/handles/scheduled-call.js';

/** Commands on recipients of batches and on single calls, by their handles. */
export class CallHandles {
  readonly #parts: HandleContext;

  constructor(parts: HandleContext) {
    this.#parts = parts;
  }

  /**
   * Changes a recipient (`member`) or a single call. A call that the change ends is hung up.
   * @throws Problem `invalid_state`, `validation_error`
   */
  async update(
    principal: Principal,
    { call, member }: ScheduledCall,
    change: HandleChange,
    at: number,
  ): Promise<void> {
    const { store, ids, txContexts, settings, wakeDispatcher, wakeDialler } = this.#parts;
    const { rules } = settings;
    const followUp = member
      ? await store.write(recipientChangeTransactions.change, {
          batchId: member.batch.id,
          callId: call.id,
          change,
          rules,
          ...this.#txContexts(member.recipient.last_call_id, at),
        })
      : await store.write(queuedCallTransactions.change, {
          callId: call.id,
          ids: { callId: ids.next('call'), dialId: ids.next('dial') },
          context: { ...txContexts.unannounced(), at },
          change,
          rules,
        });
    await this.#finish(principal, followUp);
    wakeDispatcher(change.time?.at ?? at);
    wakeDialler(change.time?.at ?? at);
  }

  /** Deletes a handle: a waiting call is cancelled, a live one is hung up. */
  async remove(principal: Principal, scheduled: ScheduledCall): Promise<void> {
    const { store, clock, wakeDispatcher } = this.#parts;
    const { call, member } = scheduled;
    const at = clock.wallMs();
    const followUp = member
      ? await store.write(recipientChangeTransactions.remove, {
          batchId: member.batch.id,
          callId: call.id,
          ...this.#txContexts(member.recipient.last_call_id, at),
        })
      : await this.#removeSingle(scheduled);
    await this.#finish(principal, followUp);
    wakeDispatcher(at);
  }

  async #removeSingle(scheduled: ScheduledCall): Promise<FollowUp> {
    const { store, txContexts, tellEnd } = this.#parts;
    const { id: of } = latestOf(scheduled);
    const finish = txContexts.finish(of, 'cancelled');
    const { ended, hangUp } = await store.write(queuedCallTransactions.remove, {
      callId: scheduled.call.id,
      of,
      finish,
    });
    if (ended) tellEnd(ended);
    return { hangUp };
  }

  /** The contexts of a change to a recipient: of its batch, of the batch's end, and of its call. */
  #txContexts(callId: string, at: number) {
    const { ids, txContexts } = this.#parts;
    const [context, endContext] = [batchTxContext(ids, at), batchTxContext(ids, at)];
    return { context, endContext, callContext: { ...txContexts.now(callId), at } };
  }

  async #finish(principal: Principal, { hangUp }: FollowUp): Promise<void> {
    if (hangUp !== null) await this.#parts.calls.disconnect(principal, hangUp);
  }
}
