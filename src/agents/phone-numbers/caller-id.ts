import { fieldProblem } from '#kernel/errors/errors.js';
import type { Store } from '#store/store.js';
import { defineTransactions, type Tx } from '#store/transaction.js';

/** A number that a workspace wants to call with (E.164). */
export interface WantedCallerId {
  workspace: string;
  phoneNumber: string;
}

/** Whether a number is registered by another workspace: calls with it would pass for calls of that workspace. */
export async function isForeignCallerId(tx: Tx, wanted: WantedCallerId): Promise<boolean> {
  const row = await tx.get(
    'select workspace from phone_numbers where phone_number = ? and workspace <> ?',
    wanted.phoneNumber,
    wanted.workspace,
  );
  return row !== undefined && row !== null;
}

const callerIdTransactions = defineTransactions('caller_ids', { isForeign: isForeignCallerId });

/**
 * Refuses a caller id that another workspace has registered. The one that the operator has set for all calls is
 * everyone's. A number may be registered later than it is asked for: the dialler looks again before it dials.
 * @param wanted.field what the request calls it; `phoneNumber` is null or undefined where it names none
 * @throws Problem `validation_error`
 */
export async function requireOwnCallerId(
  { store, defaults }: { store: Store; defaults: { fromNumber: string } },
  {
    workspace,
    phoneNumber,
    field,
  }: { workspace: string; phoneNumber: string | null | undefined; field: string },
): Promise<void> {
  if (!phoneNumber || phoneNumber === defaults.fromNumber) return;
  if (!(await store.read(callerIdTransactions.isForeign, { workspace, phoneNumber }))) return;
  throw fieldProblem(
    'validation_error',
    field,
    'is a number that another workspace has registered',
    'not_yours',
  );
}
