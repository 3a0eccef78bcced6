import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { ConversationOptions } from '#conversation/talk/conversation.js';
import { within } from '#conversation/talk/within.js';

/** Timeout of a transfer; afterwards the agent says that the transfer failed. */
const TRANSFER_TIMEOUT_MS = 15_000;

/** The dependencies of {@link transferCaller}. */
export interface BlindTransferParts extends Pick<ConversationOptions, 'transfer'> {
  clock: Clock;
  log: Log;
  signal: AbortSignal;
}

/**
 * Transfers the caller to the number `to` (E.164) without talking to the person there first (a blind transfer).
 * Resolves true if the caller has left, false if the transfer failed or is impossible on this line. Never rejects. Used
 * by `LiveConversation` and `RealtimeConversation`.
 */
export async function transferCaller(to: string, parts: BlindTransferParts): Promise<boolean> {
  const { transfer, clock, log, signal } = parts;
  if (!transfer) return false;
  try {
    return await within(transfer(to), { clock, limitMs: TRANSFER_TIMEOUT_MS, signal, name: 'a transfer' });
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'a transfer failed');
    return false;
  }
}
