import { sleep, type Clock } from '../../kernel/time/clock.js';
import type { Log } from '../../kernel/log/log.js';
import type { ConversationOptions } from '../talk/conversation.js';
import { within } from '../talk/within.js';
import { unplayedMs } from './unplayed.js';

/** A caller who hears nothing for longer than this is better told that it cannot be done. */
const PATIENCE_MS = 15_000;

export interface ConnectParts extends Pick<ConversationOptions, 'line' | 'transfer'> {
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  /** They have heard all words: whoever connects them may take the sound away before it has answered. */
  onHeard(): void;
}

/** Asks for the caller to be connected with `to`, once they have heard all words; whether they are. Never fails. */
export async function connect(to: string, parts: ConnectParts): Promise<boolean> {
  const { line, transfer, clock, log, signal } = parts;
  if (!transfer) return false;
  const waitMs = unplayedMs(line);
  if (waitMs > 0) await sleep(clock, waitMs, signal);
  if (signal.aborted) return false;
  parts.onHeard();
  try {
    return await within(transfer(to), { clock, limitMs: PATIENCE_MS, signal, what: 'a transfer' });
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'a transfer failed');
    return false;
  }
}
