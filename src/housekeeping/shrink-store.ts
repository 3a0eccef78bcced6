import { defineUnits, type Tx } from '#store/unit.js';

/** A page is given back in about 75 µs: together they hold up the writer for no longer than 5 ms. */
const PAGES = 50;
/** What may be free, as a share of the file: a database that has shrunk grows again, and fills these pages first. */
const SPARE_SHARE = 0.25;
/** So little is not worth it (10 MB). */
const SPARE_PAGES = 2_500;

export const shrinkUnits = defineUnits('shrink', {
  /**
   * Gives some pages of a SQLite file that are free back to the disk. Resolves with whether there may be more. The
   * cleaning up of PostgreSQL is its own.
   */
  async giveBack(tx): Promise<boolean> {
    if (tx.dialect.engine !== 'sqlite') return false;
    const free = await count(tx, 'freelist_count');
    if (free <= Math.max(SPARE_PAGES, SPARE_SHARE * (await count(tx, 'page_count')))) return false;
    // A statement that is run, and not asked for rows, gives back one page, whatever number it is given.
    for (let page = 0; page < PAGES; page += 1) await tx.run('pragma incremental_vacuum(1)');
    // A file that somebody has made without the book-keeping that this needs stays as it is.
    return (await count(tx, 'freelist_count')) < free;
  },
});

async function count(tx: Tx, name: 'freelist_count' | 'page_count'): Promise<number> {
  return Number((await tx.get(`pragma ${name}`))?.[name] ?? 0);
}
