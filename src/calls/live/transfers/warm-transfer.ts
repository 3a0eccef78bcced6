import type { ModuleContext } from '#store/module-context.js';
import type { WarmTransfer as WarmWish } from '#dialogue/dialogue-manager.js';
import { withTimeout } from '#kernel/time/with-timeout.js';
import { retryWhileUnavailable } from '#kernel/work/retry-while-unavailable.js';
import type { LiveSession } from '#calls/live/sessions/live-session.js';
import { talkTransactions } from '#calls/talk/talk-store.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import {
  transferMove,
  type TransferAction,
  type TransferEvent,
  type TransferState,
} from './transfer-machine.js';
import { transferTransactions } from './transfer-store.js';

/** The time for dialling and reaching the network, in addition to the ringing. */
const REACHING_MS = 20_000;
/** How long a person may take to decide about the caller. */
const OFFER_MS = 60_000;
/** How often the database is checked for an end of the person's call that another process has written. */
const LOOK_EVERY_MS = 2_000;
/** The timeout of the briefing; without one, the person hears only that a caller is waiting. */
const BRIEFING_TIMEOUT_MS = 4_000;

export interface WarmTransferParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  /** Creates the call to the person; false when the caller's call is ending. */
  begin(): Promise<boolean>;
  /** Ends the call to the person in any status. Never fails. */
  hangUp(): Promise<void>;
  /** Passes the audio of the lines to each other. */
  connect(caller: LiveSession, leg: LiveSession): void;
}

/** The number (E.164) that a caller is transferred to, and the id of the call to it. */
export interface WarmWishOfCall {
  to: string;
  warm: WarmWish;
  legId: string;
}

/**
 * One warm transfer, by the table of `transfer-machine.ts`. It is not stored: it lives in the process with the caller's
 * line. When the caller is gone, the call to the person is not dialled, or is hung up by the process that has it.
 */
export class WarmTransfer {
  readonly #caller: LiveSession;
  readonly #wish: WarmWishOfCall;
  readonly #parts: WarmTransferParts;
  #state: TransferState = 'calling';
  #leg: LiveSession | null = null;
  #why: EndedReason | 'not_taken' | 'too_late' | null = null;
  #stopTimers = () => {};
  readonly #briefing: Promise<string | null>;
  #settle!: (isJoined: boolean) => void;
  /** True when the two lines were joined, false when the transfer failed. */
  readonly settled: Promise<boolean>;
  /** Resolves when there is nothing left to do. */
  readonly over: Promise<void>;
  #finish!: () => void;

  constructor(caller: LiveSession, wish: WarmWishOfCall, signal: AbortSignal, parts: WarmTransferParts) {
    this.#caller = caller;
    this.#wish = wish;
    this.#parts = parts;
    this.settled = new Promise((resolve) => (this.#settle = resolve));
    this.over = new Promise((resolve) => (this.#finish = resolve));
    this.#briefing = this.#brief(signal);
    signal.addEventListener('abort', () => this.#take('taken_back'), { once: true });
    caller.onOver(() => this.#take('taken_back'));
    this.#limit(wish.warm.ringSeconds * 1_000 + REACHING_MS);
    caller.tellTransfer(wish.to, 'asked', wish.legId);
    void this.#begin();
  }

  /**
   * The person has picked up. Returns the person's briefing; null when the transfer does not wait for the person any
   * more.
   */
  async pickedUp(): Promise<{ briefing: string | null } | null> {
    this.#take('picked_up');
    if (this.#state !== 'offering') return null;
    const briefing = await this.#briefing;
    return this.#state === 'offering' ? { briefing } : null;
  }

  /** The person takes the caller; false when the caller is gone. */
  accepted(leg: LiveSession): boolean {
    this.#leg = leg;
    this.#take('accepted');
    return this.#state === 'joined';
  }

  /** The person's call is over. */
  legEnded(reason: EndedReason): void {
    this.#why ??= reason;
    this.#take('leg_ended');
  }

  async #begin(): Promise<void> {
    const isBegun = await this.#parts.begin().catch((error: unknown) => {
      this.#parts.log.error({ err: error, call_id: this.#caller.callId }, 'a warm transfer was not begun');
      return false;
    });
    if (!isBegun) return this.#take('leg_ended');
    // The caller was taken back while the call was being created.
    if (this.#state === 'over') await this.#parts.hangUp();
  }

  #take(event: TransferEvent): void {
    const move = transferMove(this.#state, event);
    if (!move) return;
    this.#state = move.to;
    this.#actions[move.action]();
    if (move.to !== 'over') return;
    this.#stopTimers();
    this.#settle(false);
    this.#finish();
  }

  readonly #actions: Readonly<Record<TransferAction, () => void>> = {
    offer: () => this.#limit(OFFER_MS),
    join: () => this.#join(),
    give_back: () => this.#failed(),
    withdraw: () => {
      this.#why ??= 'too_late';
      this.#failed();
      void this.#parts.hangUp();
    },
    hang_up: () => void this.#parts.hangUp(),
    part: () => {
      if (this.#wish.warm.stay) this.#caller.part();
      else this.#caller.end('other_leg_ended');
    },
  };

  #join(): void {
    this.#stopTimers();
    const leg = this.#leg!;
    if (!this.#caller.steering.join()) return this.#take('taken_back');
    leg.steering.join();
    this.#parts.connect(this.#caller, leg);
    leg.onOver(() => this.#take('leg_ended'));
    const { to, legId } = this.#wish;
    this.#caller.tellTransfer(to, 'done', legId);
    this.#note('transfer_joined', { to, leg_call_id: legId });
    this.#settle(true);
  }

  #failed(): void {
    const { to, legId } = this.#wish;
    this.#caller.tellTransfer(to, 'failed', legId);
    this.#note('transfer_failed', { to, leg_call_id: legId, error: this.#why ?? 'not_taken' });
  }

  #note(type: string, data: Record<string, unknown>): void {
    const { store, clock, log } = this.#parts;
    const { callId } = this.#caller;
    const note = { callId, type, at: clock.wallMs(), data };
    void retryWhileUnavailable(clock, () => store.write(talkTransactions.note, note)).catch(
      (error: unknown) => log.error({ err: error, call_id: callId }, 'a transfer was not noted'),
    );
  }

  /** Limits how long the caller waits in the present state. The state of the person's call does not extend it. */
  #limit(limitMs: number): void {
    this.#stopTimers();
    const { clock } = this.#parts;
    const cancel = clock.after(limitMs, () => this.#take('too_late'));
    const stopLooking = this.#lookAgain();
    this.#stopTimers = () => {
      cancel();
      stopLooking();
    };
  }

  /** Checks for the end of the person's call: another process that writes it does not notify this one. */
  #lookAgain(): () => void {
    const { store, clock } = this.#parts;
    let cancel = () => {};
    const look = (): void => {
      cancel = clock.after(LOOK_EVERY_MS, () => {
        look();
        const found = store.read(transferTransactions.endOf, { callId: this.#wish.legId });
        found.then((reason) => reason && this.legEnded(reason)).catch(() => {});
      });
    };
    look();
    return () => cancel();
  }

  async #brief(signal: AbortSignal): Promise<string | null> {
    const { warm } = this.#wish;
    if (warm.briefing !== null) return warm.briefing;
    const { clock } = this.#parts;
    const summary = this.#caller.sumUp(signal).catch(() => null);
    return withTimeout(summary, { clock, limitMs: BRIEFING_TIMEOUT_MS, onTimeout: () => null });
  }
}
