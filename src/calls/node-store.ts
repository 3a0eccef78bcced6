import { insertInto } from '../store/insert.js';
import { defineUnits } from '../store/unit.js';

/** The processes that share the database, and when each was last heard of. */
export const nodeUnits = defineUnits('nodes', {
  /**
   * A process begins. With a database that only one process may open, every other entry is of the dead, and so is
   * whoever had work in hand: it is due again at once.
   */
  async register(tx, args: { id: string; address: string; at: number }): Promise<void> {
    if (tx.dialect.engine === 'sqlite') {
      await tx.run('delete from nodes');
      await tx.run(`update jobs set lease_until = ? where status = 'running'`, args.at);
    }
    await insertInto(tx, 'nodes', {
      id: args.id,
      address: args.address,
      started_at: args.at,
      heartbeat_at: args.at,
    });
  },

  async heartbeat(tx, args: { id: string; at: number }): Promise<void> {
    await tx.run('update nodes set heartbeat_at = ? where id = ?', args.at, args.id);
  },

  /** A process ends in good order. */
  async leave(tx, args: { id: string }): Promise<void> {
    await tx.run('delete from nodes where id = ?', args.id);
  },
});
