import { fieldProblem } from '#kernel/errors/errors.js';
import type { Store } from '#store/store.js';
import { defineTransactions, type Tx } from '#store/transaction.js';

/*
 * A caller id is the number that an outbound call shows. A workspace must not use a number that another workspace has
 * registered. This is checked in requests for calls, batches and schedules, and once more before a call is dialled.
 */

/** A caller id that a workspace wants to use (E.164). */
export interface WantedCallerId {
  workspace: string;
  phoneNumber: string;
}

/** True if another workspace has registered the number: calls with it would look like calls of that workspace. */
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
 * Refuses a request with a caller id that another workspace has registered; the operator's default caller id is open to
 * all. A number may be registered after the request, so the dialler checks again by {@link isForeignCallerId}.
 * @param wanted.phoneNumber null or missing if the request names none
 * @param wanted.field the field of the request, for the error
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
