import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { ConversationOptions } from '#conversation/talk/conversation.js';
import { within } from '#conversation/talk/within.js';

/** Timeout of a transfer: after it the agent says that the transfer failed. */
const TRANSFER_TIMEOUT_MS = 15_000;

export interface ConnectParts extends Pick<ConversationOptions, 'transfer'> {
  clock: Clock;
  log: Log;
  signal: AbortSignal;
}

/** Requests the transfer of the caller to `to`; true if it succeeded. Never rejects. */
export async function connect(to: string, parts: ConnectParts): Promise<boolean> {
  const { transfer, clock, log, signal } = parts;
  if (!transfer) return false;
  try {
    return await within(transfer(to), { clock, limitMs: TRANSFER_TIMEOUT_MS, signal, what: 'a transfer' });
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'a transfer failed');
    return false;
  }
}
