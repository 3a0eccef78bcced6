import { z } from 'zod';
import { FILE_IS_AWAY } from '#calls/jobs/job.js';
import { defineTransactions, type Tx } from '#store/transaction.js';

/** A process as the other processes see it. */
export const Heartbeat = z.object({ id: z.string(), address: z.string(), heartbeat_at: z.number().int() });
export type Heartbeat = z.infer<typeof Heartbeat>;

/** A process as it makes itself known. */
export interface NodeIdentity {
  id: string;
  /** Where the other processes reach it. */
  address: string;
  /** The id of the folder that it keeps recordings in. */
  folderId: string;
}

/** This process. Its address is known once it listens. */
export interface ThisNode extends Pick<NodeIdentity, 'id' | 'folderId'> {
  address(): string;
}

/** The processes that share the database, and when each was last heard of. */
export const nodeTransactions = defineTransactions('nodes', {
  /**
   * Registers a process that starts. SQLite is open in one process at a time, so all other entries belong to dead
   * processes, and the running jobs, which those have left, are due again at once.
   */
  async register(tx, args: NodeIdentity & { at: number }): Promise<void> {
    if (tx.dialect.engine === 'sqlite') {
      await tx.run('delete from nodes');
      await tx.run(`update jobs set lease_until = ? where status = 'running'`, args.at);
    }
    // Files that were waited for are here again.
    await tx.run(
      `update jobs set due_at = ? where status = 'pending' and folder_id = ? and error = '${FILE_IS_AWAY}'`,
      args.at,
      args.folderId,
    );
    await keepAlive(tx, args);
  },

  /** A process is still there. One that was taken for dead meanwhile is known again. */
  async heartbeat(tx, args: NodeIdentity & { at: number }): Promise<void> {
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

async function keepAlive(tx: Tx, node: NodeIdentity & { at: number }): Promise<void> {
  await tx.run(
    `insert into nodes (id, address, folder_id, started_at, heartbeat_at) values (?, ?, ?, ?, ?)
     on conflict (id) do update set heartbeat_at = excluded.heartbeat_at`,
    node.id,
    node.address,
    node.folderId,
    node.at,
    node.at,
  );
}
