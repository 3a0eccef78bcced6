import { nodeTransactions } from '#calls/watch/node-store.js';
import { Problem } from '#kernel/errors/errors.js';
import type { CallRig } from './call-rig.js';

/**
 * Kills the process that a rig has begun with, as far as anybody can see: the store refuses whatever it asks from now
 * on in its own name.
 */
export async function killFirst(rig: CallRig): Promise<void> {
  const [first] = await rig.store.read(nodeTransactions.others, { id: '' });
  const { id } = first!;
  const kept: readonly unknown[] = [nodeTransactions.others, nodeTransactions.remove];
  for (const method of ['read', 'write'] as const) {
    const original = rig.store[method].bind(rig.store) as (unit: unknown, args: object) => Promise<never>;
    const refusing = (unit: unknown, args: { nodeId?: string; id?: string }) =>
      args.nodeId === id || (args.id === id && !kept.includes(unit))
        ? Promise.reject(new Problem('unavailable', 'This process is dead.'))
        : original(unit, args);
    Object.assign(rig.store, { [method]: refusing });
  }
}
