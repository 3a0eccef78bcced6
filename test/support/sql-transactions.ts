import { defineTransactions, type SqlValue } from '#store/transaction.js';

/** Any statement, for tests of tables that no transaction of the service uses this way. */
export const sqlTransactions = defineTransactions('any_sql', {
  async run(tx, args: { sql: string; values?: SqlValue[] }): Promise<number> {
    return tx.run(args.sql, ...(args.values ?? []));
  },
  async all(tx, args: { sql: string }) {
    return tx.all(args.sql);
  },
});
