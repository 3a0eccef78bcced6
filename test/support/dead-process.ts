import { nodeTransactions } from '#calls/watch/node-store.js';
import { Problem } from '#kernel/errors/errors.js';
import type { CallRig } from './call-rig.js';

/** Simulates the death of the rig's first process: the store refuses its requests from now on. */
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
