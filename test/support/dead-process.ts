import { recordingTransactions } from '#calls/recordings/recording-store.js';
import { nodeTransactions } from '#calls/watch/node-store.js';
import { Problem } from '#kernel/errors/errors.js';
import type { CallRig } from './call-rig.js';

/**
 * Kills the process that a rig has begun with, as far as anybody can see: the store refuses whatever it asks from now
 * on in its own name, or for its folder. Returns how it goes on, as a process that was paused.
 */
export async function killFirst(rig: CallRig, folderId: string | null = null): Promise<() => void> {
  const [first] = await rig.store.read(nodeTransactions.others, { id: '' });
  const { id } = first!;
  const kept: readonly unknown[] = [
    nodeTransactions.others,
    nodeTransactions.remove,
    recordingTransactions.isServed,
  ];
  let isDead = true;
  for (const method of ['read', 'write'] as const) {
    const original = rig.store[method].bind(rig.store) as (
      transaction: unknown,
      args: object,
    ) => Promise<never>;
    const isOfDead = (transaction: unknown, args: { nodeId?: string; id?: string; folderId?: string }) =>
      !kept.includes(transaction) &&
      (args.nodeId === id || args.id === id || (args.folderId !== undefined && args.folderId === folderId));
    const refusing = (transaction: unknown, args: object) =>
      isDead && isOfDead(transaction, args)
        ? Promise.reject(new Problem('unavailable', 'This process is dead.'))
        : original(transaction, args);
    Object.assign(rig.store, { [method]: refusing });
  }
  return () => void (isDead = false);
}
