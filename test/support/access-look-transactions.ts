import { blankAnswers } from '#idempotency/idempotency-store.js';
import { redeemStreamToken } from '#access/tokens/stream-token.js';
import { defineTransactions } from '#store/transaction.js';

/** Parts of other modules' transactions, as transactions of their own. */
export const accessTestTransactions = defineTransactions('access_parts', {
  redeem(tx, args: { tokenHash: string; at: number }): Promise<string | null> {
    return redeemStreamToken(tx, args);
  },
  blank(tx, args: { subjectId: string; fields: readonly string[] }): Promise<void> {
    return blankAnswers(tx, args.subjectId, args.fields);
  },
});
