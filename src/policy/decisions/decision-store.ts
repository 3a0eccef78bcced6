import { toPage, type Cursor, type Page } from '#store/page.js';
import { placeholders } from '#store/statements/placeholders.js';
import { defineTransactions } from '#store/transaction.js';
import { askPolicy } from './ask-policy.js';
import { VERDICTS } from '#policy/deciding/decision.js';
import { DECISION_KEY, DecisionRow } from './decision-rows.js';
import { historiesOf, historyOf } from './number-history.js';

/**
 * The transactions of the policy on its log of decisions. Previews read the history of numbers, the API lists
 * decisions, and the housekeeping purges them. Code that decides about calls asks {@link askPolicy} inside its own
 * transaction.
 */
export const decisionTransactions = defineTransactions('decisions', {
  /** {@link askPolicy} as a transaction of its own, for tests. */
  ask: askPolicy,

  // For previews, which store no decision.
  history: historyOf,
  histories: historiesOf,

  /** Deletes up to `limit` decisions made before an instant, oldest first. Returns how many. */
  purge(tx, args: { decidedBefore: number; limit: number }): Promise<number> {
    const key = DECISION_KEY.join(', ');
    return tx.run(
      `delete from number_decisions where (${key}) in (
         select ${key} from number_decisions where decided_at < ? order by decided_at limit ?)`,
      args.decidedBefore,
      args.limit,
    );
  },

  /** A page of the decisions about a number, newest first: made from `decidedAfter` on, and before `decidedBefore`. */
  async list(
    tx,
    args: {
      workspace: string;
      phoneNumber: string;
      verdict: readonly string[] | undefined;
      decidedAfter: number | undefined;
      decidedBefore: number | undefined;
      cursor: Cursor | null;
      limit: number;
    },
  ): Promise<Page<DecisionRow>> {
    const verdicts = args.verdict ?? VERDICTS;
    // Without a cursor: the empty id comes before every other id, so that no decision of that instant is included.
    const before = args.cursor ?? { createdAt: args.decidedBefore ?? Number.MAX_SAFE_INTEGER, id: '' };
    const rows = await tx.all(
      `select * from number_decisions
       where workspace = ? and phone_number = ? and verdict in (${placeholders(verdicts)})
         and decided_at >= ? and (decided_at < ? or (decided_at = ? and subject_id < ?))
       order by decided_at desc, subject_id desc limit ?`,
      args.workspace,
      args.phoneNumber,
      ...verdicts,
      args.decidedAfter ?? 0,
      before.createdAt,
      before.createdAt,
      before.id,
      args.limit + 1,
    );
    const decisions = rows.map((row) => DecisionRow.parse(row));
    return toPage(decisions, args.limit, (row) => ({ createdAt: row.decided_at, id: row.subject_id }));
  },
});
