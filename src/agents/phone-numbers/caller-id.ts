import { fieldProblem } from '#kernel/errors/errors.js';
import type { Store } from '#store/store.js';
import { defineTransactions, type Tx } from '#store/transaction.js';

/** A caller id that a workspace wants to use (E.164). */
export interface WantedCallerId {
  workspace: string;
  phoneNumber: string;
}

/** Whether another workspace has registered a number: calls with it would look like calls of that workspace. */
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
 * Refuses a caller id that another workspace has registered; the operator's default caller id is open to all. A number
 * may be registered after the request, so the dialler checks again. `field` is the request's name for the number;
 * `phoneNumber` is null or undefined when the request names none.
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
