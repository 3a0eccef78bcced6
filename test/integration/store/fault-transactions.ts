import { notify } from '#store/statements/notify.js';
import { defineTransactions, shareCommits } from '#store/transaction.js';

/** Transactions that do harm, or read engine settings. */
export const faultTransactions = defineTransactions('faults', {
  /** Ends the thread that runs it. */
  async endThread() {
    process.exit(1);
  },

  /** Tells of a row on a topic, and may then fail. */
  async tell(tx, args: { topic: string; id: string; fails?: boolean }) {
    notify(tx, args.topic, args.id);
    if (args.fails) throw new Error('it was not meant');
  },

  /** A SQLite setting of the connection that runs it. */
  async pragma(tx, statement: string) {
    const row = await tx.get(`pragma ${statement}`);
    return row === undefined ? null : Object.values(row)[0];
  },

  /** A PostgreSQL setting of the connection that runs it. */
  async setting(tx, name: string) {
    return (await tx.get('select current_setting(?) as value', name))?.['value'];
  },

  /** Whether the connection that runs it is a socket of this machine, as PostgreSQL sees it. */
  async isLocal(tx) {
    return (await tx.get('select inet_server_addr() is null as local'))?.['local'];
  },

  /** Changes two rows one after the other, slowly enough to deadlock with another in the other order. */
  async changeBoth(tx, args: { first: string; second: string; note: string }) {
    await tx.run('update things set note = ? where id = ?', args.note, args.first);
    await tx.get('select pg_sleep(0.1)');
    await tx.run('update things set note = ? where id = ?', args.note, args.second);
    return args.note;
  },

  /** Counts, takes a while over something else, and counts again. */
  async countTwice(tx) {
    const count = async () => Number((await tx.get('select count(*) as n from things'))?.['n']);
    const first = await count();
    await tx.get(
      'with recursive n(i) as (select 1 union all select i + 1 from n where i < 700000) select max(i) as last from n',
    );
    return { first, second: await count() };
  },

  /** Goes on after an SQL error, which transactions must not do. */
  async swallowError(tx, id: string) {
    await tx.run('insert into things (id) values (?)', id);
    try {
      await tx.run('insert into things (id) values (?)', id);
    } catch {
      return 'went on';
    }
    return 'no error';
  },

  /** Lets the server cut every connection but this one. */
  async cutConnections(tx) {
    await tx.all(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  },

  /** Lets the server cut the connection that runs it. */
  async cutOwnConnection(tx) {
    await tx.all('select pg_terminate_backend(pg_backend_pid())');
  },

  /** Holds a row for a while. */
  async hold(tx, args: { id: string; seconds: number }) {
    await tx.get('select id from things where id = ? for update', args.id);
    await tx.get('select pg_sleep(?)', args.seconds);
  },

  /** Whether another transaction holds a row. */
  async isHeld(tx) {
    const sleeper = await tx.get(
      `select 1 from pg_stat_activity
       where query like 'select pg_sleep%' and state = 'active' and datname = current_database()`,
    );
    return sleeper !== undefined;
  },

  /** Runs a statement after the transaction has ended. */
  async leak(tx, id: string) {
    globalThis.setImmediate(() => {
      tx.run('insert into things (id) values (?)', id).catch(() => {});
    });
    return id;
  },

  async oddNumbers(tx) {
    return (await tx.get(
      'select count(*) as counted, sum(amount) as summed from things where id like ?',
      'odd-%',
    ))!;
  },

  /** Writes many rows by one statement. */
  async writeMany(tx, args: { count: number; sizeBytes: number }) {
    return tx.run(
      `insert into things (id, note)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) select 'of-many-' || i, ? from n`,
      args.count,
      'x'.repeat(args.sizeBytes),
    );
  },

  async write(tx, args: { id: string; sizeBytes: number }) {
    await tx.run('insert into things (id, note) values (?, ?)', args.id, 'x'.repeat(args.sizeBytes));
    return args.id;
  },
});

/** Of those, what shares a commit. */
export const sharedFaultTransactions = defineTransactions('shared_faults', {
  swallowError: (tx, { id }: { id: string }) => faultTransactions.swallowError(tx, id),
  cutOwnConnection: (tx, _args: { id: string }) => faultTransactions.cutOwnConnection(tx),
  touch: (tx, { id }: { id: string }) => tx.run('update things set note = id where id = ?', id),
});

shareCommits(sharedFaultTransactions, { swallowError: idOf, cutOwnConnection: idOf, touch: idOf });

function idOf({ id }: { id: string }): string {
  return id;
}
