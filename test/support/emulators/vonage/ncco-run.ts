import type { NccoAction } from './ncco.js';

type Connect = Extract<NccoAction, { action: 'connect' }>;

/** What the actions of an NCCO can do with their call. */
export interface CallMeans {
  talk(text: string, signal: AbortSignal): Promise<void>;
  /** Resolves at the socket's end, with the NCCO that replaces the running one, or null. */
  socket(connect: Connect, signal: AbortSignal): Promise<readonly NccoAction[] | null>;
  /** Resolves when the second leg is over. */
  phone(connect: Connect, signal: AbortSignal): Promise<void>;
}

/** Executes an NCCO to its end; returns the NCCO to continue with instead, or null. */
export async function runNcco(
  actions: readonly NccoAction[],
  means: CallMeans,
  signal: AbortSignal,
): Promise<readonly NccoAction[] | null> {
  for (const action of actions) {
    if (signal.aborted) return null;
    if (action.action === 'talk') {
      await means.talk(action.text, signal);
    } else if (action.endpoint[0].type === 'phone') {
      await means.phone(action, signal);
    } else {
      const replacement = await means.socket(action, signal);
      if (replacement) return replacement;
    }
  }
  return null;
}
