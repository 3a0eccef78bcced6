import { Problem } from '#kernel/errors/errors.js';
import { defineTransactions, type SqlRow, type SqlValue, type Tx } from '#store/transaction.js';

/** A row of the table that the contract works on. */
export interface Thing {
  id: string;
  owner?: string | null;
  amount?: number | null;
  ratio?: number | null;
  note?: string | null;
}

/** Transactions for the store contract. */
export const thingTransactions = defineTransactions('things', {
  async put(tx, thing: Thing) {
    await insertThing(tx, thing);
    return thing.id;
  },

  async putMany(tx, args: { ids: string[] }) {
    for (const id of args.ids) await insertThing(tx, { id });
    return args.ids.length;
  },

  /** Inserts unless the id is taken; returns whether it did. */
  async putIfNew(tx, id: string) {
    return (await tx.run('insert into things (id) values (?) on conflict (id) do nothing', id)) === 1;
  },

  async putThenFail(tx, id: string) {
    await insertThing(tx, { id });
    throw new Error('changed my mind');
  },

  async putThenLookAndFail(tx, id: string) {
    await insertThing(tx, { id });
    await tx.get('select id from things where id = ?', id);
    throw new Error('did not like what it saw');
  },

  async putThenRefuse(tx, id: string) {
    await insertThing(tx, { id });
    throw new Problem('invalid_state', `${id} cannot be put now.`, {
      details: [{ field: 'id', code: 'invalid_state', message: 'is not free' }],
      retryAfterSeconds: 7,
    });
  },

  async find(tx, id: string) {
    return (await tx.get('select * from things where id = ?', id)) ?? null;
  },

  async ids(tx, prefix: string) {
    const rows = await tx.all("select id from things where id like ? || '%' order by id", prefix);
    return rows.map((row) => row['id'] as string);
  },

  async count(tx, prefix: string) {
    const row = await tx.get("select count(*) as count from things where id like ? || '%'", prefix);
    return row?.['count'] as number;
  },

  async add(tx, args: { id: string; amount: number }) {
    return tx.run('update things set amount = amount + ? where id = ?', args.amount, args.id);
  },

  /** Inserts a thing and counts it by its note; `fails` rolls both back. */
  async putAndCount(tx, args: { id: string; note: string; fails: boolean }) {
    await insertThing(tx, { id: args.id });
    tx.count({ name: 'things', labels: { note: args.note } });
    if (args.fails) throw new Error('changed my mind');
  },

  async setNote(tx, args: { id: string; note: string }) {
    return tx.run('update things set note = ? where id = ?', args.note, args.id);
  },

  /** Claims at most `limit` free things. */
  async claim(tx, args: { owner: string; prefix: string; limit: number }): Promise<string[]> {
    const rows = await tx.all(
      `update things set owner = ? where id in (
         select id from things where owner is null and id like ? || '%' order by id limit ?${tx.dialect.skipLocked}
       ) returning id`,
      args.owner,
      args.prefix,
      args.limit,
    );
    return rows.map((row) => row['id'] as string).toSorted();
  },

  /** Binds a value of any type, as a programming error might. */
  async bind(tx, value: unknown): Promise<SqlRow[]> {
    return tx.all('select id from things where note = ?', value as SqlValue);
  },

  async returnFunction() {
    return () => 1;
  },
});

function insertThing(tx: Tx, { id, owner = null, amount = null, ratio = null, note = null }: Thing) {
  return tx.run(
    'insert into things (id, owner, amount, ratio, note) values (?, ?, ?, ?, ?)',
    id,
    owner,
    amount,
    ratio,
    note,
  );
}
