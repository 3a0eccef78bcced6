import { defineTransactions } from '#store/transaction.js';

/** The one table of the bare queue: as narrow as the dialler's. */
export const QUEUE_MIGRATION = `
create table queue (
  id text primary key,
  status text not null,
  due_at bigint not null,
  node_id text,
  lease_until bigint,
  updated_at bigint not null
);
create index queue_due on queue (due_at, id) where status = 'pending';`;

/** The ceiling: what any durable queue must write before something is done, and nothing else. */
export const queueTransactions = defineTransactions('queue', {
  async claim(tx, args: { now: number; leaseUntil: number; limit: number }): Promise<string[]> {
    const rows = await tx.all(
      `update queue set status = 'claimed', node_id = 'node', lease_until = ?, updated_at = ?
       where id in (
         select id from queue where status = 'pending' and due_at <= ? order by due_at, id limit ?
       ) returning id`,
      args.leaseUntil,
      args.now,
      args.now,
      args.limit,
    );
    return rows.map((row) => String(row['id']));
  },
  async mark(tx, args: { id: string; at: number }): Promise<void> {
    await tx.run(
      `update queue set status = 'dialling', updated_at = ? where id = ? and status = 'claimed'`,
      args.at,
      args.id,
    );
  },
  async nextDueAt(tx): Promise<number | null> {
    const row = await tx.get(`select min(due_at) as due_at from queue where status = 'pending'`);
    return typeof row?.['due_at'] === 'number' ? row['due_at'] : null;
  },
});
