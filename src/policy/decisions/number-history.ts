import { placeholders } from '#store/statements/placeholders.js';
import type { Tx } from '#store/transaction.js';
import type { Question } from '#policy/deciding/decision.js';
import { MAX_CAP_ATTEMPTS, MAX_CAP_HOURS } from '#policy/deciding/policy-rules.js';
import { findSuppression, suppressionTransactions } from '#policy/suppressions/suppression-store.js';
import type { SuppressionRow } from '#policy/suppressions/suppression.js';

const HOUR_MS = 3_600_000;

/**
 * The stored facts about a number for `decide`: its suppression and earlier attempts. Read by `askPolicy`, and by
 * previews of single numbers and of batches. Instants are epoch milliseconds.
 */
export interface NumberHistory {
  suppression: Question['suppression'];
  /** `subjectId` is the call or recipient that the decision was about. */
  attempts: { subjectId: string; at: number }[];
}

/** Whose history to read, and the time of the decision or preview (epoch milliseconds). */
interface HistoryQuery {
  workspace: string;
  phoneNumber: string;
  now: number;
  /** The most attempts to read, newest first; by default the most that a cap can count. */
  attemptsAtMost?: number;
}

/** The suppression of a number, and the attempts at it within the longest period of a cap, newest first. */
export async function historyOf(tx: Tx, args: HistoryQuery): Promise<NumberHistory> {
  const [entry, attempts] = await Promise.all([findSuppression(tx, args), attemptsOf(tx, args)]);
  return { suppression: entry && suppressionOf(entry), attempts };
}

function suppressionOf(entry: SuppressionRow): Question['suppression'] {
  return { reason: entry.reason, until: entry.expires_at };
}

/**
 * SQL: the decisions that let a number be dialled, each an attempt; to be followed by the limit. The limit is no
 * parameter: SQLite plans a query again for each bound limit.
 */
const ATTEMPTS = `select subject_id, decided_at from number_decisions
  where workspace = ? and phone_number = ? and decided_at > ? and moment = 'dialling' and verdict = 'dial'
  order by decided_at desc limit`;

/** The latest attempts to call a number, as far back as attempt caps look. */
async function attemptsOf(tx: Tx, args: HistoryQuery): Promise<NumberHistory['attempts']> {
  const rows = await tx.all(
    `${ATTEMPTS} ${args.attemptsAtMost ?? MAX_CAP_ATTEMPTS}`,
    args.workspace,
    args.phoneNumber,
    args.now - MAX_CAP_HOURS * HOUR_MS,
  );
  return rows.map((row) => ({ subjectId: String(row['subject_id']), at: Number(row['decided_at']) }));
}

/**
 * As {@link historyOf}, for up to some hundred numbers, by number; the attempts are in no order and without a limit.
 * Numbers without a history are absent.
 */
export async function historiesOf(
  tx: Tx,
  args: { workspace: string; phoneNumbers: readonly string[]; now: number },
): Promise<Map<string, NumberHistory>> {
  const histories = new Map<string, NumberHistory>();
  const ensureHistory = (phoneNumber: string) => {
    const history = histories.get(phoneNumber) ?? { suppression: null, attempts: [] };
    histories.set(phoneNumber, history);
    return history;
  };
  if (args.phoneNumbers.length === 0) return histories;
  for (const entry of await suppressionTransactions.check(tx, args)) {
    ensureHistory(entry.phone_number).suppression = suppressionOf(entry);
  }
  const rows = await tx.all(
    `select phone_number, subject_id, decided_at from number_decisions
     where workspace = ? and phone_number in (${placeholders(args.phoneNumbers)})
       and decided_at > ? and moment = 'dialling' and verdict = 'dial'`,
    args.workspace,
    ...args.phoneNumbers,
    args.now - MAX_CAP_HOURS * HOUR_MS,
  );
  for (const row of rows) {
    ensureHistory(String(row['phone_number'])).attempts.push({
      subjectId: String(row['subject_id']),
      at: Number(row['decided_at']),
    });
  }
  return histories;
}
