import type { ModuleContext } from '#store/module-context.js';
import type { WarmTransfer as WarmWish } from '#dialogue/dialogue-manager.js';
import { withTimeout } from '#kernel/time/with-timeout.js';
import { retryWhileUnavailable } from '#kernel/work/retry-while-unavailable.js';
import type { LiveSession } from '#calls/live/sessions/live-session.js';
import { talkTransactions } from '#calls/talk/talk-store.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import type { LifeCycleType } from '#calls/record/life-cycle-log.js';
import {
  transferMove,
  type TransferAction,
  type TransferEvent,
  type TransferState,
} from './transfer-machine.js';
import { transferTransactions } from './transfer-store.js';

/** The time for dialling and connecting, in addition to the ringing. */
const CONNECTING_MS = 20_000;
/** How long a person may take to decide about the caller. */
const OFFER_MS = 60_000;
/** How often the database is checked for an end of the person's call that another process has written. */
const POLL_EVERY_MS = 2_000;
/** The timeout of the briefing; without one, the person hears only that a caller is waiting. */
const BRIEFING_TIMEOUT_MS = 4_000;

/** The dependencies of {@link WarmTransfer}. */
export interface WarmTransferParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  /** Creates the call to the person; false when the caller's call is ending. */
  begin(): Promise<boolean>;
  /** Ends the call to the person in any status. Never fails. */
  hangUp(): Promise<void>;
  /** Passes the audio of the lines to each other. */
  connect(caller: LiveSession, leg: LiveSession): void;
}

/** A warm transfer: the number (E.164) to call, the options, and the id of the call to that number. */
export interface WarmTransferOfCall {
  to: string;
  warm: WarmWish;
  legId: string;
}

/**
 * One warm transfer of a caller to a person, by the table of `transfer-machine.ts`. It is not stored: it lives in the
 * process with the caller's audio. If that process dies, the call to the person is not dialled, or is hung up when the
 * person answers. `WarmTransfers` creates it.
 */
export class WarmTransfer {
  readonly #caller: LiveSession;
  readonly #wish: WarmTransferOfCall;
  readonly #parts: WarmTransferParts;
  #state: TransferState = 'calling';
  /** The session of the person's call, once the person takes the caller. */
  #leg: LiveSession | null = null;
  /** Why the transfer failed, for the log of the call: the first reason counts. */
  #failureReason: EndedReason | 'not_taken' | 'too_late' | null = null;
  /** Stops the time limit of the current state, and the polling. */
  #stopTimers = () => {};
  /** The briefing for the person, which is written while the phone rings; null without one. */
  readonly #briefing: Promise<string | null>;
  #settle!: (isJoined: boolean) => void;
  /** True when the two lines were joined, false when the transfer failed. */
  readonly settled: Promise<boolean>;
  /** Resolves when the state is `over`. */
  readonly over: Promise<void>;
  #finish!: () => void;

  /** Begins the transfer. @param signal aborted when the agent or an operator takes the caller back */
  constructor(caller: LiveSession, wish: WarmTransferOfCall, signal: AbortSignal, parts: WarmTransferParts) {
    this.#caller = caller;
    this.#wish = wish;
    this.#parts = parts;
    this.settled = new Promise((resolve) => (this.#settle = resolve));
    this.over = new Promise((resolve) => (this.#finish = resolve));
    this.#briefing = this.#brief(signal);
    signal.addEventListener('abort', () => this.#apply('taken_back'), { once: true });
    caller.onOver(() => this.#apply('taken_back'));
    this.#limit(wish.warm.ringSeconds * 1_000 + CONNECTING_MS);
    caller.announceTransfer(wish.to, 'asked', wish.legId);
    void this.#begin();
  }

  /**
   * Handles that the person has picked up. Returns the briefing for the person, or null when the transfer is over.
   */
  async pickedUp(): Promise<{ briefing: string | null } | null> {
    this.#apply('picked_up');
    if (this.#state !== 'offering') return null;
    const briefing = await this.#briefing;
    return this.#state === 'offering' ? { briefing } : null;
  }

  /** Joins the lines, as the person takes the caller; false when the caller is gone. */
  accepted(leg: LiveSession): boolean {
    this.#leg = leg;
    this.#apply('accepted');
    return this.#state === 'joined';
  }

  /** Handles the end of the person's call. */
  legEnded(reason: EndedReason): void {
    this.#failureReason ??= reason;
    this.#apply('leg_ended');
  }

  /** Creates the call to the person; a failure counts as the end of that call. */
  async #begin(): Promise<void> {
    const isBegun = await this.#parts.begin().catch((error: unknown) => {
      this.#parts.log.error({ err: error, call_id: this.#caller.callId }, 'a warm transfer was not begun');
      return false;
    });
    if (!isBegun) return this.#apply('leg_ended');
    // The caller was taken back while the call was being created.
    if (this.#state === 'over') await this.#parts.hangUp();
  }

  /** Makes the move for an event, if the current state has one: changes the state, then performs the action. */
  #apply(event: TransferEvent): void {
    const move = transferMove(this.#state, event);
    if (!move) return;
    this.#state = move.to;
    this.#actions[move.action]();
    if (move.to !== 'over') return;
    this.#stopTimers();
    // No effect after the lines were joined.
    this.#settle(false);
    this.#finish();
  }

  readonly #actions: Readonly<Record<TransferAction, () => void>> = {
    offer: () => this.#limit(OFFER_MS),
    join: () => this.#join(),
    give_back: () => this.#announceFailure(),
    withdraw: () => {
      this.#failureReason ??= 'too_late';
      this.#announceFailure();
      void this.#parts.hangUp();
    },
    hang_up: () => void this.#parts.hangUp(),
    part: () => {
      // `stay`: the agent stays on the line after the person has left.
      if (this.#wish.warm.stay) this.#caller.otherLineLeft();
      else this.#caller.end('other_leg_ended');
    },
  };

  /** Joins the two lines; if the caller's conversation refuses, for example because it ends, the transfer is over. */
  #join(): void {
    this.#stopTimers();
    const leg = this.#leg!;
    if (!this.#caller.steering.join()) return this.#apply('taken_back');
    leg.steering.join();
    this.#parts.connect(this.#caller, leg);
    leg.onOver(() => this.#apply('leg_ended'));
    const { to, legId } = this.#wish;
    this.#caller.announceTransfer(to, 'done', legId);
    this.#note('transfer_joined', { to, leg_call_id: legId });
    this.#settle(true);
  }

  /** Reports that the transfer has failed; the conversation tells the caller. */
  #announceFailure(): void {
    const { to, legId } = this.#wish;
    this.#caller.announceTransfer(to, 'failed', legId);
    this.#note('transfer_failed', { to, leg_call_id: legId, error: this.#failureReason ?? 'not_taken' });
  }

  /** Adds an entry to the log of the caller's call, in the background. */
  #note(type: LifeCycleType, data: Record<string, unknown>): void {
    const { store, clock, log } = this.#parts;
    const { callId } = this.#caller;
    const note = { callId, type, at: clock.wallMs(), data };
    void retryWhileUnavailable(clock, () => store.write(talkTransactions.noteOnce, note)).catch(
      (error: unknown) => log.error({ err: error, call_id: callId }, 'a transfer was not noted'),
    );
  }

  /** Limits how long the caller waits in the current state, and polls for the end of the person's call meanwhile. */
  #limit(limitMs: number): void {
    this.#stopTimers();
    const { clock } = this.#parts;
    const cancel = clock.after(limitMs, () => this.#apply('too_late'));
    const stopPolling = this.#pollLegEnd();
    this.#stopTimers = () => {
      cancel();
      stopPolling();
    };
  }

  /** Polls for the end of the person's call, which another process may write without a notification. */
  #pollLegEnd(): () => void {
    const { store, clock } = this.#parts;
    let cancel = () => {};
    const poll = (): void => {
      cancel = clock.after(POLL_EVERY_MS, () => {
        poll();
        const found = store.read(transferTransactions.endOf, { callId: this.#wish.legId });
        found.then((reason) => reason && this.legEnded(reason)).catch(() => {});
      });
    };
    poll();
    return () => cancel();
  }

  /** The briefing: as an operator has written it, else a summary of the talk by the language model. */
  async #brief(signal: AbortSignal): Promise<string | null> {
    const { warm } = this.#wish;
    if (warm.briefing !== null) return warm.briefing;
    const { clock } = this.#parts;
    const summary = this.#caller.sumUp(signal).catch(() => null);
    return withTimeout(summary, { clock, limitMs: BRIEFING_TIMEOUT_MS, onTimeout: () => null });
  }
}
