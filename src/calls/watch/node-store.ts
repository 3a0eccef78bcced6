import { z } from 'zod';
import { FILE_ELSEWHERE } from '#calls/jobs/job.js';
import { defineTransactions, type Tx } from '#store/transaction.js';

// The table `nodes`: the processes (nodes) of this service that share the database, and their heartbeats.

/** A process as the other processes see it; `heartbeat_at` in epoch milliseconds of its own clock. */
export const Heartbeat = z.object({ id: z.string(), address: z.string(), heartbeat_at: z.number().int() });
export type Heartbeat = z.infer<typeof Heartbeat>;

/** The identity of a process, as it registers itself. */
export interface NodeIdentity {
  id: string;
  /** The internal host and port for other processes. */
  address: string;
  /** The id of its recordings folder; processes that share a folder have the same one. */
  folderId: string;
}

/** The identity of this process, from the composition root. `address` must not be called before the process listens. */
export interface ThisNode extends Pick<NodeIdentity, 'id' | 'folderId'> {
  address(): string;
}

/** The transactions of `NodeMembership`. */
export const nodeTransactions = defineTransactions('nodes', {
  /**
   * Registers this process at its start. SQLite is open in one process at a time, so all other rows belong to dead
   * processes, and their running jobs are due again at once.
   */
  async register(tx, args: NodeIdentity & { at: number }): Promise<void> {
    if (tx.dialect.engine === 'sqlite') {
      await tx.run('delete from nodes');
      await tx.run(`update jobs set lease_until = ? where status = 'running'`, args.at);
    }
    // Jobs that waited for a process with this recordings folder are due: it is back.
    await tx.run(
      `update jobs set due_at = ? where status = 'pending' and folder_id = ? and error = '${FILE_ELSEWHERE}'`,
      args.at,
      args.folderId,
    );
    await upsertHeartbeat(tx, args);
  },

  /** Writes a heartbeat. A process that was removed as dead is registered again. */
  async heartbeat(tx, args: NodeIdentity & { at: number }): Promise<void> {
    await upsertHeartbeat(tx, args);
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

/** Adds the row of a process, or changes only the heartbeat of a row that exists. */
async function upsertHeartbeat(tx: Tx, node: NodeIdentity & { at: number }): Promise<void> {
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
