import { LRUCache } from 'lru-cache';
import type { Clock } from '#kernel/time/clock.js';
import { E164 } from '#kernel/input/phone-number.js';
import { CarrierError, type TransferRequest } from '#telephony/port/carrier.js';

/** How many transferred calls are remembered: so many that a call is certainly over before it is forgotten. */
const MAX_REMEMBERED = 10_000;

/**
 * The checks before a request that cannot be taken back: placing or transferring a call. The client of each carrier
 * outside this process has one guard.
 */
export class DialGuard {
  readonly #clock: Clock;
  /** The ids of calls that were transferred. */
  readonly #transferred = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Checks a dial request.
   * @param dial `sendBefore`: the deadline in epoch milliseconds; from then on another process may dial
   * @throws CarrierError `not_dialled` if it is too late, the number is invalid, or the carrier is closed
   */
  requireDialable({ to, sendBefore }: { to: string; sendBefore: number }): void {
    if (this.#isClosed) throw new CarrierError('not_dialled', 'unreachable', 'the carrier is closed');
    if (this.#clock.wallMs() >= sendBefore)
      throw new CarrierError('not_dialled', 'late', 'the time to dial is over');
    requireNumber(to);
  }

  /**
   * Checks a transfer, because carriers accept invalid transfers without reporting the failure.
   * @throws CarrierError `not_dialled` for an invalid number, a missing or invalid caller id (`from`), or a call that
   *   was transferred already
   */
  requireTransferable({ providerCallId, to, from }: TransferRequest): void {
    requireNumber(to);
    // `from` is empty in an inbound call whose called number is unknown.
    if (!E164.test(from)) throw new CarrierError('not_dialled', 'refused', 'a transfer needs a caller id');
    if (this.#transferred.has(providerCallId))
      throw new CarrierError('not_dialled', 'refused', 'the call is handed over already');
  }

  /** Notes that a call was transferred, so that it is not transferred again. */
  markTransferred(providerCallId: string): void {
    this.#transferred.set(providerCallId, true);
  }

  /** Refuses all further dial requests; transfers stay possible. */
  close(): void {
    this.#isClosed = true;
  }
}

/** @throws CarrierError `not_dialled` for a number that is not E.164 */
function requireNumber(number: string): void {
  if (!E164.test(number))
    throw new CarrierError('not_dialled', 'invalid_number', 'the carrier does not call this number');
}
