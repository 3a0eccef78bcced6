import { z } from 'zod';
import { jsonColumn } from '#store/statements/columns.js';
import { placeholders } from '#store/statements/placeholders.js';
import type { SqlValue, Tx } from '#store/transaction.js';
import { Finding, REFUSAL_REASONS, VERDICTS } from '#policy/deciding/decision.js';
import { COMPLIANCE_MODES } from '#policy/deciding/policy-rules.js';

// The rows of the policy's log of decisions (table `number_decisions`), which attempt caps count: their schema, and the
// statements that add and delete them inside other transactions.

/**
 * When the policy decides: as a call is accepted, and right before it is dialled. A refusal of a waiting call whose
 * number was suppressed meanwhile is recorded as `accepted`.
 */
export const MOMENTS = ['accepted', 'dialling'] as const;
export type PolicyMoment = (typeof MOMENTS)[number];

/** A row of `number_decisions`, the log of decisions by number; instants are epoch milliseconds. */
export const DecisionRow = z.object({
  workspace: z.string(),
  phone_number: z.string(),
  decided_at: z.int(),
  subject_id: z.string(),
  moment: z.enum(MOMENTS),
  call_id: z.string().nullable(),
  mode: z.enum(COMPLIANCE_MODES),
  verdict: z.enum(VERDICTS),
  reason: z.enum(REFUSAL_REASONS).nullable(),
  until_at: z.int().nullable(),
  findings: jsonColumn(z.array(Finding)).nullable(),
});
export type DecisionRow = z.infer<typeof DecisionRow>;

/** A decision to store: a value for each column, in the order of the columns. */
export type DecisionColumns = Readonly<Record<string, SqlValue>>;

const COLUMNS = Object.keys(DecisionRow.shape);
/** The primary key. */
export const DECISION_KEY = ['workspace', 'phone_number', 'decided_at', 'subject_id'];
const INSERT_ONE = insertSql(1);

/** Stores a decision. A second decision about the same subject in the same millisecond replaces the first. */
export function insertDecision(tx: Tx, row: DecisionColumns): void {
  tx.post(INSERT_ONE, ...Object.values(row));
}

/** Like {@link insertDecision}, for up to a few hundred rows, each about another subject. */
export function insertDecisions(tx: Tx, rows: readonly DecisionColumns[]): void {
  if (rows.length > 0) tx.post(insertSql(rows.length), ...rows.flatMap((row) => Object.values(row)));
}

/** The statement that inserts this many rows. */
function insertSql(count: number): string {
  const values = Array.from({ length: count }, () => `(${placeholders(COLUMNS)})`).join(', ');
  const changes = COLUMNS.filter((column) => !DECISION_KEY.includes(column));
  return `insert into number_decisions (${COLUMNS.join(', ')}) values ${values}
    on conflict (${DECISION_KEY.join(', ')}) do update set
    ${changes.map((column) => `${column} = excluded.${column}`).join(', ')}`;
}

/** Deletes one decision. */
export function removeDecision(
  tx: Tx,
  key: { workspace: string; phoneNumber: string; subjectId: string; decidedAt: number },
): void {
  tx.post(
    `delete from number_decisions
     where workspace = ? and phone_number = ? and decided_at = ? and subject_id = ?`,
    key.workspace,
    key.phoneNumber,
    key.decidedAt,
    key.subjectId,
  );
}

/** Deletes the decision of an attempt that was allowed but not made, so that caps do not count it. */
export async function removeAttemptDecision(
  tx: Tx,
  args: { workspace: string; phoneNumber: string; subjectId: string },
): Promise<void> {
  await tx.run(
    `delete from number_decisions
     where workspace = ? and phone_number = ? and subject_id = ? and moment = 'dialling' and verdict = 'dial'`,
    args.workspace,
    args.phoneNumber,
    args.subjectId,
  );
}

/**
 * Erases a call from the log of decisions: deletes the decisions about its acceptance, and removes its id from the
 * other decisions and from the suppressions of its number. Attempts still count for caps, and suppressions stay.
 */
export async function forgetCall(
  tx: Tx,
  args: { workspace: string; phoneNumber: string; callId: string },
): Promise<void> {
  const ofCall = [args.workspace, args.phoneNumber, args.callId];
  await tx.run(
    `delete from number_decisions
     where workspace = ? and phone_number = ? and call_id = ? and moment = 'accepted'`,
    ...ofCall,
  );
  for (const table of ['number_decisions', 'suppressions']) {
    await tx.run(
      `update ${table} set call_id = null where workspace = ? and phone_number = ? and call_id = ?`,
      ...ofCall,
    );
  }
}
