import { Problem } from '#kernel/errors/errors.js';
import {
  defineTransactions,
  noSubject,
  shareCommits,
  type SqlRow,
  type SqlValue,
  type Tx,
} from '#store/transaction.js';

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

  /** Inserts without waiting, and looks whether it is there; `twice` inserts it again, behind that. */
  async post(tx, args: { id: string; twice?: boolean }) {
    postThing(tx, args.id);
    const found = await tx.get('select id from things where id = ?', args.id);
    if (args.twice) postThing(tx, args.id);
    return found?.['id'];
  },

  /** Inserts twice without waiting, and does something else behind that. */
  async postThenLook(tx, id: string) {
    postThing(tx, id);
    postThing(tx, id);
    return tx.get('select 1 as one');
  },

  /** Posts what fails, and refuses before that is known. */
  async postThenRefuse(tx, id: string) {
    postThing(tx, id);
    if (tx.dialect.engine === 'postgres') postThing(tx, id);
    throw new Problem('invalid_state', `${id} cannot be put now.`);
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

/** The same kind of transactions, declared to share a commit. */
export const sharedTransactions = defineTransactions('shared_things', {
  put: (tx, thing: Thing) => thingTransactions.put(tx, thing),
  post: (tx, args: { id: string; twice?: boolean }) => thingTransactions.post(tx, args),
  putThenFail: (tx, { id }: Thing) => thingTransactions.putThenFail(tx, id),
  putAndCount: (tx, args: Parameters<typeof thingTransactions.putAndCount>[1]) =>
    thingTransactions.putAndCount(tx, args),
  find: (tx, { id }: Thing) => thingTransactions.find(tx, id),

  /** Throws, without having changed anything, unless there is such a thing. */
  async require(tx, { id }: Thing) {
    if (!(await thingTransactions.find(tx, id))) throw new Problem('invalid_state', `There is no ${id}.`);
    return id;
  },

  /** Adds one to a thing by two statements, between which others must not change it. */
  increment: (tx, { id }: Thing) => increment(tx, id),

  /** The same to a thing that others change, too. */
  async incrementCommon(tx, args: Thing & { common: string }) {
    await tx.lock(args.common);
    await insertThing(tx, { id: args.id });
    return increment(tx, args.common);
  },

  /** Locks two names one after the other. */
  async lockBoth(tx, args: Thing & { first: string; second: string }) {
    await tx.lock(args.first);
    await thingTransactions.find(tx, args.id);
    await tx.lock(args.second);
    await insertThing(tx, { id: args.id });
    return args.id;
  },
});

shareCommits(sharedTransactions, {
  put: idOf,
  post: idOf,
  putThenFail: idOf,
  putAndCount: idOf,
  find: noSubject,
  require: idOf,
  increment: idOf,
  incrementCommon: idOf,
  lockBoth: idOf,
});

function idOf({ id }: { id: string }): string {
  return id;
}

async function increment(tx: Tx, id: string): Promise<number> {
  const row = await tx.get(`select amount from things where id = ?${tx.dialect.forUpdate}`, id);
  const amount = Number(row?.['amount']) + 1;
  await tx.run('update things set amount = ? where id = ?', amount, id);
  return amount;
}

function postThing(tx: Tx, id: string): void {
  tx.post('insert into things (id) values (?)', id);
}

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
