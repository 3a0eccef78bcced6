import { keepAnswer, type IdempotentAnswer } from '#idempotency/idempotency-store.js';
import { fieldProblem, Problem } from '#kernel/errors/errors.js';
import { anyOf, type CreationFilter } from '#store/statements/conditions.js';
import { newestFirst } from '#store/statements/newest-first.js';
import { insertInto } from '#store/statements/insert.js';
import type { Cursor, Page } from '#store/page.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import { update } from '#store/statements/update.js';
import { requireAgent } from '#agents/definitions/agent-rows.js';
import { withLookupUrl } from '#agents/definitions/lookup.js';
import { PhoneNumberRow } from './phone-number.js';

/** The filters of a list of phone numbers; instants are in epoch milliseconds. */
export interface PhoneNumberFilter extends CreationFilter {
  workspace: string;
  agentId?: readonly string[] | undefined;
}

/** A phone number in the path of a request, named by its id or by the number itself (E.164). */
export interface PhoneNumberKey {
  workspace: string;
  id: string;
  /** Null if the path has no phone number. */
  phoneNumber: string | null;
}

/** The columns that a change may touch. */
export type PhoneNumberChanges = Partial<
  Pick<PhoneNumberRow, 'agent_id' | 'backup_agent_id' | 'provider' | 'label' | 'lookup_url'>
>;

/** The transactions on the table `phone_numbers`, for `createPhoneNumbers`; instants are epoch milliseconds. */
export const phoneNumberTransactions = defineTransactions('phone_numbers', {
  /**
   * Adds a number, and stores the idempotent answer of its request.
   * @throws Problem `already_exists`, also if another workspace has the number; `agent_not_found`
   */
  async create(tx, args: { number: PhoneNumberRow; answer: IdempotentAnswer | null }): Promise<void> {
    const { number } = args;
    await requireAgents(tx, number.workspace, number);
    const onConflict = 'on conflict (phone_number) do nothing';
    const inserted = await insertInto(tx, 'phone_numbers', { ...number }, onConflict);
    if (inserted === 0) throw alreadyExistsProblem();
    if (args.answer) await keepAnswer(tx, args.answer);
  },

  /** One number. @throws Problem `phone_number_not_found` */
  get(tx, args: PhoneNumberKey): Promise<PhoneNumberRow> {
    return requirePhoneNumber(tx, args);
  },

  /** A page of numbers, newest first. */
  async list(
    tx,
    args: { filter: PhoneNumberFilter; cursor: Cursor | null; limit: number },
  ): Promise<Page<PhoneNumberRow>> {
    const { workspace, agentId } = args.filter;
    const conditions = [['workspace = ?', workspace] as const, anyOf('agent_id', agentId)];
    const select = 'select * from phone_numbers';
    return newestFirst(tx, { ...args, select, conditions }, (row) => PhoneNumberRow.parse(row));
  },

  /**
   * Changes a number.
   * @param args.newSecret the lookup secret, if the change brings the first lookup URL
   * @throws Problem `phone_number_not_found`, `agent_not_found`
   */
  async update(
    tx,
    args: PhoneNumberKey & { changes: PhoneNumberChanges; newSecret: string; at: number },
  ): Promise<PhoneNumberRow> {
    const number = await requirePhoneNumber(tx, args, tx.dialect.forUpdate);
    await requireAgents(tx, args.workspace, args.changes);
    const lookup = withLookupUrl(number, args.changes.lookup_url, args.newSecret);
    const columns = { ...args.changes, ...lookup, updated_at: args.at };
    await update(tx, 'phone_numbers', { set: columns, where: { id: number.id } });
    return { ...number, ...columns };
  },

  /** Deletes a number, and returns it. @throws Problem `phone_number_not_found` */
  async remove(tx, args: PhoneNumberKey): Promise<PhoneNumberRow> {
    const number = await requirePhoneNumber(tx, args);
    await tx.run('delete from phone_numbers where id = ?', number.id);
    return number;
  },
});

/**
 * The number of a key.
 * @param lock appended to the query, to lock the row
 * @throws Problem `phone_number_not_found`
 */
async function requirePhoneNumber(tx: Tx, key: PhoneNumberKey, lock = ''): Promise<PhoneNumberRow> {
  const row = await tx.get(
    `select * from phone_numbers where workspace = ? and (id = ? or phone_number = ?)${lock}`,
    key.workspace,
    key.id,
    key.phoneNumber,
  );
  if (!row) throw new Problem('phone_number_not_found', 'There is no phone number with this id.');
  return PhoneNumberRow.parse(row);
}

/** Checks that the agents that a number names exist. @throws Problem `agent_not_found` */
async function requireAgents(tx: Tx, workspace: string, named: PhoneNumberChanges): Promise<void> {
  for (const field of ['agent_id', 'backup_agent_id'] as const) {
    const id = named[field];
    if (id) await requireAgent(tx, workspace, id, field);
  }
}

function alreadyExistsProblem(): Problem {
  return fieldProblem('already_exists', 'phone_number', 'is already in use');
}
