import { defineTransactions, shareCommits } from '#store/transaction.js';

/** The one table of the bare route. */
export const ROW_MIGRATION =
  'create table rows (id text primary key, body text not null, created_at bigint not null);';

/** The ceiling's one write: one statement, one row. */
export const rowTransactions = defineTransactions('rows', {
  async insert(tx, args: { id: string; body: string; at: number }): Promise<{ id: string }> {
    await tx.run('insert into rows (id, body, created_at) values (?, ?, ?)', args.id, args.body, args.at);
    return { id: args.id };
  },
});

shareCommits(rowTransactions, { insert: ({ id }) => id });
