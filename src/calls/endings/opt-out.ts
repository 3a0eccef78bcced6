import type { Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';
import { suppressionTransactions } from '#policy/suppressions/suppression-store.js';
import type { Store } from '#store/store.js';
import type { SuppressionEnforcer } from './suppression-enforcer.js';
import type { CallRow } from '#calls/record/call.js';

/**
 * Handles a person's request, in a talk, not to be called again: puts their number on the suppression list, and ends
 * waiting calls to it. The entry is durable when this resolves. `LiveSession` calls it before it hangs up.
 */
export async function storeOptOut(
  call: CallRow,
  parts: { store: Store; clock: Clock; ids: Ids; suppressionEnforcer: SuppressionEnforcer },
): Promise<void> {
  const phoneNumber = call.direction === 'outbound' ? call.to_phone : call.from_phone;
  // A call over a client's own stream has no number.
  if (phoneNumber === '') return;
  const { store, clock, ids, suppressionEnforcer } = parts;
  const { workspace } = call;
  const entry = {
    id: ids.next('sup'),
    workspace,
    phoneNumber,
    callId: call.id,
    at: clock.wallMs(),
    reason: 'opt_out' as const,
    source: 'call' as const,
    note: null,
    expiresAt: null,
  };
  await store.write(suppressionTransactions.add, { entry, kept: null });
  await suppressionEnforcer.enforce({ workspace, phoneNumbers: [phoneNumber] });
}
