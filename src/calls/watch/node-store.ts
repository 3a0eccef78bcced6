import { z } from 'zod';
import { defineTransactions, type Tx } from '#store/transaction.js';

/** A process as the others see it. */
export const Heartbeat = z.object({ id: z.string(), address: z.string(), heartbeat_at: z.number().int() });
export type Heartbeat = z.infer<typeof Heartbeat>;

/** The processes that share the database, and when each was last heard of. */
export const nodeTransactions = defineTransactions('nodes', {
  /**
   * A process begins. With a database that only one process may open, every other entry is of the dead, and so is
   * whoever had work in hand: it is due again at once.
   */
  async register(tx, args: { id: string; address: string; at: number }): Promise<void> {
    if (tx.dialect.engine === 'sqlite') {
      await tx.run('delete from nodes');
      await tx.run(`update jobs set lease_until = ? where status = 'running'`, args.at);
    }
    await keepAlive(tx, args);
  },

  /** A process is still there. One that was taken for dead meanwhile is known again. */
  async heartbeat(tx, args: { id: string; address: string; at: number }): Promise<void> {
    await keepAlive(tx, args);
  },

  /** All processes but this one. */
  async others(tx, args: { id: string }): Promise<Heartbeat[]> {
    const rows = await tx.all(
      'select id, address, heartbeat_at from nodes where id <> ? order by id',
      args.id,
    );
    return rows.map((row) => Heartbeat.parse(row));
  },

  /** Forgets processes that are dead, unless they were heard of after all. */
  async remove(tx, args: { dead: readonly Heartbeat[] }): Promise<void> {
    for (const { id, heartbeat_at } of args.dead) {
      await tx.run('delete from nodes where id = ? and heartbeat_at = ?', id, heartbeat_at);
    }
  },

  /** A process ends in good order. */
  async leave(tx, args: { id: string }): Promise<void> {
    await tx.run('delete from nodes where id = ?', args.id);
  },
});

async function keepAlive(tx: Tx, node: { id: string; address: string; at: number }): Promise<void> {
  await tx.run(
    `insert into nodes (id, address, started_at, heartbeat_at) values (?, ?, ?, ?)
     on conflict (id) do update set heartbeat_at = excluded.heartbeat_at`,
    node.id,
    node.address,
    node.at,
    node.at,
  );
}
