import { defineTransactions, type Tx } from '#store/transaction.js';

/** Pages that a transaction frees. Freeing a page takes about 75 µs, so it blocks the writer for 5 ms at most. */
const PAGES_PER_TRANSACTION = 50;
/** The share of free pages that is kept: a database that has shrunk grows again, and uses them first. */
const SPARE_SHARE = 0.25;
/** The number of free pages (10 MB) that is always kept: fewer are not worth the work. */
const SPARE_PAGES = 2_500;

/** Shrinks the database file after data was deleted. It is the last purge of each round of housekeeping. */
export const shrinkTransactions = defineTransactions('shrink', {
  /**
   * Returns some free pages of a SQLite file to the file system. Resolves with true if more may follow. PostgreSQL has
   * its own vacuum.
   */
  async giveBack(tx): Promise<boolean> {
    if (tx.dialect.engine !== 'sqlite') return false;
    const free = await count(tx, 'freelist_count');
    if (free <= Math.max(SPARE_PAGES, SPARE_SHARE * (await count(tx, 'page_count')))) return false;
    // Each execution of the statement frees one page only, whatever its argument.
    for (let page = 0; page < PAGES_PER_TRANSACTION; page += 1) await tx.run('pragma incremental_vacuum(1)');
    // A file created without `auto_vacuum` cannot shrink: its count stays the same.
    return (await count(tx, 'freelist_count')) < free;
  },
});

/** A count of pages that SQLite reports. */
async function count(tx: Tx, name: 'freelist_count' | 'page_count'): Promise<number> {
  return Number((await tx.get(`pragma ${name}`))?.[name] ?? 0);
}
