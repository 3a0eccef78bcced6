import type { ModuleContext } from '#store/module-context.js';
import type { Joining } from '#conversation/talk/conversation.js';
import type { WarmTransfer as WarmWish } from '#dialogue/dialogue-manager.js';
import { retryWhileUnavailable } from '#kernel/work/retry-while-unavailable.js';
import type { Resampling } from '#media/samples/resampler.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import type { CallEndings } from '#calls/endings/call-endings.js';
import type { TxContexts } from '#calls/endings/tx-contexts.js';
import { hangUp } from '#calls/lines/hang-up.js';
import type { LiveSession } from '#calls/live/sessions/live-session.js';
import type { LiveSessions } from '#calls/live/sessions/live-sessions.js';
import type { CallRow } from '#calls/record/call.js';
import { relay } from './relay.js';
import { transferTransactions } from './transfer-store.js';
import { WarmTransfer } from './warm-transfer.js';

/** The dependencies of {@link WarmTransfers}. */
export interface WarmTransfersParts extends Pick<ModuleContext, 'store' | 'clock' | 'ids' | 'log'> {
  carriers: CarrierPool;
  txContexts: TxContexts;
  endings: Pick<CallEndings, 'endWithoutAudio'>;
  sessions: Pick<LiveSessions, 'end'>;
  resampling: Resampling;
  rules: PolicyRules;
  settings: { defaultFromNumber: string };
  /** Wakes the dialler for a call that is due at `dueAt` (epoch milliseconds). */
  wakeDialler(dueAt: number): void;
}

/**
 * The warm transfers of the callers whose audio is in this process: the agent calls a person, and joins the person with
 * the caller if the person agrees. `AudioStreams` connects it with the conversation of each call.
 */
export class WarmTransfers {
  readonly #parts: WarmTransfersParts;
  /** The transfers under way, by the id of the call to the person. */
  readonly #byLeg = new Map<string, WarmTransfer>();

  constructor(parts: WarmTransfersParts) {
    this.#parts = parts;
  }

  /** The port by which the conversation of a call starts a warm transfer, or accepts the caller of one. */
  joiningOf(call: Pick<CallRow, 'id'>, session: () => LiveSession): Joining {
    return {
      call: (to, warm, signal) => this.#begin(session(), { to, warm }, signal),
      accept: async () => this.#byLeg.get(call.id)?.accepted(session()) ?? false,
    };
  }

  /** Handles an answered call to a person. Returns the briefing; null when no caller in this process waits for it. */
  async pickedUp(legId: string): Promise<{ briefing: string | null } | null> {
    return (await this.#byLeg.get(legId)?.pickedUp()) ?? null;
  }

  /** Handles the end of a call that this process has written; only calls to persons of transfers matter. */
  ended({ id, ended_reason: reason }: Pick<CallRow, 'id' | 'ended_reason'>): void {
    if (reason !== null) this.#byLeg.get(id)?.legEnded(reason);
  }

  /** Begins a transfer; resolves with true when the lines are joined, with false when the transfer has failed. */
  async #begin(
    caller: LiveSession,
    wish: { to: string; warm: WarmWish },
    signal: AbortSignal,
  ): Promise<boolean> {
    const { ids, carriers, resampling } = this.#parts;
    if (signal.aborted || !carriers.outbound.traits.joinsLegs) return false;
    const legId = ids.next('call');
    const transfer = new WarmTransfer(caller, { ...wish, legId }, signal, {
      ...this.#parts,
      begin: () => this.#createLeg(caller.callId, { ...wish, legId }),
      hangUp: () => this.#hangUp(legId),
      connect: (first, second) => relay(first, second, resampling),
    });
    this.#byLeg.set(legId, transfer);
    void transfer.over.then(() => this.#byLeg.delete(legId));
    return transfer.settled;
  }

  /** Creates the call to the person, and wakes the dialler. False when the caller's call is ending. */
  async #createLeg(parentId: string, { to, warm, legId }: { to: string; warm: WarmWish; legId: string }) {
    const { store, ids, txContexts, rules, carriers, settings, wakeDialler } = this.#parts;
    const context = txContexts.now(legId);
    const isBegun = await store.write(transferTransactions.begin, {
      id: legId,
      attemptId: ids.next('dial'),
      parentId,
      to,
      defaultFromNumber: settings.defaultFromNumber,
      carrierName: carriers.outbound.name,
      ringSeconds: warm.ringSeconds,
      rules,
      context,
    });
    if (isBegun) wakeDialler(context.at);
    return isBegun;
  }

  /** Ends the person's call, so that the phone does not ring on for a caller who is gone. */
  async #hangUp(legId: string): Promise<void> {
    const { sessions, endings, clock, log } = this.#parts;
    if (sessions.end(legId, 'other_leg_ended')) return;
    const end = () => endings.endWithoutAudio(legId, 'other_leg_ended', { unansweredReason: 'cancelled' });
    try {
      const ended = await retryWhileUnavailable(clock, end);
      if (ended) await hangUp(ended, this.#parts);
    } catch (error) {
      log.error({ err: error, call_id: legId }, 'the call of a transfer that was given up did not end');
    }
  }
}
