import { expect, it } from 'vitest';
import { insertInto, insertOnce } from '#store/statements/insert.js';
import type { SqlValue, Tx } from '#store/transaction.js';

/** A transaction that records its statements. */
function noting() {
  const ran: { sql: string; values: SqlValue[] }[] = [];
  const post = (sql: string, ...values: SqlValue[]) => void ran.push({ sql: sql.trim(), values });
  const run = async (sql: string, ...values: SqlValue[]) => post(sql, ...values);
  return { ran, tx: { run, post } as unknown as Tx };
}

it('writes the columns of each row, though the row before it had others', async () => {
  const { ran, tx } = noting();
  await insertInto(tx, 'things', { id: 'a', note: 'first' });
  await insertInto(tx, 'things', { id: 'b', amount: 2 });
  await insertInto(tx, 'things', { id: 'c', note: 'third' });
  await insertInto(tx, 'things', { id: 'd' });
  expect(ran).toEqual([
    { sql: 'insert into things (id, note) values (?, ?)', values: ['a', 'first'] },
    { sql: 'insert into things (id, amount) values (?, ?)', values: ['b', 2] },
    { sql: 'insert into things (id, note) values (?, ?)', values: ['c', 'third'] },
    { sql: 'insert into things (id) values (?)', values: ['d'] },
  ]);
});

it('keeps the conflict clause of each call apart', async () => {
  const { ran, tx } = noting();
  await insertInto(tx, 'things', { id: 'a' });
  insertOnce(tx, 'things', { id: 'a' });
  await insertInto(tx, 'things', { id: 'a' });
  expect(ran.map(({ sql }) => sql)).toEqual([
    'insert into things (id) values (?)',
    'insert into things (id) values (?) on conflict do nothing',
    'insert into things (id) values (?)',
  ]);
});
