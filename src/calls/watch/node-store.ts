import { z } from 'zod';
import { defineTransactions, type Tx } from '#store/transaction.js';

/** A process as the other processes see it. */
export const Heartbeat = z.object({ id: z.string(), address: z.string(), heartbeat_at: z.number().int() });
export type Heartbeat = z.infer<typeof Heartbeat>;

/** The processes that share the database, and their last heartbeats. */
export const nodeTransactions = defineTransactions('nodes', {
  /**
   * Registers a process that starts. SQLite is open in one process at a time, so all other entries belong to dead
   * processes, and the running jobs, which those have left, are due again at once.
   */
  async register(tx, args: { id: string; address: string; at: number }): Promise<void> {
    if (tx.dialect.engine === 'sqlite') {
      await tx.run('delete from nodes');
      await tx.run(`update jobs set lease_until = ? where status = 'running'`, args.at);
    }
    await keepAlive(tx, args);
  },

  /** Writes a heartbeat. A process that was removed as dead is registered again. */
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

  /** Removes dead processes, unless their heartbeat has changed after all. */
  async remove(tx, args: { dead: readonly Heartbeat[] }): Promise<void> {
    for (const { id, heartbeat_at } of args.dead) {
      await tx.run('delete from nodes where id = ? and heartbeat_at = ?', id, heartbeat_at);
    }
  },

  /** Removes a process that stops in good order. */
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
